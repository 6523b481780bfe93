// @ts-check
// `npm test`: prepares a new clone, then runs every test that this machine can run, or those that the
// arguments name. --quick leaves out tests that start browsers, kill processes or fuzz; --changed runs, of
// the others, those affected by changes since the last commit. --cluster runs those that need a database, or those
// that are named, on a cluster. --firefox runs the banner's, or those that are named, in Firefox.
import { createRequire } from 'node:module';
import { node, prepare } from './prepare.mjs';

const { CLUSTER, FIREFOX, SLOW } = createRequire(import.meta.url)('../test/helpers/jest/rooms.cjs');
const QUICK = ['--testPathIgnorePatterns', SLOW, '/node_modules/'];
/** @type {Record<string, string[]>} */
const OPTIONS = {
  '--quick': QUICK,
  '--changed': ['--onlyChanged', ...QUICK],
  '--cluster': [],
  '--firefox': [],
};

prepare();
// These come last, because a list of patterns includes all words that follow it.
const args = process.argv.slice(2);
const plain = args.filter((arg) => !(arg in OPTIONS));
if (args.includes('--cluster')) {
  process.env.TEST_CLUSTER = '1';
  if (plain.length === 0) plain.push(CLUSTER);
}
if (args.includes('--firefox')) {
  process.env.TEST_ENGINE = 'firefox';
  if (!plain.some((arg) => /^[^-]/.test(arg))) plain.push(FIREFOX);
  // Only one window at a time gets what is typed.
  plain.push('--runInBand');
}
const own = args.flatMap((arg) => OPTIONS[arg] ?? []);
process.exit(node('node_modules/jest/bin/jest.js', ...plain, ...own) ?? 1);
