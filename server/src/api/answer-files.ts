import type { Knex } from 'knex';
import { deleteFiles } from '../db/file-parts';
import { AnswerFileRow, type DsarRow } from '../db/models';
import { conflict, notFound } from '../domain/errors';
import { newId, timeOfId } from '../domain/ids';
import { answerFilesOf, answerFileView, MOST_FILES, REQUEST_BYTES } from '../services/answer-files';
import { refuseFullSite } from '../services/files-of-site';
import { findRequest, lockRequest } from '../services/find-request';
import type { Handler } from './handler';
import { putPart } from './put-part';

/** Throws 409 for a request that gets no files. */
function checkOpen({ status, request_type, email }: DsarRow): void {
  if (request_type !== 'access' && request_type !== 'portability')
    throw conflict('Only the answer to an access or portability request takes files.');
  if (status === 'resolved')
    throw conflict('The request is resolved: reopen it to change the files of its answer.');
  if (email === '')
    throw conflict('The request names no e-mail address, to which the link to files could be sent.');
}

async function findFile(db: Knex, row: DsarRow, file_id: string): Promise<AnswerFileRow> {
  const { environment_id, request_id } = row;
  const file = await AnswerFileRow.query(db).findById([environment_id, request_id, file_id.toLowerCase()]);
  if (file === undefined) throw notFound('This file');
  return file;
}

export const listAnswerFiles: Handler<'listAnswerFiles'> = async ({ db }, { environment, params }) => {
  const row = await findRequest(db, environment, params.request_id);
  return { items: await answerFilesOf(db, row) };
};

export const createAnswerFile: Handler<'createAnswerFile'> = async (
  { config },
  { environment, params, body, trx },
) => {
  const row = await lockRequest(trx, environment, params.request_id);
  checkOpen(row);
  const { environment_id, request_id } = row;
  const others = await AnswerFileRow.query(trx).where({ environment_id, request_id }).select('bytes');
  const total = others.reduce((sum, { bytes }) => sum + bytes, body.bytes);
  if (others.length >= MOST_FILES || total > REQUEST_BYTES)
    throw conflict(
      `An answer has at most ${MOST_FILES} files of ${REQUEST_BYTES / 1024 / 1024} MiB together: put several into one archive, or delete one.`,
    );
  await refuseFullSite(trx, environment_id, body.bytes, config);
  const file_id = newId();
  const file = await AnswerFileRow.query(trx).insertAndFetch({
    ...{ environment_id, request_id, file_id, ...body },
    ...{ downloads: 0, sha256: null, revision: 0, created_at: timeOfId(file_id), expires_at: null },
  });
  return answerFileView(file, 0);
};

export const putAnswerFilePart: Handler<'putAnswerFilePart'> = async (context, request) => {
  const { environment, params } = request;
  const { receipt, file, received } = await putPart(context, request, {
    kind: 'answer',
    about: { resource: 'request', resource_id: params.request_id.toLowerCase() },
    find: async (db, isLocking) => {
      const row = await (isLocking ? lockRequest : findRequest)(db, environment, params.request_id);
      const one = await findFile(db, row, params.file_id);
      checkOpen(row);
      return one;
    },
  });
  return receipt.with(answerFileView(file, received));
};

export const deleteAnswerFile: Handler<'deleteAnswerFile'> = async (_, { environment, params, trx }) => {
  const row = await lockRequest(trx, environment, params.request_id);
  const { file_id } = await findFile(trx, row, params.file_id);
  await deleteFiles(trx, 'answer', environment.id, [file_id]);
  return { file_id };
};
