import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isBlocked, nativeError } from './errors';
import type { Hosts } from './hosts';
import { NODE_AWAY, type Outage, outageOf, takesNoWrites } from './outage';

/** How long a result is reused, good or bad, in milliseconds: the probe is public. */
const VALID_FOR = { good: 1_000, bad: 250 };
/** How long a probe may take, in milliseconds. */
const LIMIT = 4_000;
/**
 * How long a refused write outweighs a successful probe, in milliseconds: a small write may still fit on a
 * full disk.
 */
const REFUSAL_HOLDS = 5_000;

/**
 * Fails where writes are not allowed, and writes almost nothing: one existing row, unless another probe holds
 * it.
 */
const WRITE = `UPDATE job_runs SET finished_at = finished_at
  WHERE name IN (SELECT name FROM job_runs LIMIT 1 FOR UPDATE SKIP LOCKED)`;
/** Needs new pages on disk, and frees them again. */
const FILL =
  'CREATE TEMPORARY TABLE avow_probe ON COMMIT DROP AS SELECT n, repeat(md5(n::text), 50) FROM generate_series(1, 200) AS n';

/** PostgreSQL's code for a missing privilege. */
const NOT_ALLOWED = '42501';

/** Whether the database accepts writes, tested with a small write at most about once a second. */
export class WriteProbe {
  private asked: Promise<Outage | undefined> | undefined;
  /** A probe in progress; there is never a second one. */
  private pending: Promise<void> | undefined;
  /** The result of the last conclusive write. */
  private last: Outage | undefined;
  private until = 0;

  constructor(
    private readonly db: Knex,
    private readonly hosts: Hosts,
  ) {}

  /** Why it does not accept writes; undefined when it does. */
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
    return refusal !== undefined && !this.hosts.areNodes && performance.now() - refusal.at < REFUSAL_HOLDS
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
      // A lock on one table says nothing about the others.
      if (!isBlocked(error)) this.last = this.causeOf(error);
    } finally {
      end.abort();
    }
    return this.last;
  }

  /** Without one node of a cluster, or its writes, be it the coordinator, visitors of the others' sites are served. */
  private causeOf(error: unknown): Outage | undefined {
    const outage = outageOf(error);
    if (outage === NODE_AWAY) return undefined;
    if (this.hosts.areNodes && outage !== undefined && takesNoWrites(outage)) return undefined;
    return outage ?? { kind: 'unknown', words: 'the database refuses a write: check the log' };
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

/** If the role may not create temporary tables, only the small write counts. */
async function fill(trx: Knex): Promise<void> {
  try {
    await trx.transaction((inner) => inner.raw(FILL));
  } catch (error) {
    if ((nativeError(error) as { code?: string }).code !== NOT_ALLOWED) throw error;
  }
}
