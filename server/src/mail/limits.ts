import type { Knex } from 'knex';
import type { MailAudience } from '../db/models';
import { clock } from '../domain/clock';
import { DAY_MS } from '../domain/time';

/** Mails in 24 hours that a stranger can cause, by sending requests that name somebody's address. */
export const STRANGERS = {
  /** To one address, of one site and of all sites of the server. */
  address: 5,
  addressOfAll: 15,
  /** Of a site, to anybody. */
  site: 500,
};

/** Mails in 24 hours that members cause by what they do, and programs with their keys. */
export const MEMBERS = { address: 30, addressOfAll: 100, site: 2_000 };

/**
 * Of them, so many of a site go to an address whatever other sites have sent there: nobody keeps an answer from a
 * person by writing to them a lot.
 */
export const ANYWAY = 10;

/**
 * Mails of accounts to one address in 24 hours, of each kind: whoever asks for another's new password often keeps no
 * mail about a new device from them.
 */
export const ACCOUNTS = { address: 20, addressOfAll: 20, site: Number.POSITIVE_INFINITY };

/** Who causes a mail. */
export type Cause = 'stranger' | 'member' | 'account';

const LIMITS = { stranger: STRANGERS, member: MEMBERS, account: ACCOUNTS };

/** The advisory locks of addresses, so that strangers' mails to one are counted one after the other. */
const ADDRESSES = 730_591;

interface Counted {
  environment_id: string;
  address_key: Buffer;
  kind: string;
  audience: MailAudience;
}

/**
 * Whether a mail would be one too many of those in the last 24 hours. Those of strangers to an address are counted
 * one after the other, whatever process queues them; of a site a few more pass where several are at once. Mails to another audience do not
 * count, nor what was withheld: a stranger whose requests are told to a member takes no mail of the account away.
 */
export async function isOverLimit(
  trx: Knex.Transaction,
  { environment_id, address_key, kind, audience }: Counted,
  cause: Cause,
): Promise<boolean> {
  const { address, addressOfAll, site } = LIMITS[cause];
  if (cause === 'stranger')
    await trx.raw('SELECT pg_advisory_xact_lock(?, ?)', [ADDRESSES, address_key.readInt32BE(0)]);
  const since = new Date(clock.now() - DAY_MS);
  const recent = () => trx('mails').where('created_at', '>', since).whereNot({ state: 'withheld' });
  const toAddress = () => recent().where({ address_key, audience, ...(audience === 'account' && { kind }) });
  const ofSite = await countTo(toAddress().where({ environment_id }), address);
  if (ofSite >= address) return true;
  const isOwed = cause === 'member' && ofSite < ANYWAY;
  if (!isOwed && (await countTo(toAddress(), addressOfAll)) >= addressOfAll) return true;
  if (site === Number.POSITIVE_INFINITY) return false;
  return (await countTo(recent().where({ environment_id, kind }), site)) >= site;
}

/** Counts no further than to the limit. */
async function countTo(rows: Knex.QueryBuilder, most: number): Promise<number> {
  return (await rows.select('mail_id').limit(most)).length;
}
