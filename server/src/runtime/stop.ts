import cluster from 'node:cluster';
import type { Logger } from '../observability/logger';

/**
 * Shuts the process down in order, once. SIGTERM, as supervisors send it, leaves time for a drain; SIGINT, as
 * a terminal sends it upon Ctrl-C, does not, and ends one that has begun.
 */
export class Stop {
  private readonly steps: (() => Promise<void>)[] = [];
  private readonly hurrying = new AbortController();
  begun = false;

  /** @param limit After so many milliseconds the process ends at the latest. */
  constructor(
    private readonly log: Logger,
    private readonly limit: number,
  ) {
    process.on('SIGTERM', () => void this.run('SIGTERM'));
    process.on('SIGINT', () => this.hurry('SIGINT'));
    process.on('uncaughtException', (error) => this.fail(error));
    process.on('unhandledRejection', (error) => this.fail(error));
    if (!cluster.isPrimary) this.endWithFirst();
  }

  /** Aborted when nobody waits for a drain. */
  get hurried(): AbortSignal {
    return this.hurrying.signal;
  }

  first(step: () => Promise<void>): void {
    this.steps.unshift(step);
  }

  last(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  private hurry(reason: string, code = 0): void {
    this.hurrying.abort();
    void this.run(reason, code);
  }

  private async run(reason: string, code = 0): Promise<void> {
    if (this.begun) return;
    this.begun = true;
    this.log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), this.limit).unref();
    for (const step of this.steps) {
      await step().catch((error) => this.log.error({ error }, 'a step of the stop failed'));
    }
    this.log.flush();
    process.exit(code);
  }

  /**
   * Without the first process nobody hands this one connections, or would replace it: it finishes what it
   * has. Node itself would end it at once, with requests in flight.
   */
  private endWithFirst(): void {
    process.prependOnceListener('disconnect', () => {
      if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
      this.hurry('the first process has ended', 1);
    });
  }

  private fail(error: unknown): void {
    this.log.fatal({ error }, 'an unexpected error: the process ends, so that nothing goes on half-broken');
    this.hurry('error', 1);
  }
}
