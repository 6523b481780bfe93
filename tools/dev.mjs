// @ts-check
// `npm run dev`: recompiles after each change and restarts the server.
import { spawn } from 'node:child_process';
import { prepare, root } from './prepare.mjs';

prepare();
// No draining: every change restarts the server, and no load balancer has to notice.
if (!process.env.DRAIN_SECONDS_FILE) process.env.DRAIN_SECONDS ??= '0';
/** @param {string[]} args */
const run = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
const children = [
  run('node_modules/typescript/bin/tsc', '-p', '.', '--watch', '--preserveWatchOutput'),
  run('node_modules/vite/bin/vite.js', 'build', '--watch', '--logLevel', 'warn', 'server/console'),
  run('--watch', 'dist/server/src/main.js'),
];
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
