import type { Knex } from 'knex';
import { NO_SITE } from '../../db/audit-events';
import { clock } from '../../domain/clock';
import { isFor, KINDS, TOPICS } from '../../domain/notices';
import { HOUR_MS } from '../../domain/time';
import type { Role } from '../../domain/types';
import { uncountMails } from '../../mail/limits';

const LEFT = 'Its receiver is no member of the site any more.';
const LOWERED = 'Its receiver is no owner of the site any more.';

/**
 * Of what waits to be mailed about a site, somebody gets no more than their role lets them know, once they have it; without
 * a role, as nobody is a member any more, nothing. What else stood in the same mails waits for the daily mail.
 */
export async function withholdNotices(
  trx: Knex,
  { environment_id, user_id }: { environment_id: string; user_id: number },
  role?: Role,
): Promise<void> {
  const withhold = async (which: object, kinds: readonly string[]): Promise<Withheld[]> => {
    const mails: Withheld[] = await trx('mails')
      .where({ ...which, user_id, state: 'pending', audience: 'member' })
      .whereIn('kind', kinds)
      .orderBy('mail_id')
      .forUpdate()
      .select('mail_id', 'attempts', 'created_at', 'lease');
    if (mails.length === 0) return [];
    await trx('mails')
      .where(which)
      .whereIn(
        'mail_id',
        mails.map(({ mail_id }) => mail_id),
      )
      .update({
        ...{ state: 'withheld', ended_at: clock.date(), content: null, address_key: null },
        ...{ lease: null, lease_until: null, error: role === undefined ? LEFT : LOWERED },
      });
    // One that was tried, or is on its way, may have been taken by the mail server, though it did not say so.
    const untried = mails.filter(({ attempts, lease }) => attempts === 0 && lease === null);
    if (untried.length > 0)
      await uncountMails(
        trx,
        untried.map(({ mail_id }) => mail_id),
      );
    return mails;
  };
  const hidden = TOPICS.filter((topic) => role === undefined || !isFor(topic, role));
  if (hidden.length === 0) return;
  const ofSite = await withhold(
    { environment_id },
    role === undefined ? [KINDS.site, KINDS.owners] : [KINDS.owners],
  );
  const daily: { created_at: Date }[] = await trx('mails')
    .where({ environment_id: NO_SITE, user_id, state: 'pending', kind: KINDS.daily })
    .select('created_at');
  // A daily mail is of all sites: it is made anew if it may tell of this one what is not theirs any more.
  const told = trx('notices').where({ environment_id, user_id }).whereIn('topic', hidden);
  const isTold = daily.length > 0 && (await told.where('mailed_at', '>=', before(daily)).first('user_id'));
  const anew = [...ofSite, ...(isTold ? await withhold({ environment_id: NO_SITE }, [KINDS.daily]) : [])];
  if (anew.length === 0) return;
  // Some may be told once more; none is lost. What is hidden waits, too, for a role that may come back until the next daily
  // mail, which tells of nothing that the role of that time does not permit.
  await trx('notices')
    .where({ user_id, ...(isTold ? {} : { environment_id }) })
    .where('mailed_at', '>=', before(anew))
    .update({ mailed_at: null });
}

interface Withheld {
  mail_id: string;
  attempts: number;
  created_at: Date;
  lease: string | null;
}

/** Notices are marked with the time at which their look began, which is a little before their mail's. */
const before = (mails: readonly { created_at: Date }[]): Date =>
  new Date(Math.min(...mails.map(({ created_at }) => created_at.getTime())) - HOUR_MS);
