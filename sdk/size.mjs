// @ts-check
// Prints the size of an export of the package, or of all (`*`), in bytes and without frameworks, and fails above a
// budget: `node size.mjs [export] [entry] [bytes]`.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const sdk = dirname(fileURLToPath(import.meta.url));
const name = process.argv[2] ?? 'createAvow';
const budget = Number(process.argv[4] ?? Infinity);
const what = name === '*' ? name : `{ ${name} }`;
const entry = resolve(process.argv[3] ?? join(sdk, 'dist/index.js'));

const build = await rolldown({
  input: 'entry',
  external: ['react', 'vue'],
  // Not that `'use client'` may get lost.
  onLog: (level, log, next) => log.code === 'MODULE_LEVEL_DIRECTIVE' || next(level, log),
  plugins: [
    {
      name: 'entry',
      resolveId: (id) => (id === 'entry' ? '\0entry' : null),
      load: (id) => (id === '\0entry' ? `export ${what} from ${JSON.stringify(entry)};` : null),
    },
  ],
});
const { output } = await build.generate({ format: 'esm', minify: true, comments: false });
await build.close();
const gzip = gzipSync(output[0].code).length;
console.log(JSON.stringify({ export: name, minified: output[0].code.length, gzip }));
if (gzip > budget) {
  console.error(`${name} may have at most ${budget} bytes.`);
  process.exitCode = 1;
}
