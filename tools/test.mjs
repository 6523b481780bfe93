// @ts-check
// `npm test`: prepares a new clone, then runs every test that this machine can run.
import { node, prepare } from './prepare.mjs';

prepare();
process.exit(node('node_modules/jest/bin/jest.js', ...process.argv.slice(2)) ?? 1);
