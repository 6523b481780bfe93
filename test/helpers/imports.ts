import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** One file imports another, both named from a common folder; a target outside of it begins with `..`. */
export interface Import {
  name: string;
  target: string;
}

const IMPORT = /\b(?:from|import|require\(|import\() *'(\.[^']+)'/g;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts', '/index.tsx'];

/** Every relative import of TypeScript below a folder, those of types too, as the files that they lead to. */
export function importsOf(folder: string): Import[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(ts|tsx|mjs)$/.test(name) && !name.includes('node_modules'),
  );
  return names.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(IMPORT)].map(([, target]) => ({
      name: name.replaceAll('\\', '/'),
      target: relative(folder, fileOf(join(folder, dirname(name), target as string))).replaceAll('\\', '/'),
    })),
  );
}

/** The file that a path without its ending names; `.js` stands for the source that it is built from. */
function fileOf(path: string): string {
  const paths = [path, path.replace(/\.js$/, '')].flatMap((base) => ENDINGS.map((ending) => base + ending));
  return paths.find((one) => existsSync(one) && statSync(one).isFile()) ?? path;
}

/**
 * What imports itself, by however many steps: one circle for each such group, as its members in the order of
 * the imports.
 */
export function circlesOf(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { name, target } of imports) targets.set(name, [...(targets.get(name) ?? []), target]);
  const circles: string[][] = [];
  const finished = new Set<string>();
  const visit = (name: string, path: string[]): void => {
    const at = path.indexOf(name);
    if (at !== -1) circles.push(path.slice(at));
    if (at !== -1 || finished.has(name)) return;
    for (const target of targets.get(name) ?? []) visit(target, [...path, name]);
    finished.add(name);
  };
  for (const name of targets.keys()) visit(name, []);
  return circles;
}
