// @ts-check
// `npm start` and the operator's commands: prepares a new clone, then runs the compiled program in this same
// process, so that signals reach it. The script of `npm start` begins with `exec`, because npm sends a signal
// to its shell, and not every shell passes it on.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';

const PROGRAMS = new Map([
  ['start', 'dist/server/src/main.js'],
  ['bench', 'dist/tools/bench.js'],
  ['readme', 'dist/tools/readme.js'],
]);

/** The operator's commands share one entry, which takes the command's name. */
const COMMANDS = [
  'migrate',
  'distribute',
  'owner',
  'audit',
  'reseal',
  'doctor',
  'seed',
  'verify',
  'import-gvl',
  'demo',
  'ledger',
  'witness',
  'help',
];
/** How often a program checks that its npm still runs, in milliseconds. */
const PARENT_CHECK = 500;

// Node's thread pool resolves names and hashes passwords: slow name servers must not delay logins.
process.env.UV_THREADPOOL_SIZE ??= '16';

const name = process.argv[2] ?? '';
const isCommand = COMMANDS.includes(name);
const program = isCommand ? 'dist/server/cli/main.js' : PROGRAMS.get(name);
if (program === undefined) {
  process.stderr.write(`Name a program: ${[...PROGRAMS.keys(), ...COMMANDS].join(', ')}.\n`);
  process.exit(2);
}
endWithParent();
prepare();
const file = join(root, program);
process.argv.splice(1, 2, file, ...(isCommand ? [name] : []));
await import(pathToFileURL(file).href);

/** Ends the program by SIGTERM when its npm was killed: otherwise it would live on and keep the port. */
function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK);
  timer.unref();
}
