import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { NO_SITE } from '../db/audit-events';
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

/** Mails of no site that wait, and the account that one is about, as their index has it. */
const OF_ACCOUNTS = `environment_id = '${NO_SITE}' AND state = 'pending'`;
const ACCOUNT = 'coalesce(user_id, 0)';

/** Of sites alone, so that an index with this condition serves. */
const OF_SITES = `environment_id <> '${NO_SITE}'`;

/** Rows of one step over sites, and steps of one look. */
const STEP = 1_000;
const STEPS = 10;

/** Sites that have mails of their own to send. */
export interface WaitingSites {
  sites: string[];
  /** The last that was looked at; undefined when there are none behind it. */
  last: string | undefined;
}

/**
 * Finds so many sites at most from one on, except deleted ones, in steps of a bounded size each: of a site where more waits
 * no more is read. A cluster would not look for the next site from the last one in a single statement.
 */
export async function sitesWithMail(db: Knex, after: string, most: number): Promise<WaitingSites> {
  const found = new Set<string>();
  let last: string | undefined = after;
  for (let steps = 0; steps < STEPS && found.size < most && last !== undefined; steps += 1) {
    const { rows }: { rows: { environment_id: string }[] } = await db.raw(
      `SELECT environment_id FROM mails WHERE ${FREE} AND ${OF_SITES} AND environment_id > ?
       ORDER BY environment_id LIMIT ${STEP}`,
      [last],
    );
    for (const { environment_id } of rows) found.add(environment_id);
    last = rows.length < STEP ? undefined : rows.at(-1)?.environment_id;
  }
  const first = [...found].slice(0, most);
  if (first.length < found.size) last = first.at(-1);
  const deleted: string[] = await db('environments')
    .whereIn('id', first)
    .whereNotNull('deleted_at')
    .pluck('id');
  const gone = new Set(deleted);
  return { sites: first.filter((id) => !gone.has(id)), last };
}

/** Accounts that mails of no site wait for. */
export interface WaitingAccounts {
  /** Those that have mails to send. */
  accounts: number[];
  /** The last that was looked at; undefined when there are none behind it. */
  last: number | undefined;
}

/** Looks at so many accounts at most from one on, by one step in an index each, however many mails wait. */
export async function accountsWithMail(db: Knex, after: number, most: number): Promise<WaitingAccounts> {
  const { rows } = await db.raw<{ rows: { id: number; free: true | null }[] }>(
    `WITH RECURSIVE waiting AS (
       (SELECT ${ACCOUNT} AS id, 1 AS nth FROM mails WHERE ${OF_ACCOUNTS} AND ${ACCOUNT} > :after
        ORDER BY ${ACCOUNT} LIMIT 1)
       UNION ALL
       SELECT next.id, nth + 1 FROM waiting, LATERAL (
         SELECT ${ACCOUNT} AS id FROM mails WHERE ${OF_ACCOUNTS} AND ${ACCOUNT} > waiting.id
         ORDER BY ${ACCOUNT} LIMIT 1) next
       WHERE nth < :most)
     SELECT id, (SELECT true FROM mails WHERE ${OF_ACCOUNTS} AND ${ACCOUNT} = waiting.id AND ${FREE} LIMIT 1) AS free
     FROM waiting ORDER BY id`,
    { after, most },
  );
  return {
    accounts: rows.filter(({ free }) => free === true).map(({ id }) => id),
    last: rows.length < most ? undefined : rows.at(-1)?.id,
  };
}

/**
 * Claims what is due of a site, or of those of no site about one account, in a short transaction; nothing stays locked
 * while it is sent.
 */
export async function claimMails(
  db: Knex,
  environment_id: string,
  most: number,
  about?: number,
): Promise<ClaimedMail[]> {
  return db.transaction(async (trx) => {
    const lease = randomUUID();
    // Once a site is deleted nothing more of it is sent.
    if (await trx('environments').where({ id: environment_id }).whereNotNull('deleted_at').first('id'))
      return [];
    const now = await databaseTime(trx);
    const due = await MailRow.query(trx)
      .where({ environment_id, state: 'pending' })
      .modify((query) =>
        about === undefined
          ? query.whereRaw(OF_SITES)
          : query.whereRaw(`${OF_ACCOUNTS} AND ${ACCOUNT} = ?`, [about]),
      )
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
