import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import { clock } from '../domain/clock';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';

/** Work that is due again and again. */
export interface Job {
  /** A number of its own, for the advisory lock. */
  id: number;
  name: string;
  /** Milliseconds between the end of one run and the next. */
  every: number;
  /**
   * Ends early, in a consistent state, when the signal fires because the process is stopping. `now` is the
   * database's time.
   */
  run(signal: AbortSignal, now: Date): Promise<void>;
}

/** How soon after the start the first job runs, and a failed one again, in milliseconds. */
const FIRST_RUN = 5_000;
const AFTER_FAILURE = 60_000;
/** The delay before a job that was skipped because clocks disagree is tried again, in milliseconds. */
const AFTER_DISAGREEMENT = 2_000;
/**
 * A run by another process within this fraction of the interval replaces this one; below 1, because timers
 * are not exact.
 */
const RECENT = 0.9;
/** How often the connection that holds a job's lock is used, in milliseconds. */
const LOCK_BEAT = 10_000;
/** Base of the advisory locks of jobs. */
const LOCK_SPACE = 730_582;

/**
 * Runs jobs so that only one process runs a job at any time, and all processes together run it once per
 * interval.
 */
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
    // Staggered: each job takes two connections, and a small pool has no more.
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
        const again = clock.disagreement() === undefined ? AFTER_FAILURE : AFTER_DISAGREEMENT;
        this.schedule(job, fine ? job.every : Math.min(job.every, again));
      });
      this.running.add(run);
    }, delay);
    // Not unref'd: with ROLE=worker nothing else keeps the process running.
    this.timers.set(job.name, timer);
  }

  /**
   * Runs the work while keeping the connection that holds the lock busy, because a silent one would be
   * closed. If the lock is lost, the signal ends the work, because another process may begin it.
   */
  private async whileLocked(trx: Knex, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const lost = new AbortController();
    const beat = setInterval(() => {
      trx.raw('SELECT 1').catch(() => lost.abort());
    }, LOCK_BEAT);
    try {
      await work(AbortSignal.any([this.stopping.signal, lost.signal]));
    } finally {
      clearInterval(beat);
    }
    if (lost.signal.aborted) throw new Error('the lock of the job was lost while it ran');
  }

  /**
   * Runs a job unless another process is running it or ran it recently; false when it failed, or when clocks
   * disagree.
   */
  async runOnce(job: Job): Promise<boolean> {
    try {
      // The lock ends with its transaction, also after a kill -9.
      return await this.db.transaction(async (trx) => {
        // It is idle while the job works on other connections, however long that takes.
        await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
        const { rows } = await trx.raw<{ rows: { mine: boolean }[] }>(
          'SELECT pg_try_advisory_xact_lock(?, ?) AS mine',
          [LOCK_SPACE, job.id],
        );
        if (!rows[0]?.mine || (await ranRecently(trx, job))) return true;
        const now = await databaseTime(trx);
        if (clock.disagreement() !== undefined) return false;
        await this.whileLocked(trx, (signal) => job.run(signal, now));
        // A run that was asked to stop early does not count.
        if (!this.stopping.signal.aborted) await noteRun(trx, job);
        return true;
      });
    } catch (error) {
      logFailure(this.log, 'error', { error, job: job.name }, 'a job failed; it runs again soon');
      return false;
    }
  }
}

/** By the clock of the database, which all processes share. */
async function ranRecently(trx: Knex, { name, every }: Job): Promise<boolean> {
  const row = await trx('job_runs')
    .where({ name })
    // Ignores a run that a wrong clock dated into the future.
    .whereRaw(
      "finished_at BETWEEN clock_timestamp() - ? * interval '1 millisecond' AND clock_timestamp() + interval '1 minute'",
      [every * RECENT],
    )
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
