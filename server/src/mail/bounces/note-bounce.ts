import type { Knex } from 'knex';
import { databaseTime } from '../../db/clock';
import { MailRow } from '../../db/models';
import type { BounceReport } from './read-report';

/** What the subjects of enhanced status codes say to who reads the console (RFC 3463 §3). */
const WORDS: readonly [code: RegExp, words: string][] = [
  [/^.\.1\./, 'there is no such address'],
  [/^.\.2\.1$/, 'the mailbox is switched off'],
  [/^.\.2\.2$/, 'the mailbox is full'],
  [/^.\.2\./, 'the mailbox takes no mail'],
  [/^.\.4\./, 'its mail server could not be reached'],
  [/^.\.7\./, 'its mail server refuses mails of this server'],
];

const wordsOf = (status: string): string =>
  WORDS.find(([code]) => code.test(status))?.[1] ?? 'its mail server refused it';

/** Ends a mail that was sent and came back. Resolves with it, or undefined when there is none that had arrived so far. */
export async function noteBounce(
  db: Knex,
  { mailId, status }: BounceReport,
): Promise<Pick<MailRow, 'mail_id' | 'kind'> | undefined> {
  const found = await MailRow.query(db)
    .where({ mail_id: mailId, state: 'sent' })
    .select('environment_id', 'mail_id', 'kind')
    .first();
  if (found === undefined) return undefined;
  const { environment_id, mail_id } = found;
  const why = status === undefined ? '' : `: ${wordsOf(status)} (${status})`;
  const changed = await MailRow.query(db)
    .where({ environment_id, mail_id, state: 'sent' })
    .patch({ state: 'failed', ended_at: await databaseTime(db), error: `It came back${why}.` });
  return changed === 0 ? undefined : found;
}
