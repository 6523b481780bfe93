import type { Knex } from 'knex';
import { NO_SITE } from '../db/audit-events';
import { type Changer, partOf } from '../db/daily-limits';
import { byItself, type Counted, tenantsOf } from '../db/tenants';
import { clock } from '../domain/clock';
import { FOUNDER } from '../domain/fair-turns';
import { KINDS } from '../domain/notices';
import { DAY_MS } from '../domain/time';

/** How many mails of one cause there may be in 24 hours. */
interface Limits {
  /** To one address, of a site, of all sites of its account, and of all sites of the server. */
  address: number;
  addressOfAccount: number;
  addressOfAll: number;
  /**
   * So many of the sites of one account go to an address whatever others have sent there, so that nobody keeps mails of
   * others from a person by causing a lot. By account: making sites gives nothing.
   */
  anyway: number;
  /**
   * So many of a site go to an address whatever other sites of its account have sent there, as long as these are not twice
   * what the account may: all sites of somebody who was invited are one here.
   */
  anywayOfSite: number;
  /** To one address, whatever is owed: nobody's mailbox is filled. */
  addressAtMost: number;
  /** Of a site, to anybody, and of all sites of its account: also of those that were deleted since. */
  site: number;
  account: number;
}

/** Mails that a stranger can cause, by sending requests that name somebody's address. */
export const STRANGERS: Limits = {
  ...{ address: 5, addressOfAccount: 15, addressOfAll: 15, anyway: 1, anywayOfSite: 0, addressAtMost: 30 },
  site: 500,
  account: 5_000,
};

/** Mails that members cause by what they do, and programs with their keys. */
export const MEMBERS: Limits = {
  ...{
    address: 15,
    addressOfAccount: 30,
    addressOfAll: 100,
    anyway: 10,
    anywayOfSite: 3,
    addressAtMost: 200,
  },
  site: 2_000,
  account: 20_000,
};

/**
 * Mails of members, of all sites of an account, to addresses that nobody has confirmed: a member can enter any address, and
 * choose the words. One site causes half of them, the last quarter of which is for its owners who are logged in.
 */
export const UNCONFIRMED = 500;
/** An invited account whose sites have caused so many of them leaves the last quarter to those that have had less. */
export const UNCONFIRMED_OF_ONE = 10;

/**
 * Mails of accounts to one address, of each kind: whoever asks for another's new password often keeps no mail about a
 * new device from them. Nor does who makes accounts with subaddresses of their mailbox.
 */
export const ACCOUNTS: Limits = {
  ...{
    address: 200,
    addressOfAccount: 20,
    addressOfAll: 20,
    anyway: 20,
    anywayOfSite: 0,
    addressAtMost: 200,
  },
  site: Number.POSITIVE_INFINITY,
  account: Number.POSITIVE_INFINITY,
};

/** Those about accounts whose address nobody has proved: it may be its holder who asks, and anybody can make them. */
const UNPROVED: Limits = { ...ACCOUNTS, anyway: 1, addressAtMost: 60 };

/**
 * Mails at once to members about a site, of what strangers can cause and of the rest, each by itself; those of owners alone
 * and those of all members together: beyond them notices wait for the daily mail.
 */
export const NOTICES: Limits = {
  ...{
    address: 20,
    addressOfAccount: 100,
    addressOfAll: 200,
    anyway: 20,
    anywayOfSite: 0,
    addressAtMost: 400,
  },
  site: 2_000,
  account: 20_000,
};

/** Who causes a mail, or what: a notice of requests, which strangers send, or another one. */
export type Cause = 'stranger' | 'member' | 'account' | 'request_notice' | 'notice';

const LIMITS: Record<Cause, Limits> = {
  ...{ stranger: STRANGERS, member: MEMBERS, account: ACCOUNTS },
  ...{ request_notice: NOTICES, notice: NOTICES },
};

/** Kinds of notices at once, which have their limits together. */
const AT_ONCE: readonly string[] = [KINDS.site, KINDS.owners];

/**
 * The code that opens the files of an answer. It takes no answer's place at its site, and an answer is of no use without
 * it: a request has five in a day, and it counts in what an account, and all, send to an address.
 */
export const ANSWER_CODE = 'answer_code';

