import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isBlocked, nativeError } from './errors';
import type { Hosts } from './hosts';
import { type Outage, outageOf } from './outage';

/** How long an answer stands for the next ones, good or bad, in milliseconds: anybody may ask. */
const VALID_FOR = { good: 1_000, bad: 250 };
/** How long a probe may take, in milliseconds. */
const LIMIT = 4_000;
/**
 * A refused write says more than a probe that went well, for so long, in milliseconds: a small write may find
 * room on a full disk.
 */
const REFUSAL_HOLDS = 5_000;

/**
 * Fails where no write is allowed, and writes next to nothing: a row that is there already, if it is, and
 * that no other probe holds.
 */
const WRITE = `UPDATE job_runs SET finished_at = finished_at
  WHERE name IN (SELECT name FROM job_runs LIMIT 1 FOR UPDATE SKIP LOCKED)`;
/** Needs new pages on the disk, and gives them back. */
const FILL =
  'CREATE TEMPORARY TABLE avow_probe ON COMMIT DROP AS SELECT n, repeat(md5(n::text), 50) FROM generate_series(1, 200) AS n';

/** PostgreSQL's code for a missing right. */
const NOT_ALLOWED = '42501';

/** Whether the database takes writes, asked by a small one and not more often than about once a second. */
export class WriteProbe {
  private asked: Promise<Outage | undefined> | undefined;
  /** A write that has not ended yet: no second one begins beside it. */
  private pending: Promise<void> | undefined;
  /** What the last write that said something said. */
  private last: Outage | undefined;
  private until = 0;

  constructor(
    private readonly db: Knex,
    private readonly hosts: Hosts,
  ) {}

  /** Why it does not; undefined when it does. */
  async failure(): Promise<Outage | undefined> {
    const held = this.heldRefusal();
    if (held !== undefined) return held;
    if (this.asked === undefined || performance.now() > this.until) {
      this.until = Number.POSITIVE_INFINITY;
      this.asked = this.ask();
      const outage = await this.asked;
      this.until = performance.now() + (outage === undefined ? VALID_FOR.good : VALID_FOR.bad);
    }
    return this.asked;
  }

  private heldRefusal(): Outage | undefined {
    const { refusal } = this.hosts;
    return refusal !== undefined && performance.now() - refusal.at < REFUSAL_HOLDS
      ? outageOf(refusal)
      : undefined;
  }

  private async ask(): Promise<Outage | undefined> {
    const end = new AbortController();
    try {
      const late = delay(LIMIT, undefined, { signal: end.signal }).then(() => {
        throw new Error('timeout expired');
      });
      this.pending ??= this.write().finally(() => {
        this.pending = undefined;
      });
      await Promise.race([this.pending, late]);
      this.last = undefined;
    } catch (error) {
      // A lock on one table says nothing of the others.
      if (!isBlocked(error))
        this.last = outageOf(error) ?? {
          kind: 'unknown',
          words: 'the database refuses a write: look into the log',
        };
    } finally {
      end.abort();
    }
    return this.last;
  }

  private async write(): Promise<void> {
    const { refusal } = this.hosts;
    await this.db.transaction(async (trx) => {
      await trx.raw(WRITE);
      if (refusal !== undefined) await fill(trx);
    });
    if (this.hosts.refusal === refusal) this.hosts.refusal = undefined;
  }
}

/** Where the role may make no temporary tables, the small write alone must tell. */
async function fill(trx: Knex): Promise<void> {
  try {
    await trx.transaction((inner) => inner.raw(FILL));
  } catch (error) {
    if ((nativeError(error) as { code?: string }).code !== NOT_ALLOWED) throw error;
  }
}
