import type { Knex } from 'knex';
import { receivedBytes } from '../db/file-parts';
import { AnswerFileRow, type DsarRow } from '../db/models';
import { clock } from '../domain/clock';
import { conflict } from '../domain/errors';
import { DAY_MS } from '../domain/time';
import { ANSWER_DAYS } from './mail/requester-mails';

/** Bytes of a request's files, and how many there may be. */
export const REQUEST_BYTES = 50 * 1024 * 1024;
export const MOST_FILES = 10;

const filesOf = (db: Knex, { environment_id, request_id }: DsarRow) =>
  AnswerFileRow.query(db).where({ environment_id, request_id });

/**
 * The files go with the answer now, and are deleted some time after it. Resolves with whether there are any. Throws 409
 * while one has not come in full.
 */
export async function closeAnswerFiles(trx: Knex, row: DsarRow): Promise<boolean> {
  const files = await filesOf(trx, row);
  const received = await receivedBytes(
    trx,
    'answer',
    row.environment_id,
    files.map(({ file_id }) => file_id),
  );
  const partial = files.find(({ file_id, bytes }) => received.get(file_id) !== bytes);
  if (partial !== undefined)
    throw conflict('A file of the answer has not come in full: send its other parts, or delete it.');
  const expires_at = new Date(clock.now() + ANSWER_DAYS * DAY_MS);
  await filesOf(trx, row).patch({ expires_at });
  return files.length > 0;
}

/** They stay for the next answer; the link to them ends. */
export async function reopenAnswerFiles(trx: Knex, row: DsarRow): Promise<void> {
  await filesOf(trx, row).patch({ expires_at: null });
  const { environment_id, request_id } = row;
  await trx('answer_codes').where({ environment_id, request_id }).delete();
}

/** A file of an answer as the contract has it. */
export const answerFileView = (
  { environment_id: _, request_id: __, expires_at: ___, revision: ____, sha256, ...row }: AnswerFileRow,
  received: number,
) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  received_bytes: received,
  complete: received === row.bytes,
  sha256: sha256?.toString('hex') ?? null,
});

/** The files of the answer to a request, as the contract has them. */
export async function answerFilesOf(db: Knex, { environment_id, request_id }: DsarRow) {
  const files = await AnswerFileRow.query(db).where({ environment_id, request_id }).orderBy('file_id');
  const ids = files.map(({ file_id }) => file_id);
  const received = await receivedBytes(db, 'answer', environment_id, ids);
  return files.map((file) => answerFileView(file, received.get(file.file_id) ?? 0));
}
