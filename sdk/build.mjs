// @ts-check
// Builds the package: ESM, CommonJS, types for both. `node build.mjs [directory]`, default: this package.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDtsBundle } from 'dts-bundle-generator';
import { rolldown } from 'rolldown';

const sdk = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? sdk);
const dist = join(target, 'dist');
const entries = ['index', 'webhooks', 'banner'];

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await bundle();
declare();
copyLicense();

async function bundle() {
  // Without debug information, which would contain local paths.
  const experimental = { attachDebugInfo: /** @type {const} */ ('none') };
  // One by one: each file is complete, so that a page can load it as it is.
  for (const entry of entries) {
    const input = join(sdk, `src/${entry}.ts`);
    const build = await rolldown({ input, platform: 'neutral', experimental });
    await build.write({ file: join(dist, `${entry}.js`), format: 'esm' });
    await build.write({ file: join(dist, `${entry}.cjs`), format: 'cjs' });
    await build.close();
  }
}

/**
 * One file of declarations for each entry, with everything that it needs. `import` and `require` share it: it
 * is long.
 */
function declare() {
  const sources = entries.map((entry) => ({
    filePath: join(sdk, `src/${entry}.ts`),
    // What a page gets by the banner is declared by the banner's entry alone.
    output: { noBanner: true, exportReferencedTypes: false, inlineDeclareGlobals: entry === 'banner' },
  }));
  const bundles = generateDtsBundle(sources, { preferredConfigPath: join(sdk, 'tsconfig.json') });
  for (const [index, entry] of entries.entries()) {
    writeFileSync(join(dist, `${entry}.d.cts`), bundles[index] ?? '');
    writeFileSync(join(dist, `${entry}.d.ts`), `export * from './${entry}.cjs';\n`);
  }
}

function copyLicense() {
  const license = join(sdk, '..', 'LICENSE');
  if (existsSync(license)) copyFileSync(license, join(target, 'LICENSE'));
}