/** The advisory locks of addresses, so that strangers' mails to one are counted one after the other. */
const ADDRESSES = 730_591;

/** Whose mails are counted together, and whose site it is of theirs: whether of somebody who was invited. */
export type Account = Pick<Counted, 'account' | 'maker' | 'byInvited'>;

/** What is about an account, of no site. */
export const aboutAccount = (id: number | undefined): Account => ({
  ...{ account: `account ${id}`, maker: FOUNDER, byInvited: false },
});

/** A mail of before, as a limit needs it. */
interface Sent {
  site_id: string;
  account: string;
  maker: string;
  kind: string;
}

/** A mail as the limits see it. */
export interface CountedMail {
  environment_id: string;
  address_key: Buffer;
  kind: string;
  cause: Cause;
  /** Whether nobody has shown that the address is theirs. */
  unconfirmed: boolean;
}

/** Such a mail before it is sent. */
interface NewMail extends CountedMail {
  isOwed?: boolean | undefined;
  /** Who of the members causes it: the last quarter is for owners who are logged in. */
  changer?: Changer | undefined;
}

export const TOO_MANY = 'Too many mails to this address, or of this kind, in 24 hours.';
const TOO_MANY_UNCONFIRMED =
  'Too many mails in 24 hours to addresses that nobody has confirmed: tell the person in another way, or mail them tomorrow. The last quarter of them is for owners who are logged in.';

/**
 * Why a mail would be one too many of those in the last 24 hours, or undefined. Those of strangers to an address are
 * counted one after the other, whatever process queues them; of others a few more pass where several are at once. Each
 * cause counts by itself, and nothing that was withheld: no answer that a member writes takes a confirmation away that a
 * stranger causes. `account` is whose site it is, or the account that a mail is about.
 */
export async function limitReached(
  trx: Knex.Transaction,
  { environment_id, address_key, kind, cause, unconfirmed, isOwed, changer }: NewMail,
  { account, maker, byInvited }: Account,
): Promise<string | undefined> {
  const limits = cause === 'account' && unconfirmed ? UNPROVED : LIMITS[cause];
  // Whoever was invited stops at half of what the account may cause, so that half stays for who invited them.
  const shareOf = (most: number): number => (byInvited ? Math.ceil(most / 2) : most);
  if (cause === 'stranger')
    await trx.raw('SELECT pg_advisory_xact_lock(?, ?)', [ADDRESSES, address_key.readInt32BE(0)]);
  const recent = () => trx('mail_counts').where('created_at', '>', new Date(clock.now() - DAY_MS));
  const partFor = (most: number): number => (changer === undefined ? most : partOf(most, changer));
  const toAddress: Sent[] = await recent()
    .where({ address_key, cause, ...(cause === 'account' && { kind }) })
    .select('site_id', 'account', 'maker', 'kind')
    .limit(limits.addressAtMost);
  if (isOwed === true && toAddress.length < limits.addressAtMost) return undefined;
  const ofAccount = toAddress.filter((mail) => mail.account === account);
  const answers = ofAccount.filter((mail) => mail.kind !== ANSWER_CODE);
  const ofSite = answers.filter(({ site_id }) => site_id === environment_id).length;
  if (kind !== ANSWER_CODE && ofSite >= partFor(limits.address)) return TOO_MANY;
  // Whoever was invited could make sites, of which each would be owed some.
  const ofOwn = maker === FOUNDER ? ofSite : answers.filter((mail) => mail.maker === maker).length;
  const isOwedToSite = limits.anywayOfSite > 0 && (kind === ANSWER_CODE || ofOwn < limits.anywayOfSite);
  const hasRoom = roomOf(ofAccount, maker, isOwedToSite);
  if (!hasRoom(limits.addressOfAccount, partFor)) return TOO_MANY;
  const isLeft = hasRoom(limits.anyway, (most) => most);
  if (toAddress.length >= (isLeft ? limits.addressAtMost : limits.addressOfAll)) return TOO_MANY;
  // What is of no site has no account that all of it could be counted for.
  if (limits.site === Number.POSITIVE_INFINITY || environment_id === NO_SITE) return undefined;
  const areThere = async (which: object, most: number, kinds?: readonly string[]): Promise<boolean> =>
    (await recent()
      .where(which)
      .modify((query) => kinds && query.whereIn('kind', kinds))
      .offset(most - 1)
      .first('mail_id')) !== undefined;
  const alike = AT_ONCE.includes(kind) ? AT_ONCE : [kind];
  if (await areThere({ site_id: environment_id, cause }, limits.site, alike)) return TOO_MANY;
  if (await areThere({ account, cause }, shareOf(limits.account), alike)) return TOO_MANY;
  const ofUnconfirmed = { most: shareOf(UNCONFIRMED), partFor };
  if (
    unconfirmed &&
    (await isTooManyUnconfirmed(recent(), environment_id, { account, maker }, ofUnconfirmed))
  )
    return TOO_MANY_UNCONFIRMED;
  return undefined;
}

