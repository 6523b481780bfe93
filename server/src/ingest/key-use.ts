import type { Knex } from 'knex';
import { GONE_AFTER } from '../db/running-processes';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';

/** The contract step after which the event id of a decision is in its record's id alone. */
export const KEYS_STEP = '20261122230000_keys_in_records';

/** How often a process looks for the step, in milliseconds. */
const LOOK = 5_000;

/** How the event id of a decision is recognised. */
export interface KeyUse {
  /** By a row of `idempotency_keys`, which older processes look for. */
  inRows: boolean;
  /** By the records of its session. */
  inRecords: boolean;
}

export const IN_ROWS: KeyUse = { inRows: true, inRecords: false };
const IN_BOTH: KeyUse = { inRows: true, inRecords: true };
const IN_RECORDS: KeyUse = { inRows: false, inRecords: true };

/**
 * Follows the contract step: a process that sees it uses both, and only when all have seen it are rows left out. One
 * that has not looked yet, or cannot, uses both: others may make no rows any more. So any two processes always have a
 * place in common where they find each other's reports.
 */
export class KeyWatch {
  private now = IN_BOTH;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Knex,
    private readonly log: Logger,
  ) {}

  get use(): KeyUse {
    return this.now;
  }

  start(): void {
    this.schedule(0);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.looking;
  }

  private schedule(delay: number): void {
    this.timer = setTimeout(() => {
      this.looking = this.look();
    }, delay).unref();
  }

  private async look(): Promise<void> {
    try {
      const step = await this.db('contract_steps')
        .where({ name: KEYS_STEP })
        .first<{ settled: boolean } | undefined>(
          this.db.raw(`started_at < clock_timestamp() - interval '${GONE_AFTER} seconds' AS settled`),
        );
      this.now = step === undefined ? IN_ROWS : step.settled ? IN_RECORDS : IN_BOTH;
    } catch (error) {
      this.now = IN_BOTH;
      logFailure(
        this.log,
        'warn',
        { error },
        'contract steps could not be read: event ids are kept as rows, too',
      );
    }
    if (this.timer !== undefined && this.now !== IN_RECORDS) this.schedule(LOOK);
  }
}
