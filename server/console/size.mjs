// @ts-check
// Checks what a browser loads for the first page: the start-up code and the code of that page, compressed
// with gzip. At most 200 KB for every page.
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LIMIT = 200_000;
const folder = fileURLToPath(new URL('../../dist/console/', import.meta.url));
/** @type {Record<string, { file: string, css?: string[], imports?: string[], dynamicImports?: string[] }>} */
const chunks = JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8'));
const START = 'index.html';

const sizes = (chunks[START]?.dynamicImports ?? [])
  .filter((name) => name.startsWith('src/pages/'))
  .map((page) => ({ page, bytes: [...filesOf([START, 'src/app/site-switcher.tsx', page])].reduce(add, 0) }))
  .sort((a, b) => b.bytes - a.bytes);

for (const { page, bytes } of sizes.slice(0, 3)) {
  process.stdout.write(`  ${(bytes / 1000).toFixed(1)} KB  ${page}\n`);
}
if (sizes.length === 0 || (sizes[0]?.bytes ?? 0) > LIMIT) {
  process.stderr.write(`The first page of the console may load at most ${LIMIT / 1000} KB.\n`);
  process.exitCode = 1;
}

/**
 * The files of these chunks and of all their static imports.
 * @param {string[]} names
 */
function filesOf(names) {
  const files = new Set();
  const seen = new Set(names);
  for (const name of seen) {
    const { file, css = [], imports = [] } = chunks[name] ?? { file: '' };
    for (const one of [file, ...css]) if (one !== '') files.add(one);
    for (const next of imports) seen.add(next);
  }
  return files;
}

/**
 * @param {number} sum
 * @param {string} file
 */
function add(sum, file) {
  return sum + statSync(`${folder}${file}.gz`).size;
}
