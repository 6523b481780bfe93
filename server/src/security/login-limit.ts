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
import { blockOf, networkOf } from '../domain/mask';
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
 * network, by block of networks, and by account. Who it was is kept only as a keyed fingerprint; a network is
 * the first 64 bits of an IPv6 address, a block the first 48.
 */
export class LoginLimit {
  private readonly pair: Buffer;
  /** What counts besides the pair, for a network that the account does not know. */
  private readonly others: Counted[];
  private taken: Counted[] = [];

  constructor(
    private readonly context: { db: Knex; vault: Vault },
    email: string,
    address: string,
  ) {
    const [network, block] = [networkOf(address), blockOf(address)];
    const key = email.toLowerCase();
    const { vault } = context;
    this.pair = vault.fingerprint('login', key, network);
    this.others = [
      { who: vault.fingerprint('login network', network), rule: DELAY_RULES.network },
      { who: vault.fingerprint('login account', key), rule: DELAY_RULES.account },
    ];
    // An IPv4 address is a network and a block in one.
    if (block !== network)
      this.others.push({ who: vault.fingerprint('login block', block), rule: DELAY_RULES.block });
  }

  /**
   * Whether the account has logged in from this network lately. Reads only, and locks nothing: a flood of tries
   * that must wait is refused here, for the price of two look-ups. Throws 429.
   */
  async look(): Promise<boolean> {
    const { db } = this.context;
    const isKnown = await this.isKnown(db);
    const who = this.counters(isKnown).map((counted) => counted.who);
    const rows = await db<FailureRow>('login_failures').whereIn('who', who);
    refuseWhoWaits(rows.map(read));
    return isKnown;
  }

  /**
   * Counts this attempt as a failure in advance, so that concurrent ones cannot slip through. An attempt that
   * must wait is not counted, so that the wait does not grow. Throws 429.
   */
  async take(): Promise<void> {
    this.taken = await this.context.db.transaction(async (trx) => {
      const counted = this.counters(await this.isKnown(trx));
      const before = await this.lock(trx, counted);
      // Undoes the rows that were made for the lock, too.
      const present = refuseWhoWaits(counted.map(({ who }) => before.get(who.toString('hex'))));
      for (const [index, { who, rule }] of counted.entries())
        await write(trx, who, withOneMore(present[index] as Failures, rule, clock.now()));
      return counted;
    });
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

  private async isKnown(db: Knex): Promise<boolean> {
    const since = new Date(clock.now() - KNOWN_FOR);
    const row = await db('login_networks').where({ who: this.pair }).where('seen_at', '>', since).first();
    return row !== undefined;
  }

  /** What this try is counted by; always in the same order, so that two tries never wait for each other. */
  private counters(isKnown: boolean): Counted[] {
    const own = { who: this.pair, rule: DELAY_RULES.pair };
    // What strangers did, here or elsewhere, keeps nobody out who comes from where they always come from.
    const counted = isKnown ? [own] : [own, ...this.others];
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
    return new Map(rows.map((row) => [row.who.toString('hex'), read(row)]));
  }
}

const read = ({ failures, wait_until, window_end }: FailureRow): Failures => ({
  failures,
  waitUntil: wait_until,
  windowEnd: window_end,
});

/** The failures that still count. Throws 429 when one of them makes its next try wait. */
function refuseWhoWaits(before: readonly (Failures | undefined)[]): Failures[] {
  const now = clock.now();
  const present = before.map((failures) => stillCounted(failures, now, MAX_CLOCK_DIFFERENCE));
  const longest = Math.max(0, ...present.map((failures) => waitOf(failures, now)));
  if (longest > 0) throw rateLimited(Math.ceil(longest / 1000));
  return present;
}

const write = (trx: Knex, who: Buffer, { failures, waitUntil, windowEnd }: Failures): Promise<unknown> =>
  trx('login_failures').where({ who }).update({ failures, wait_until: waitUntil, window_end: windowEnd });
