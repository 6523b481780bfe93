// @ts-check
// `npm run check`: every static check. Stops at the first that fails.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node, prepare, root } from './prepare.mjs';

prepare();
step('types', () => node('node_modules/typescript/bin/tsc', '-p', '.', '--noEmit'));
step('types of the tests', () => node('node_modules/typescript/bin/tsc', '-p', 'test'));
step('types of the SDK', () => node('node_modules/typescript/bin/tsc', '-p', 'sdk', '--noEmit'));
step('types of the documentation', () => node('node_modules/typescript/bin/tsc', '-p', 'server/docs/site'));
step('types of the console', () => node('node_modules/typescript/bin/tsc', '-p', 'server/console'));
step('size of the console', () => node('server/console/size.mjs'));
step('lint and format', () =>
  node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
);
step('generated files are up to date', generatedUnchanged);
step('contract', () => redocly('lint', 'spec/generated/openapi.yaml'));
step('no breaking change of the contract', noBreakingChange);
step('SDK package', () => node('sdk/lint-package.mjs'));
step('types of the banner', () => node('node_modules/typescript/bin/tsc', '-p', 'sdk/banner', '--noEmit'));
step('size of the banner', () => node('sdk/banner/size.mjs'));
process.stdout.write('All checks passed.\n');

/**
 * @param {string} name
 * @param {() => number | null} run
 */
function step(name, run) {
  process.stdout.write(`— ${name}\n`);
  const status = run();
  if (status === 0) return;
  process.stderr.write(`The check "${name}" failed: see above.\n`);
  process.exit(1);
}

function generatedUnchanged() {
  const folder = join(root, 'spec', 'generated');
  const read = () =>
    new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const before = read();
  if (node('tools/generate.mjs') !== 0) return 1;
  const changed = [...read()].filter(([name, text]) => before.get(name) !== text).map(([name]) => name);
  if (changed.length === 0) return 0;
  process.stderr.write(`${changed.join(', ')} changed: run npm run generate and commit what it writes.\n`);
  return 1;
}

/** @param {string[]} args */
function redocly(...args) {
  process.env.REDOCLY_TELEMETRY = 'off';
  process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';
  return node('node_modules/@redocly/cli/bin/cli.js', ...args);
}

/** Compares the contract with that of the last tag; CHANGELOG.md may say that a breaking change is meant. */
function noBreakingChange() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  let tag;
  try {
    tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*').trim();
  } catch {
    process.stdout.write('  no release is tagged yet, nothing to compare with\n');
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'avow-contract-'));
  try {
    execFileSync('git', ['worktree', 'add', '--detach', folder, tag], { cwd: root, stdio: 'ignore' });
    const status = redocly(
      'diff',
      join(folder, 'spec/generated/openapi.yaml'),
      'spec/generated/openapi.yaml',
      '--fail-on',
      'major',
    );
    const unreleased = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m)[1] ?? '';
    return status === 0 || /breaking/i.test(unreleased) ? 0 : 1;
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  }
}