/**
 * Whether an account has sent less than so many to an address, or less than twice as many for a mail that is owed to its
 * site. Those that were invited have half of it, and what they sent beyond counts for no site of whoever began the account.
 */
function roomOf(ofAccount: readonly Sent[], maker: string, isOwedToSite: boolean) {
  const all = ofAccount.length;
  const ofInvited = ofAccount.filter((mail) => mail.maker !== FOUNDER).length;
  return (most: number, partFor: (most: number) => number): boolean => {
    const half = Math.ceil(most / 2);
    if (isOwedToSite)
      return maker === FOUNDER
        ? all - ofInvited + Math.min(ofInvited, most) < most * 2
        : ofInvited < most && all < most * 2;
    return maker === FOUNDER
      ? all - ofInvited + Math.min(ofInvited, half) < partFor(most)
      : all < partFor(half);
  };
}

/** Whether a site, an invited account with all of its sites, those that were invited, or all have caused enough of them. */
async function isTooManyUnconfirmed(
  recent: Knex.QueryBuilder,
  site: string,
  { account, maker }: Omit<Account, 'byInvited'>,
  { most, partFor }: { most: number; partFor: (most: number) => number },
): Promise<boolean> {
  const sent: { site_id: string; maker: string; count: number }[] = await recent
    .where({ account })
    // As the index has it.
    .whereRaw('unconfirmed')
    .groupBy('site_id', 'maker')
    .select('site_id', 'maker')
    .count({ count: '*' });
  const countOf = (counts: (one: { site_id: string; maker: string }) => boolean): number =>
    sent.filter(counts).reduce((sum, { count }) => sum + Number(count), 0);
  const isFounders = maker === FOUNDER;
  const own = countOf((one) => (isFounders ? one.site_id === site : one.maker === maker));
  const hasLast = isFounders || own < UNCONFIRMED_OF_ONE;
  const upTo = (all: number): number => Math.min(partFor(all), hasLast ? all : all * (3 / 4));
  if (own >= partFor(most / 2) || countOf(() => true) >= upTo(UNCONFIRMED)) return true;
  // Those of before whose maker nobody knows count for all who were invited.
  return !isFounders && countOf((one) => one.maker !== FOUNDER) >= upTo(most);
}

/** Notes a mail for the limits: longer than its site and its receiver's data are there, and for a day. */
export async function countMail(
  trx: Knex.Transaction,
  { environment_id, ...mail }: CountedMail & { mail_id: string; created_at: Date },
  { account, maker }: Account,
): Promise<void> {
  await trx('mail_counts').insert({ ...mail, site_id: environment_id, account, maker });
}

/** Mails that were never sent are none that anybody got: those of a notice that is told anew. */
export async function uncountMails(trx: Knex, mail_ids: readonly string[]): Promise<void> {
  await trx('mail_counts')
    .whereIn('mail_id', [...mail_ids])
    .delete();
}

/** Whose site it is: the account and those that its invitations made; what is of no site stands for itself. */
export async function accountOf(trx: Knex.Transaction, environment_id: string): Promise<Account> {
  const [tenant] = environment_id === NO_SITE ? [] : await tenantsOf(trx, [environment_id]);
  return tenant ?? { ...byItself(environment_id), byInvited: false };
}

/** Forgets what no limit counts any more. */
export async function forgetCounts(db: Knex, now: Date): Promise<void> {
  await db('mail_counts')
    .where('created_at', '<', new Date(now.getTime() - DAY_MS))
    .delete();
}
