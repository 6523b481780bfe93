import type { Knex } from 'knex';
import { clock, MAX_CLOCK_DIFFERENCE } from '../domain/clock';
import { emailKey } from '../domain/email-keys';
import { type ApiError, rateLimited } from '../domain/errors';
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
import { entering, inTurn } from './login-turns';
import type { Vault } from './vault';

/** How long a network stays known to an account after a login from there, in milliseconds. */
export const KNOWN_FOR = 90 * DAY_MS;

interface Counted {
  who: Buffer;
  rule: DelayRule;
}

/** Steps of a log-in that fail, and are counted, each by itself: a right password says nothing of codes. */
export type Step = 'login' | 'second factor';

const { pair: PAIR, account: ACCOUNT, code: CODE } = DELAY_RULES;

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
 *
 * An account that has logged in from the network lately is let in while all but the first wait. Nobody who
 * only shares the network may notice that: it is counted as any other, and each failure is refused as theirs.
 */
export class LoginLimit {
  /**
   * How strangers are refused now, because others have failed too often: how every failure is to be answered
   * then, and not before the time that a hash may take.
   */
  crowded: ApiError | undefined;
  private readonly pair: Counted;
  /** What a known account fails with while it is crowded: strangers are not counted then, and cannot see it. */
  private readonly pairInCrowd: Counted;
  /** What counts besides the pair, and keeps strangers out. */
  private readonly others: Counted[];
  private taken: Counted[] = [];

  constructor(
    private readonly context: { db: Knex; vault: Vault },
    email: string,
    private readonly address: string,
    step: Step = 'login',
  ) {
    const [network, block] = [networkOf(address), blockOf(address)];
    const key = emailKey(email);
    const { vault } = context;
    const [ofPair, ofAccount] = step === 'login' ? [PAIR, ACCOUNT] : [CODE, CODE];
    this.pair = { who: vault.fingerprint(step, key, network), rule: ofPair };
    this.pairInCrowd = { ...this.pair, who: vault.fingerprint(`${step} in crowd`, key, network) };
    this.others = [
      { who: vault.fingerprint(`${step} network`, network), rule: DELAY_RULES.network },
      { who: vault.fingerprint(`${step} account`, key), rule: ofAccount },
    ];
    // An IPv4 address is a network and a block in one.
    if (block !== network)
      this.others.push({ who: vault.fingerprint(`${step} block`, block), rule: DELAY_RULES.block });
  }

  /**
   * Whether the account has logged in from this network lately. Reads only, and locks nothing: a flood of tries
   * that must wait is refused here, for the price of two look-ups. Throws 429.
   */
  async look(): Promise<boolean> {
    const { db } = this.context;
    const isKnown = await this.isKnown(db);
    const who = this.counters(isKnown).map((counted) => counted.who);
    this.admit(await db<FailureRow>('login_failures').whereIn('who', who), isKnown);
    return isKnown;
  }

  /**
   * Counts this attempt as a failure in advance, so that concurrent ones cannot slip through. An attempt that
   * must wait is not counted, so that the wait does not grow. Throws 429.
   */
  async take(): Promise<void> {
    this.taken = await this.context.db.transaction(async (trx) => {
      const isKnown = await this.isKnown(trx);
      const rows = await this.lock(trx, this.counters(isKnown));
      // Undoes the rows that were made for the lock, too.
      const counted = this.admit(rows, isKnown);
      for (const { who, rule } of counted)
        await write(trx, who, withOneMore(failuresOf(rows, who), rule, clock.now()));
      return counted;
    });
  }

  /** What a try that may come now is counted by. Throws 429 when it must wait. */
  private admit(rows: readonly FailureRow[], isKnown: boolean): Counted[] {
    const wait = (counted: readonly Counted[]): number =>
      Math.max(...counted.map(({ who }) => waitOf(failuresOf(rows, who), clock.now())));
    const [own, others] = [wait([this.pair]), wait(this.others)];
    const refusal = rateLimited(Math.ceil(Math.max(own, others) / 1000));
    if (others === 0) {
      if (own > 0) throw refusal;
      return [this.pair, ...this.others];
    }
    this.crowded ??= refusal;
    if (!isKnown || own > 0 || wait([this.pairInCrowd]) > 0) throw this.crowded;
    return [this.pairInCrowd];
  }

  /**
   * The login succeeded: resets the count of this account and network, uncounts this attempt elsewhere, and
   * marks the network as known.
   */
  forgive(): Promise<void> {
    return inTurn(entering(this.address), () => this.forgiveNow());
  }

  private async forgiveNow(): Promise<void> {
    const { db } = this.context;
    const own = [this.pair, this.pairInCrowd];
    // One by one: no statement waits for a row while it holds another.
    for (const { who } of own) await db('login_failures').where({ who }).delete();
    await this.uncountNow(this.taken.filter((one) => !own.includes(one)));
    await db('login_networks')
      .insert({ who: this.pair.who, seen_at: clock.date() })
      .onConflict('who')
      .merge(['seen_at']);
  }

  /** The attempt was no failure, and is none of a success yet: another step must follow. */
  uncount(): Promise<void> {
    return inTurn(entering(this.address), () => this.uncountNow(this.taken));
  }

  private async uncountNow(counted: readonly Counted[]): Promise<void> {
    for (const { who } of counted)
      await this.context
        .db('login_failures')
        .where({ who })
        .where('failures', '>', 0)
        .decrement('failures', 1);
  }

  private async isKnown(db: Knex): Promise<boolean> {
    const since = new Date(clock.now() - KNOWN_FOR);
    const { who } = this.pair;
    const row = await db('login_networks').where({ who }).where('seen_at', '>', since).first();
    return row !== undefined;
  }

  /** All that a try may be counted by; always in the same order, so that two tries never wait for each other. */
  private counters(isKnown: boolean): Counted[] {
    const own = isKnown ? [this.pair, this.pairInCrowd] : [this.pair];
    return [...own, ...this.others].sort((a, b) => Buffer.compare(a.who, b.who));
  }

  private async lock(trx: Knex, counted: readonly Counted[]): Promise<FailureRow[]> {
    const now = clock.date();
    const fresh = counted.map(({ who }) => ({ who, failures: 0, window_end: now }));
    await trx('login_failures').insert(fresh).onConflict('who').ignore();
    const who = counted.map((one) => one.who);
    return trx<FailureRow>('login_failures').whereIn('who', who).orderBy('who').forUpdate();
  }
}

/** The failures that still count. */
function failuresOf(rows: readonly FailureRow[], who: Buffer): Failures {
  const row = rows.find((one) => one.who.equals(who));
  const before = row && { failures: row.failures, waitUntil: row.wait_until, windowEnd: row.window_end };
  return stillCounted(before, clock.now(), MAX_CLOCK_DIFFERENCE);
}

const write = (trx: Knex, who: Buffer, { failures, waitUntil, windowEnd }: Failures): Promise<unknown> =>
  trx('login_failures').where({ who }).update({ failures, wait_until: waitUntil, window_end: windowEnd });
