import type { Knex } from 'knex';
import { deleteFiles } from '../db/file-parts';
import { AttachmentRow, type DsarRow, type EnvironmentRow } from '../db/models';
import { conflict, notFound, ValidationError } from '../domain/errors';
import { beginsAs } from '../domain/file-types';
import { newId, timeOfId } from '../domain/ids';
import { attachmentsOf, attachmentView, refuseManyAttachments } from '../services/attachments';
import { findRequest, lockRequest } from '../services/find-request';
import { Download, type Handler } from './handler';
import { putPart } from './put-part';

async function findAttachment(db: Knex, row: DsarRow, file_id: string): Promise<AttachmentRow> {
  const { environment_id, request_id } = row;
  const file = await AttachmentRow.query(db).findById([environment_id, request_id, file_id.toLowerCase()]);
  if (file === undefined) throw notFound('This attachment');
  return file;
}

const read = async (
  db: Knex,
  environment: EnvironmentRow,
  { request_id, attachment_id }: { request_id: string; attachment_id: string },
): Promise<AttachmentRow> =>
  findAttachment(db, await findRequest(db, environment, request_id), attachment_id);

const locked = async (
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  { request_id, attachment_id }: { request_id: string; attachment_id: string },
): Promise<AttachmentRow> =>
  findAttachment(trx, await lockRequest(trx, environment, request_id), attachment_id);

export const listAttachments: Handler<'listAttachments'> = async ({ db }, { environment, params }) => ({
  items: await attachmentsOf(db, await findRequest(db, environment, params.request_id)),
});

export const createAttachment: Handler<'createAttachment'> = async (
  { config },
  { environment, params, body, caller, audit, trx },
) => {
  const { filesMaxMb } = config;
  if (body.bytes > filesMaxMb * 1024 * 1024)
    throw ValidationError.of(
      'body.bytes',
      `must be at most ${filesMaxMb} MiB, the limit of this server`,
      'maximum',
    );
  const row = await lockRequest(trx, environment, params.request_id);
  await refuseManyAttachments(trx, row, body.bytes, config);
  const { environment_id, request_id } = row;
  const file_id = newId();
  audit.note({ about: { resource: 'attachment', resource_id: file_id } });
  const file = await AttachmentRow.query(trx).insertAndFetch({
    ...{ environment_id, request_id, file_id, ...body, sha256: null, revision: 0 },
    ...{ added_by: caller.email, created_at: timeOfId(file_id) },
  });
  return attachmentView(file, 0);
};

export const putAttachmentPart: Handler<'putAttachmentPart'> = async (context, request) => {
  const { environment, params } = request;
  const { receipt, file, received } = await putPart(context, request, {
    kind: 'attachment',
    about: { resource: 'attachment', resource_id: params.attachment_id.toLowerCase() },
    find: (db, isLocking) =>
      isLocking ? locked(db as Knex.Transaction, environment, params) : read(db, environment, params),
    check: (one, bytes) => {
      if (params.part === 0 && !beginsAs(one.content_type, bytes))
        throw ValidationError.of('body.content', `does not begin as ${one.content_type} does`, 'content');
    },
  });
  return receipt.with(attachmentView(file, received));
};

export const downloadAttachment: Handler<'downloadAttachment'> = async (context, { environment, params }) => {
  const file = await read(context.db, environment, params);
  if (file.sha256 === null)
    throw conflict('The attachment has not come in full: send its other parts, or delete it.');
  // As no type that a browser shows.
  const content = await context.fileStore.content('attachment', file);
  return new Download('application/octet-stream', file.name, content);
};

export const deleteAttachment: Handler<'deleteAttachment'> = async (_, { environment, params, trx }) => {
  const { file_id } = await locked(trx, environment, params);
  await deleteFiles(trx, 'attachment', environment.id, [file_id]);
  return { attachment_id: file_id };
};
