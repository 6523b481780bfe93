import type { Knex } from 'knex';
import type { Logger } from '../logger';

/** Work that is due again and again. */
export interface Job {
  /** A number of its own, for the advisory lock. */
  id: number;
  name: string;
  /** Milliseconds between the end of one run and the next. */
  every: number;
  /** Ends early, with its work half done but sound, when the signal comes: the process is stopping. */
  run(signal: AbortSignal): Promise<void>;
}

/** How soon after the start the first job runs, and a failed one again, in milliseconds. */
const FIRST_RUN = 5_000;
const AFTER_FAILURE = 60_000;
/** A run that another process ended this share of the time ago, or less, stands for this one; less than all, since timers are not exact. */
const RECENT = 0.9;
/** Base of the advisory locks of jobs. */
const LOCK_SPACE = 730_582;

/** Runs jobs so that at any time only one process of all runs a job, and that all of them together run it once in its time. */
export class Scheduler {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly db: Knex,
    private readonly log: Logger,
    private readonly jobs: readonly Job[],
  ) {}

  start(): void {
    // One after the other: each takes two connections, and a small pool has no more.
    this.jobs.forEach((job, index) => {
      this.schedule(job, Math.min(job.every, FIRST_RUN + index * 1_000));
    });
  }

  /** Asks the runs in progress to end, and waits for them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers.values()) clearTimeout(timer);
    await Promise.all(this.running);
  }

  private schedule(job: Job, delay: number): void {
    if (this.stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      const run = this.runOnce(job).then((fine) => {
        this.running.delete(run);
        this.schedule(job, fine ? job.every : Math.min(job.every, AFTER_FAILURE));
      });
      this.running.add(run);
    }, delay);
    // Not unref'd: with ROLE=worker nothing else keeps the process running.
    this.timers.set(job.name, timer);
  }

  /** Runs a job unless another process runs it just now, or did not long ago; false when it failed. */
  async runOnce(job: Job): Promise<boolean> {
    try {
      // The lock ends with its transaction, also after a kill -9.
      await this.db.transaction(async (trx) => {
        // It is idle while the job works on other connections, however long that takes.
        await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
        const { rows } = await trx.raw<{ rows: { mine: boolean }[] }>(
          'SELECT pg_try_advisory_xact_lock(?, ?) AS mine',
          [LOCK_SPACE, job.id],
        );
        if (!rows[0]?.mine || (await ranRecently(trx, job))) return;
        await job.run(this.stopping.signal);
        // A run that was told to end early is not done.
        if (!this.stopping.signal.aborted) await noteRun(trx, job);
      });
      return true;
    } catch (error) {
      this.log.error({ error, job: job.name }, 'a job failed; it runs again soon');
      return false;
    }
  }
}

/** By the clock of the database, which all processes share. */
async function ranRecently(trx: Knex, { name, every }: Job): Promise<boolean> {
  const row = await trx('job_runs')
    .where({ name })
    .whereRaw("finished_at > clock_timestamp() - ? * interval '1 millisecond'", [every * RECENT])
    .first();
  return row !== undefined;
}

async function noteRun(trx: Knex, { name }: Job): Promise<void> {
  await trx.raw(
    `INSERT INTO job_runs (name, finished_at) VALUES (?, clock_timestamp())
     ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at`,
    [name],
  );
}
