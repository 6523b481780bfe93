import type { Knex } from 'knex';
import type { Logger } from '../logger';

/** Work that is due again and again. */
export interface Job {
  /** A number of its own, for the advisory lock. */
  id: number;
  name: string;
  /** Milliseconds between the end of one run and the next. */
  every: number;
  run(): Promise<void>;
}

/** Base of the advisory locks of jobs. */
const LOCK_SPACE = 730_582;

/** Runs jobs so that at any time only one process of all runs a job. */
export class Scheduler {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly db: Knex,
    private readonly log: Logger,
    private readonly jobs: readonly Job[],
  ) {}

  start(): void {
    for (const job of this.jobs) this.schedule(job, Math.min(job.every, 5_000));
  }

  /** Waits for the runs in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    await Promise.all(this.running);
  }

  private schedule(job: Job, delay: number): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      const run = this.runOnce(job).finally(() => {
        this.running.delete(run);
        this.schedule(job, job.every);
      });
      this.running.add(run);
    }, delay);
    this.timers.set(job.name, timer.unref());
  }

  /** Runs a job unless another process runs it just now. */
  async runOnce(job: Job): Promise<void> {
    try {
      // The lock ends with its transaction, also after a kill -9.
      await this.db.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: { mine: boolean }[] }>(
          'SELECT pg_try_advisory_xact_lock(?, ?) AS mine',
          [LOCK_SPACE, job.id],
        );
        if (rows[0]?.mine) await job.run();
      });
    } catch (error) {
      this.log.error({ error, job: job.name }, 'a job failed; it runs again at its next time');
    }
  }
}
