// @ts-check
// `npm test`: prepares a new clone, then runs every test that this machine can run, or those that its
// arguments name. --quick leaves out what starts browsers, kills processes or fuzzes; --changed takes of the
// rest what a change since the last commit reaches.
import { createRequire } from 'node:module';
import { node, prepare } from './prepare.mjs';

const { SLOW } = createRequire(import.meta.url)('../test/helpers/jest/rooms.cjs');
const QUICK = ['--testPathIgnorePatterns', SLOW, '/node_modules/'];
/** @type {Record<string, string[]>} */
const MEANING = { '--quick': QUICK, '--changed': ['--onlyChanged', ...QUICK] };

prepare();
// Last, because a list of patterns takes all words that follow it.
const args = process.argv.slice(2);
const plain = args.filter((arg) => !(arg in MEANING));
const own = args.flatMap((arg) => MEANING[arg] ?? []);
process.exit(node('node_modules/jest/bin/jest.js', ...plain, ...own) ?? 1);
