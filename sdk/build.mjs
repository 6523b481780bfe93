// @ts-check
// Source -> what the package holds: ESM, CommonJS, types for both. `node build.mjs [directory]`, default: this package.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const sdk = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const target = resolve(process.argv[2] ?? sdk);
const dist = join(target, 'dist');
const entries = ['index', 'webhooks', 'banner'];

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await bundle();
declare();
notices();

async function bundle() {
  // Without debug information, which holds paths of this machine.
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

/** Every declaration that the entries reach, once for `import` and once for `require`. */
function declare() {
  const emitted = mkdtempSync(join(tmpdir(), 'avow-sdk-types-'));
  try {
    const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
    const tsc = [require.resolve('typescript/bin/tsc'), '-p', join(sdk, 'tsconfig.json'), ...flags];
    execFileSync(process.execPath, [...tsc, '--outDir', emitted], { stdio: 'inherit' });
    const pending = entries.map((entry) => join(emitted, `sdk/src/${entry}.d.ts`));
    for (const file of pending) {
      const source = readFileSync(file, 'utf8');
      for (const [, path] of source.matchAll(/ from '(\..+?)\.js'/g)) {
        const found = join(dirname(file), `${path}.d.ts`);
        if (!pending.includes(found)) pending.push(found);
      }
      write(file, source);
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/**
 * Generated files declare nothing that runs: one CommonJS declaration serves both, since both may import it.
 * @param {string} file
 * @param {string} source
 */
function write(file, source) {
  const name = join(dist, basename(file, '.d.ts'));
  const flat = source.replace(/ from '[./]+\/spec\/generated\/(\w+)\.js'/g, " from './$1.cjs'");
  writeFileSync(`${name}.d.cts`, flat.replace(/ from '\.\/(\w+)\.js'/g, " from './$1.cjs'"));
  if (!file.includes(join('spec', 'generated'))) writeFileSync(`${name}.d.ts`, flat);
}

/** The licence of the package, and of what is bundled into it. */
function notices() {
  const license = join(sdk, '..', 'LICENSE');
  if (existsSync(license)) copyFileSync(license, join(target, 'LICENSE'));
  const bundled = dirname(require.resolve('openapi-fetch/package.json'));
  const { name, version } = JSON.parse(readFileSync(join(bundled, 'package.json'), 'utf8'));
  const text = readFileSync(join(bundled, 'LICENSE'), 'utf8');
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), `The bundle contains ${name} ${version}:\n\n${text}`);
}
