// @ts-check
// Packs a built package and checks the tarball with publint and "are the types wrong?": `node
// lint-package.mjs [directory]`.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const sdk = dirname(fileURLToPath(import.meta.url));
const modules = join(sdk, '..', 'node_modules');
const directory = resolve(process.argv[2] ?? sdk);
const temporary = mkdtempSync(join(tmpdir(), 'avow-sdk-pack-'));
try {
  // Without --workspaces=false, npm would look for the workspace again when run by `npm run --workspace`.
  const pack = [
    'pack',
    '--silent',
    '--ignore-scripts',
    '--workspaces=false',
    '--pack-destination',
    temporary,
  ];
  execFileSync('npm', pack, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  const tarball = join(temporary, String(readdirSync(temporary)[0]));
  run('publint/src/cli.js', 'run', tarball, '--strict');
  // Without --no-definitely-typed it asks the registry for @types.
  run('@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'strict', '--no-definitely-typed');
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/**
 * Runs a tool; this process fails when the tool finds something.
 * @param {string} script
 * @param {string[]} args
 */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(modules, script), ...args], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
