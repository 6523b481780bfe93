import type { Knex } from 'knex';
import { clock, MAX_CLOCK_DIFFERENCE } from '../domain/clock';
import { rateLimited } from '../domain/errors';
import {
  DELAY_RULES,
  type DelayRule,
  type Failures,
  stillCounted,
  waitOf,
  withOneMore,
} from '../domain/login-delays';
import { networkOf } from '../domain/mask';
import { DAY_MS } from '../domain/time';
import type { Vault } from './vault';

/** How long a network stays known to an account after a login from there, in milliseconds. */
export const KNOWN_FOR = 90 * DAY_MS;

interface Counted {
  who: Buffer;
  rule: DelayRule;
}

interface FailureRow {
  who: Buffer;
  failures: number;
  wait_until: Date | null;
  window_end: Date;
}

/**
 * Counts failed logins in the database, so that every process counts together: by account and network, by
 * network, and by account. Who it was is kept only as a keyed fingerprint; a network is the first 64 bits of
 * an IPv6 address.
 */
export class LoginLimit {
  private readonly pair: Buffer;
  private readonly network: Buffer;
  private readonly account: Buffer;
  private taken: Counted[] = [];

  constructor(
    private readonly context: { db: Knex; vault: Vault },
    email: string,
    address: string,
  ) {
    const network = networkOf(address);
    const key = email.toLowerCase();
    this.pair = context.vault.fingerprint('login', key, network);
    this.network = context.vault.fingerprint('login network', network);
    this.account = context.vault.fingerprint('login account', key);
  }

  /**
   * Counts this attempt as a failure in advance, so that concurrent ones cannot slip through. An attempt that
   * must wait is not counted, so that the wait does not grow. Throws 429.
   */
  async take(): Promise<void> {
    const wait = await this.context.db.transaction(async (trx) => {
      const counted = await this.counters(trx);
      const before = await this.lock(trx, counted);
      const now = clock.now();
      const present = counted.map(({ who }) =>
        stillCounted(before.get(who.toString('hex')), now, MAX_CLOCK_DIFFERENCE),
      );
      const longest = Math.max(...present.map((failures) => waitOf(failures, now)));
      if (longest > 0) return longest;
      for (const [index, { who, rule }] of counted.entries())
        await write(trx, who, withOneMore(present[index] as Failures, rule, now));
      this.taken = counted;
      return 0;
    });
    if (wait > 0) throw rateLimited(Math.ceil(wait / 1000));
  }

  /**
   * The login succeeded: resets the count of this account and network, uncounts this attempt elsewhere, and
   * marks the network as known.
   */
  async forgive(): Promise<void> {
    const { db } = this.context;
    const others = this.taken.map(({ who }) => who).filter((who) => who !== this.pair);
    await db('login_failures').where({ who: this.pair }).delete();
    // One by one: no statement waits for a row while it holds another.
    for (const who of others)
      await db('login_failures').where({ who }).where('failures', '>', 0).decrement('failures', 1);
    await db('login_networks')
      .insert({ who: this.pair, seen_at: clock.date() })
      .onConflict('who')
      .merge(['seen_at']);
  }

  /** The counters of this attempt, always in the same order to avoid deadlocks. */
  private async counters(trx: Knex): Promise<Counted[]> {
    const since = new Date(clock.now() - KNOWN_FOR);
    const known = await trx('login_networks').where({ who: this.pair }).where('seen_at', '>', since).first();
    const own = { who: this.pair, rule: DELAY_RULES.pair };
    // Other people's failures do not lock a user out of a network that they usually log in from.
    if (known !== undefined) return [own];
    const counted = [
      own,
      { who: this.network, rule: DELAY_RULES.network },
      { who: this.account, rule: DELAY_RULES.account },
    ];
    return counted.sort((a, b) => Buffer.compare(a.who, b.who));
  }

  private async lock(trx: Knex, counted: readonly Counted[]): Promise<Map<string, Failures>> {
    const now = clock.date();
    const fresh = counted.map(({ who }) => ({ who, failures: 0, window_end: now }));
    await trx('login_failures').insert(fresh).onConflict('who').ignore();
    const rows = await trx<FailureRow>('login_failures')
      .whereIn(
        'who',
        counted.map(({ who }) => who),
      )
      .orderBy('who')
      .forUpdate();
    return new Map(
      rows.map(({ who, failures, wait_until, window_end }) => [
        who.toString('hex'),
        { failures, waitUntil: wait_until, windowEnd: window_end },
      ]),
    );
  }
}

const write = (trx: Knex, who: Buffer, { failures, waitUntil, windowEnd }: Failures): Promise<unknown> =>
  trx('login_failures').where({ who }).update({ failures, wait_until: waitUntil, window_end: windowEnd });
