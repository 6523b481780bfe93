// @ts-check
// Installs packages and builds code, as far as a clone lacks them. Plain JavaScript, because it runs before
// anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = [20, 19];

/** Installs and builds what is missing or stale. Prints each step that it runs. */
export function prepare() {
  checkNode();
  // A container image holds the built code and no build tools.
  if (process.env.PREPARE === 'off') return;
  install();
  const sdk = ['sdk/src', 'sdk/build.mjs', 'sdk/package.json', 'spec/generated'];
  // First, because `npm run verify` is written in its terms, and the page /verify holds it.
  build('sdk', sdk, () => node('sdk/build.mjs'));
  build(
    'server',
    ['server/src', 'server/cli', 'server/docs/build', 'tools', 'spec/generated', 'tsconfig.json'],
    () => node('node_modules/typescript/bin/tsc', '-p', '.'),
  );
  // The diagnostics view holds the list of known hosts.
  const known = ['cookies/classification', 'auto-blocking/libraries'].map(
    (name) => `server/src/domain/${name}.data.json`,
  );
  build('banner', ['sdk/banner', 'sdk/src/banner.ts', 'spec/generated/api.ts', ...known], () =>
    node('sdk/banner/build.mjs'),
  );
  build(
    'console',
    [
      ...['server/console', 'server/styles', 'sdk/src', 'sdk/banner/texts', 'sdk/banner/src/debug'],
      ...['spec/generated/api.ts', 'spec/generated/operations.ts'],
    ],
    () => node('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'server/console'),
  );
  build('verify', ['server/verify', 'server/styles', 'server/console/public/icon.svg', ...sdk], () =>
    node('server/verify/build.mjs'),
  );
  build('docs', ['spec/generated/openapi.json', 'server/docs', 'server/styles'], () =>
    node('dist/server/docs/build/main.js'),
  );
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = OLDEST_NODE;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  fail(
    `Avow needs Node ${OLDEST_NODE.join('.')} or newer, but this is ${process.versions.node}: install a newer version.`,
  );
}

function install() {
  if (isInstalled()) return;
  say('Installing packages (npm ci) …');
  // Development packages too, for any NODE_ENV: they build the server.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const { status } =
    npm === undefined
      ? spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail('npm ci failed: see its message above.');
}

/**
 * Whether the installed packages match the lock file, by npm's own record. Optional packages depend on the
 * platform and are ignored.
 */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = read(record);
  return Object.entries(read(join(root, 'package-lock.json'))).every(
    ([place, { version, optional, link }]) =>
      place === '' ||
      optional ||
      link ||
      !place.includes('node_modules') ||
      installed[place]?.version === version,
  );
}

/**
 * @param {string} name
 * @param {string[]} sources
 * @param {() => number | null} run
 */
function build(name, sources, run) {
  const stamp = join(root, 'dist', `.built-${name}`);
  const newest = Math.max(...sources.map((source) => newestIn(join(root, source))));
  if (existsSync(stamp) && Number(readFileSync(stamp, 'utf8')) === newest) return;
  say(`Building ${name} …`);
  if (run() !== 0) fail(`Building ${name} failed: see the message above.`);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, String(newest));
}

/**
 * @param {string} path
 * @returns {number}
 */
function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** @param {string[]} args */
export const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status;

/** @param {string} text */
const say = (text) => process.stderr.write(`${text}\n`);

/**
 * @param {string} text
 * @returns {never}
 */
function fail(text) {
  say(text);
  process.exit(1);
}
