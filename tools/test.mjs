// @ts-check
// `npm test`: prepares a new clone, then runs every test that this machine can run, or those that the
// arguments name. --quick leaves out tests that start browsers, kill processes or fuzz; --changed runs, of
// the others, those affected by changes since the last commit.
import { createRequire } from 'node:module';
import { node, prepare } from './prepare.mjs';

const { SLOW } = createRequire(import.meta.url)('../test/helpers/jest/rooms.cjs');
const QUICK = ['--testPathIgnorePatterns', SLOW, '/node_modules/'];
/** @type {Record<string, string[]>} */
const OPTIONS = { '--quick': QUICK, '--changed': ['--onlyChanged', ...QUICK] };

prepare();
// These come last, because a list of patterns includes all words that follow it.
const args = process.argv.slice(2);
const plain = args.filter((arg) => !(arg in OPTIONS));
const own = args.flatMap((arg) => OPTIONS[arg] ?? []);
process.exit(node('node_modules/jest/bin/jest.js', ...plain, ...own) ?? 1);
