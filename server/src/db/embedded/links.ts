import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** The library links that npm does not pack, as [link, what it points to], both relative to `native`. */
export function readLinks(native: string): [string, string][] {
  const file = path.join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return [];
  const links = JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  return links.map(({ source, target }) => [
    path.relative('native', target),
    path.relative(path.dirname(target), source),
  ]);
}

/** Makes the links that are missing; another process may be doing the same. */
export function makeLinks(folder: string, links: [string, string][]): void {
  for (const [link, to] of links) {
    const file = path.join(folder, link);
    if (existsSync(file)) continue;
    try {
      symlinkSync(to, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
