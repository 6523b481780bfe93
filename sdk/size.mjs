// @ts-check
// Prints the size of an export of the package, in bytes: `node size.mjs [export] [entry]`.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const sdk = dirname(fileURLToPath(import.meta.url));
const name = process.argv[2] ?? 'createAvow';
const entry = resolve(process.argv[3] ?? join(sdk, 'dist/index.js'));

const build = await rolldown({
  input: 'entry',
  plugins: [
    {
      name: 'entry',
      resolveId: (id) => (id === 'entry' ? '\0entry' : null),
      load: (id) => (id === '\0entry' ? `export { ${name} } from ${JSON.stringify(entry)};` : null),
    },
  ],
});
const { output } = await build.generate({ format: 'esm', minify: true });
await build.close();
console.log(
  JSON.stringify({ export: name, minified: output[0].code.length, gzip: gzipSync(output[0].code).length }),
);
