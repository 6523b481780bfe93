import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { bears, type ContractStep, knownContracts } from './schema-state';

/** Any number that no other program on the same database uses for an advisory lock. */
const PROCESS_LOCK = 7_305_826_004;
/** How often a process that waits for the lock looks, in milliseconds. */
const LOCK_LOOK = 200;
/** A process that has not been seen for so long is gone, in seconds: one that was killed cannot say so. */
export const GONE_AFTER = 60;

export interface RunningProcess {
  version: string;
  contract_steps: string[];
  host: string;
  pid: number;
  /** Seconds since it was last seen. */
  silence: number;
}

/** A new identity for this process. */
export const newProcessId = (): string => randomUUID();

/**
 * Makes a process known, before it uses the tables. Waits while a contract step runs, so that no process comes
 * unseen between the step's look and its work.
 */
export async function registerProcess(knex: Knex, processId: string, version: string): Promise<void> {
  for (;;) {
    const registered = await knex.transaction(async (trx) => {
      if (!(await tryLock(trx, 'pg_try_advisory_xact_lock_shared'))) return false;
      await trx.raw(
        `INSERT INTO running_processes (process_id, version, contract_steps, host, pid, started_at, seen_at)
         VALUES (?, ?, ?, ?, ?, clock_timestamp(), clock_timestamp())
         ON CONFLICT (process_id) DO UPDATE SET seen_at = excluded.seen_at`,
        [processId, version, knownContracts(), hostname(), process.pid],
      );
      // A cluster takes no volatile function in a change, hence now().
      await trx.raw("DELETE FROM running_processes WHERE seen_at < now() - interval '1 day'");
      return true;
    });
    if (registered) return;
    await delay(LOCK_LOOK);
  }
}

/** Says that the process still runs. Without the lock, because a long contract step must not silence it. */
export async function renewProcess(knex: Knex, processId: string, version: string): Promise<void> {
  const renewed = await knex('running_processes')
    .where({ process_id: processId })
    .update({ seen_at: knex.raw('now()') });
  if (renewed === 0) await registerProcess(knex, processId, version);
}

/** Says that the process ends. */
export const removeProcess = (knex: Knex, processId: string): Promise<unknown> =>
  knex('running_processes').where({ process_id: processId }).delete();

/** The processes that run, as far as they were seen lately. */
export async function runningProcesses(knex: Knex): Promise<RunningProcess[]> {
  const { rows } = await knex.raw<{ rows: RunningProcess[] }>(
    `SELECT version, contract_steps, host, pid, extract(epoch FROM clock_timestamp() - seen_at)::int AS silence
     FROM running_processes WHERE seen_at > clock_timestamp() - ? * interval '1 second'
     ORDER BY version, host, pid`,
    [GONE_AFTER],
  );
  return rows;
}

/** The running processes that cannot work after a contract step. */
export const olderProcesses = async (
  knex: Knex,
  step: Pick<ContractStep, 'name' | 'unused_since'>,
): Promise<RunningProcess[]> =>
  (await runningProcesses(knex)).filter(
    ({ version, contract_steps }) => !bears(step, { version, contracts: contract_steps }),
  );

/** In a transaction: from now to its end no process begins. */
export async function keepProcessesOut(trx: Knex): Promise<void> {
  while (!(await tryLock(trx, 'pg_try_advisory_xact_lock'))) await delay(LOCK_LOOK);
}

/** Polled, because waiting inside the database would run into its time limits. */
async function tryLock(trx: Knex, take: string): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { mine: boolean }[] }>(`SELECT ${take}(${PROCESS_LOCK}) AS mine`);
  return rows[0]?.mine === true;
}
