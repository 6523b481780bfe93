import type { Knex } from 'knex';
import type { ErasureNote } from '../../db/erasure-log';
import { deleteFiles, deleteFilesOf } from '../../db/file-parts';
import { AnswerFileRow } from '../../db/models';
import type { ErasedCounts } from '../../db/seal-erasures';
import { addressHashes } from '../../mail/addresses';
import type { Mailing } from '../../mail/mailing';

/** Whose mails and files go: those to an address, and those about requests that were answered. */
interface Mailed {
  email: string | undefined;
  answered: readonly string[];
}

type Counts = Required<Pick<ErasedCounts, 'mails' | 'answer_files'>>;

/** Erases the mails to a person, also those that wait, and the files of their answers, with their count. */
export async function eraseMailsOf(
  mailing: Pick<Mailing, 'secret'>,
  note: ErasureNote,
  mailed: Mailed,
): Promise<Counts> {
  // Before the transaction, which must ask for no second connection.
  const hashes = await hashesOf(mailing, mailed);
  const { environmentId } = note;
  const { mails = 0, answer_files = 0 } = await note.inOne(async (trx) => {
    const files = await filesOf(trx, environmentId, mailed).resultSize();
    const gone = await mailsOf(trx, environmentId, mailed, hashes).delete();
    await deleteFilesOf(trx, environmentId, mailed.answered);
    return { mails: gone, answer_files: files };
  });
  return { mails, answer_files };
}

/** How many there are. */
export async function countMailsOf(
  mailing: Pick<Mailing, 'secret'>,
  { db, environmentId }: Pick<ErasureNote, 'db' | 'environmentId'>,
  mailed: Mailed,
): Promise<Counts> {
  const hashes = await hashesOf(mailing, mailed);
  const row = await mailsOf(db, environmentId, mailed, hashes).count({ n: '*' }).first();
  return { mails: Number(row?.n ?? 0), answer_files: await filesOf(db, environmentId, mailed).resultSize() };
}

const hashesOf = async (mailing: Pick<Mailing, 'secret'>, { email }: Mailed): Promise<Buffer[]> =>
  email === undefined ? [] : addressHashes(mailing, email);

const mailsOf = (db: Knex, environment_id: string, { answered }: Mailed, hashes: readonly Buffer[]) =>
  db('mails')
    .where({ environment_id, audience: 'visitor' })
    .where((of) => of.whereIn('address_key', [...hashes]).orWhereIn('request_id', [...answered]));

const filesOf = (db: Knex, environment_id: string, { answered }: Mailed) =>
  AnswerFileRow.query(db)
    .where({ environment_id })
    .whereIn('request_id', [...answered]);

/** Deletes the files whose answers are long ago; `fail` is told of each that could not be. */
export async function deleteOldAnswers(
  db: Knex,
  now: Date,
  fail: (error: unknown, environment_id: string) => void,
): Promise<void> {
  const old = await AnswerFileRow.query(db).where('expires_at', '<', now).select('environment_id', 'file_id');
  for (const { environment_id, file_id } of old) {
    await db
      .transaction((trx) => deleteFiles(trx, 'answer', environment_id, [file_id]))
      .catch((error) => fail(error, environment_id));
  }
  await db('answer_codes').where('expires_at', '<', now).delete();
}
