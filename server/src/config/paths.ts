import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project's folder, wherever the compiled or the source file runs. */
export const ROOT = findRoot(__dirname);

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'spec', 'generated', 'openapi.yaml'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('spec/generated/openapi.yaml is missing: run npm run generate.');
  return findRoot(parent);
}
