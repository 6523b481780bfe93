import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import { MailRow } from '../db/models';

/** How long a process may work on a mail before another one may take it over, in milliseconds. */
export const LEASE = 120_000;

/** A mail that this process alone may send, until its lease ends. */
export interface ClaimedMail {
  mail: MailRow;
  lease: string;
}

const FREE = "state = 'pending' AND due_at <= now() AND (lease_until IS NULL OR lease_until <= now())";

/** The table of sites is on every node of a cluster; mails of accounts are of no site. */
const UNDELETED =
  'NOT EXISTS (SELECT FROM environments e WHERE e.id = mails.environment_id AND e.deleted_at IS NOT NULL)';

/** The sites that have mails to send, except deleted ones, whoever has waited longest first. */
export async function sitesWithMail(db: Knex, most: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { environment_id: string }[] }>(
    `SELECT environment_id, min(due_at) AS since FROM mails WHERE ${FREE} AND ${UNDELETED}
     GROUP BY environment_id ORDER BY since LIMIT ?`,
    [most],
  );
  return rows.map(({ environment_id }) => environment_id);
}

/** Claims what is due of a site in a short transaction; nothing stays locked while it is sent. */
export async function claimMails(db: Knex, environment_id: string, most: number): Promise<ClaimedMail[]> {
  return db.transaction(async (trx) => {
    const lease = randomUUID();
    // Once a site is deleted nothing more of it is sent.
    if (await trx('environments').where({ id: environment_id }).whereNotNull('deleted_at').first('id'))
      return [];
    const now = await databaseTime(trx);
    const due = await MailRow.query(trx)
      .where({ environment_id, state: 'pending' })
      .where('due_at', '<=', now)
      .where((free) => free.whereNull('lease_until').orWhere('lease_until', '<=', now))
      // What has failed comes last, so that a few that hang keep no other waiting.
      .orderByRaw('attempts, last_attempt_at NULLS FIRST, due_at, mail_id')
      .limit(most)
      .forUpdate()
      .skipLocked();
    if (due.length === 0) return [];
    await MailRow.query(trx)
      .where({ environment_id })
      .whereIn(
        'mail_id',
        due.map(({ mail_id }) => mail_id),
      )
      .patch({ lease, lease_until: new Date(now.getTime() + LEASE) });
    return due.map((mail) => ({ mail, lease }));
  });
}
