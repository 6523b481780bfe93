import type { Context } from '../context';
import { rateLimited } from '../errors';

/** Failures within a window, at most. */
const MAX_FAILURES = 10;
/** A quarter of an hour, in seconds. */
const WINDOW = 15 * 60;

/** Counts failed logins in the database, so that every process counts together; who it was is kept only as a keyed fingerprint. */
export class LoginLimit {
  private readonly who: Buffer;

  constructor(
    private readonly context: Context,
    email: string,
    address: string,
  ) {
    this.who = context.vault.fingerprint('login', email.toLowerCase(), address);
  }

  /** Counts this try as a failure beforehand, so that many at once cannot slip through. Throws 429. */
  async take(): Promise<void> {
    const { rows } = await this.context.db.raw<{ rows: { failures: number; wait: number }[] }>(
      `INSERT INTO login_failures AS f (who, failures, window_end)
       VALUES (?, 1, now() + ? * interval '1 second')
       ON CONFLICT (who) DO UPDATE SET
         failures = CASE WHEN f.window_end <= now() THEN 1 ELSE f.failures + 1 END,
         window_end = CASE WHEN f.window_end <= now() THEN excluded.window_end ELSE f.window_end END
       RETURNING failures, ceil(extract(epoch FROM window_end - now()))::int AS wait`,
      [this.who, WINDOW],
    );
    const row = rows[0];
    if (row !== undefined && row.failures > MAX_FAILURES) throw rateLimited(Math.max(1, row.wait));
  }

  /** It was no failure after all: the count begins anew. */
  async forgive(): Promise<void> {
    await this.context.db('login_failures').where({ who: this.who }).delete();
  }
}
