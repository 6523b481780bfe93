// @ts-check
// `npm run check`: every static check. Stops after the first failure.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare();
// Runs first, because the others read the files that it writes.
await runAll([['generated files are up to date', generatedUnchanged]]);
if (process.exitCode) process.exit();
/** @type {Check[]} */
const checks = [
  ['types', () => tsc('.', '--noEmit')],
  ['types of the tests', () => tsc('test')],
  ['types of the SDK', () => tsc('sdk', '--noEmit')],
  ['types of the documentation', () => tsc('server/docs/site')],
  ['types of the console', () => tsc('server/console')],
  ['types of the page /verify', () => tsc('server/verify')],
  ['types of the banner', () => tsc('sdk/banner', '--noEmit')],
  ['SDK package', () => run('sdk/lint-package.mjs')],
  [
    'lint and format',
    () => run('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  ],
  [
    'format of the specification',
    () => run('node_modules/@typespec/compiler/cmd/tsp.js', 'format', '--check', 'spec/**/*.tsp'),
  ],
  ['regular expressions', () => run('tools/check-expressions.mjs')],
  ['contract', () => redocly('lint', 'spec/generated/openapi.yaml')],
  ['no breaking change of the contract', noBreakingChange],
  ['size of the console', () => run('server/console/size.mjs')],
  ['size of the verifier', () => run('sdk/size.mjs', 'verifyEvidence', 'sdk/dist/verify.js', '12288')],
  ['size of the React bindings', () => run('sdk/size.mjs', '*', 'sdk/dist/react.js', '1792')],
  ['size of the Vue bindings', () => run('sdk/size.mjs', '*', 'sdk/dist/vue.js', '1536')],
  ['size of the Svelte bindings', () => run('sdk/size.mjs', '*', 'sdk/dist/svelte.js', '1280')],
  ['size of the banner', () => run('sdk/banner/size.mjs')],
];
// Two at a time: each keeps one processor busy.
await Promise.all([runAll(checks), runAll(checks)]);
if (!process.exitCode) process.stdout.write('All checks passed.\n');

/**
 * @typedef {{ status: number | null, output: string }} Result
 * @typedef {[name: string, run: () => Promise<Result>]} Check
 */

/**
 * Runs one check after the other from the list. After a failure, no further check starts.
 * @param {Check[]} checks
 */
async function runAll(checks) {
  for (let next = checks.shift(); next !== undefined; next = checks.shift()) {
    const [name, check] = next;
    const { status, output } = await check();
    process.stdout.write(`— ${name}\n${output}`);
    if (status === 0) continue;
    process.stderr.write(`The check "${name}" failed: see above.\n`);
    process.exitCode = 1;
    checks.length = 0;
  }
}

/**
 * @param {string[]} args
 * @returns {Promise<Result>}
 */
function run(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', reject).on('close', (status) => resolve({ status, output }));
  });
}

/**
 * @param {string} project
 * @param {string[]} options
 */
function tsc(project, ...options) {
  return run('node_modules/typescript/bin/tsc', '-p', project, ...options);
}

async function generatedUnchanged() {
  const folder = join(root, 'spec', 'generated');
  const read = () =>
    new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const before = read();
  const generated = await run('tools/generate.mjs');
  if (generated.status !== 0) return generated;
  const changed = [...read()].filter(([name, text]) => before.get(name) !== text).map(([name]) => name);
  if (changed.length === 0) return generated;
  const output = `${changed.join(', ')} changed: run npm run generate and commit the result.\n`;
  return { status: 1, output };
}

/** @param {string[]} args */
function redocly(...args) {
  process.env.REDOCLY_TELEMETRY = 'off';
  process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';
  return run('node_modules/@redocly/cli/bin/cli.js', ...args);
}

/** Compares the contract with the last release. A breaking change is allowed if CHANGELOG.md announces it. */
async function noBreakingChange() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  let tag;
  try {
    tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*').trim();
  } catch {
    return { status: 0, output: '  no release is tagged yet, nothing to compare with\n' };
  }
  const folder = mkdtempSync(join(tmpdir(), 'avow-contract-'));
  try {
    execFileSync('git', ['worktree', 'add', '--detach', folder, tag], { cwd: root, stdio: 'ignore' });
    const { status, output } = await redocly(
      'diff',
      join(folder, 'spec/generated/openapi.yaml'),
      'spec/generated/openapi.yaml',
      '--fail-on',
      'major',
    );
    const unreleased = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m)[1] ?? '';
    return { status: status === 0 || /breaking/i.test(unreleased) ? 0 : 1, output };
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  }
}
