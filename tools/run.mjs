// @ts-check
// `npm start` and the operator's commands: prepares a new clone, then runs the compiled program in this very process, so that signals reach it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';

const PROGRAMS = new Map([
  ['start', 'dist/server/src/main.js'],
  ['migrate', 'dist/tools/migrate.js'],
  ['owner', 'dist/tools/owner.js'],
  ['doctor', 'dist/tools/doctor.js'],
  ['seed', 'dist/tools/seed.js'],
  ['import-gvl', 'dist/tools/import-gvl.js'],
  ['bench', 'dist/tools/bench.js'],
  ['demo', 'dist/tools/demo.js'],
]);

// Names are resolved and passwords hashed in Node's thread pool: slow name servers must not hold up logins.
process.env.UV_THREADPOOL_SIZE ??= '16';

const program = PROGRAMS.get(process.argv[2] ?? '');
if (program === undefined) {
  process.stderr.write(`Name a program: ${[...PROGRAMS.keys()].join(', ')}.\n`);
  process.exit(2);
}
prepare();
const file = join(root, program);
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);
