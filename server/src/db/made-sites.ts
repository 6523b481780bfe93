import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { rateLimited } from '../domain/errors';
import { DAY_MS } from '../domain/time';

/** The group of an account, and whether an invitation made the account. */
export interface Maker {
  group: number;
  byInvited: boolean;
}

/** Sites that a group makes in 24 hours at least, however few it may have: somebody may begin anew. */
const LEAST = 20;

/**
 * Throws 429 when a group of accounts has made as many sites in 24 hours as it may have at once: each new one has limits of
 * its own and is first with witnesses and time-stamps, so deleting must not make room. Half is kept for the account that
 * began the group, which is locked by the caller.
 */
export async function refuseManyMade(trx: Knex, { group, byInvited }: Maker, atOnce: number): Promise<void> {
  const most = Math.max(atOnce, LEAST);
  const part = Math.ceil(most / 2);
  const newest = async (count: number, ofInvited: boolean): Promise<Date | undefined> => {
    const made = trx('made_sites').where({ account: group, ...(ofInvited && { by_invited: true }) });
    const nth = await made
      .where('created_at', '>', new Date(clock.now() - DAY_MS))
      .orderBy('created_at', 'desc')
      .offset(count - 1)
      .first('created_at');
    return nth?.created_at;
  };
  const since = (await newest(most, false)) ?? (byInvited ? await newest(part, true) : undefined);
  if (since === undefined) return;
  const seconds = Math.max(1, Math.ceil((since.getTime() + DAY_MS - clock.now()) / 1000));
  throw rateLimited(
    seconds,
    `An account makes at most ${most} sites in 24 hours on this server, deleted ones too, counted together with the accounts that its invitations made, which may make ${part} of them: use an existing one, or try again in ${seconds} s.`,
  );
}

/** Notes that an account has made a site: longer than the site is there, and for a day. */
export async function noteMade(
  trx: Knex,
  { group, byInvited }: Maker,
  site: { id: string; created_at: Date },
): Promise<void> {
  const { id: site_id, created_at } = site;
  await trx('made_sites').insert({ site_id, account: group, by_invited: byInvited, created_at });
}

/** Forgets what the limit counts no more. */
export async function forgetMade(db: Knex, now: Date): Promise<void> {
  await db('made_sites')
    .where('created_at', '<', new Date(now.getTime() - DAY_MS))
    .delete();
}
