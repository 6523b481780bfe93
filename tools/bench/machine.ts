import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** The load of all cores during the given time, from 0 to 1. */
export async function busyShare(milliseconds: number): Promise<number> {
  const before = times();
  await delay(milliseconds);
  const after = times();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function times(): { idle: number; all: number } {
  let idle = 0;
  let all = 0;
  for (const { times: core } of cpus()) {
    idle += core.idle;
    all += core.user + core.nice + core.sys + core.idle + core.irq;
  }
  return { idle, all };
}
