import type { Knex } from 'knex';
import { DAY_MS } from '../domain/time';
import { forgetCounts } from './limits';

/** Days after its end for which a mail can be read, and for which it is known what became of it. */
export const CONTENT_DAYS = 7;
export const MAIL_DAYS = 90;
/** Rows of one statement, so that no lock is held for long. */
const CHUNK = 1_000;

/** Takes away what ended mails said and to whom, and later the mails. `now` must be the database's time. */
export async function eraseOldMails(db: Knex, now: Date): Promise<void> {
  await giveUpLate(db, now);
  await forgetCounts(db, now);
  const ended = (days: number) => (mails: Knex.QueryBuilder) =>
    void mails.where('ended_at', '<', new Date(now.getTime() - days * DAY_MS));
  await inChunks(
    db,
    (mails) => void mails.where(ended(CONTENT_DAYS)).whereNotNull('content'),
    (mails) => mails.update({ content: null, address_key: null }),
  );
  await inChunks(
    db,
    (mails) => void mails.where(ended(MAIL_DAYS)),
    (mails) => mails.delete(),
  );
}

/** Where no process sends, mails that wait would keep what they say for ever. A day is left to those that send. */
const giveUpLate = (db: Knex, now: Date): Promise<void> =>
  inChunks(
    db,
    (mails) =>
      void mails.where({ state: 'pending' }).where('give_up_at', '<', new Date(now.getTime() - DAY_MS)),
    (mails) =>
      mails.update({
        ...{ state: 'failed', ended_at: now, lease: null, lease_until: null },
        error: 'It could not be sent in time: no process has sent mails.',
      }),
  );

async function inChunks(
  db: Knex,
  which: (mails: Knex.QueryBuilder) => void,
  work: (mails: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<void> {
  for (let done = CHUNK; done === CHUNK; ) {
    const some = db('mails').where(which).select('environment_id', 'mail_id').limit(CHUNK);
    done = (await work(db('mails').whereIn(['environment_id', 'mail_id'], some))) as unknown as number;
  }
}
