// @ts-check
// Builds the package: ES modules, CommonJS, and types for both. `node build.mjs [directory]`, default: this
// package.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDtsBundle } from 'dts-bundle-generator';
import { rolldown } from 'rolldown';

const sdk = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? sdk);
const dist = join(target, 'dist');
const plain = ['index', 'webhooks', 'banner', 'cookie', 'verify', 'svelte'];
const bindings = ['react', 'vue'];
const entries = [...plain, ...bindings];
/** What a page has itself: a second copy of a framework would not work with the first. */
const external = bindings;

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await bundle();
// Apart, because looking through the types of Vue for each of the others takes long.
for (const some of [plain, ...bindings.map((one) => [one])]) declare(some);
copyLicense();

async function bundle() {
  // Without debug information, which would contain local paths.
  const experimental = { attachDebugInfo: /** @type {const} */ ('none') };
  // Built one by one, so that each file is complete and a page can load it directly.
  for (const entry of entries) {
    const input = join(sdk, `src/${entry}.ts`);
    const build = await rolldown({ input, platform: 'neutral', external, experimental, onLog: quiet });
    await build.write({ file: join(dist, `${entry}.js`), format: 'esm' });
    await build.write({ file: join(dist, `${entry}.cjs`), format: 'cjs' });
    await build.close();
  }
}

/**
 * That `'use client'` may get lost; a test shows that it does not.
 * @type {import('rolldown').InputOptions['onLog']}
 */
function quiet(level, log, next) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
}

/**
 * One self-contained file of declarations for each entry. It is long, so `import` and `require` share it.
 * @param {string[]} some
 */
function declare(some) {
  const sources = some.map((entry) => ({
    filePath: join(sdk, `src/${entry}.ts`),
    // Looking for references to types of other packages takes half a minute in Vue's, and finds none.
    libraries: { importedLibraries: external, allowedTypesLibraries: [] },
    // Only the banner's entry declares the globals of a page.
    output: { noBanner: true, exportReferencedTypes: false, inlineDeclareGlobals: entry === 'banner' },
  }));
  const bundles = generateDtsBundle(sources, { preferredConfigPath: join(sdk, 'tsconfig.json') });
  for (const [index, entry] of some.entries()) {
    writeFileSync(join(dist, `${entry}.d.cts`), bundles[index] ?? '');
    writeFileSync(join(dist, `${entry}.d.ts`), `export * from './${entry}.cjs';\n`);
  }
}

function copyLicense() {
  const license = join(sdk, '..', 'LICENSE');
  if (existsSync(license)) copyFileSync(license, join(target, 'LICENSE'));
}
