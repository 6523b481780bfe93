import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine, if there is one. */
export function findChromium(
  configured: string | undefined,
  path = process.env.PATH ?? '',
): string | undefined {
  return configured ?? findProgram(NAMES, path);
}

/** The first program of these names on PATH. */
export function findProgram(names: readonly string[], path = process.env.PATH ?? ''): string | undefined {
  const places = path.split(delimiter).filter((folder) => folder.startsWith('/'));
  return places.flatMap((folder) => names.map((name) => join(folder, name))).find(runs);
}

function runs(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
