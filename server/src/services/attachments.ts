import type { Knex } from 'knex';
import type { Config } from '../config';
import { deleteFiles, receivedBytes } from '../db/file-parts';
import { AttachmentRow, type DsarRow } from '../db/models';
import { conflict } from '../domain/errors';
import { DAY_MS } from '../domain/time';
import { MIB, refuseFullSite, sumOf } from './files-of-site';

/** Attachments that are looked up at once. */
const BATCH = 100;

/** An attachment as the contract has it. */
export const attachmentView = (
  { file_id, name, content_type, bytes, sha256, added_by, created_at }: AttachmentRow,
  received: number,
) => ({
  ...{ attachment_id: file_id, name, content_type, bytes, received_bytes: received },
  ...{ sha256: sha256?.toString('hex') ?? null, added_by, created_at: created_at.toISOString() },
});

/** The attachments of a request, in the order in which they were added. */
export async function attachmentsOf(db: Knex, { environment_id, request_id }: DsarRow) {
  const files = await AttachmentRow.query(db).where({ environment_id, request_id }).orderBy('file_id');
  const ids = files.filter(({ sha256 }) => sha256 === null).map(({ file_id }) => file_id);
  const received = await receivedBytes(db, 'attachment', environment_id, ids);
  return files.map((file) =>
    attachmentView(file, file.sha256 === null ? (received.get(file.file_id) ?? 0) : file.bytes),
  );
}

/** Throws 409 when a request, which is locked, or its site would have too many files, or too large ones. */
export async function refuseManyAttachments(
  trx: Knex,
  { environment_id, request_id }: DsarRow,
  bytes: number,
  config: Config,
): Promise<void> {
  const { filesOfRequest, filesOfRequestMb } = config;
  const own = await sumOf(trx, 'attachments', { environment_id, request_id });
  if (own.files >= filesOfRequest || own.bytes + bytes > filesOfRequestMb * MIB)
    throw conflict(
      `A request has at most ${filesOfRequest} attachments of ${filesOfRequestMb} MiB together: put several into one archive, or delete one.`,
    );
  await refuseFullSite(trx, environment_id, bytes, config);
}

type Found = Pick<AttachmentRow, 'environment_id' | 'file_id'>;

const rethrow = (error: unknown): never => {
  throw error;
};

/**
 * Deletes what has not come in full within a day, and what is left of requests that a process of an earlier version
 * deleted; `fail` is told of each that could not be. `now` must be the database's time.
 */
export async function deleteStray(
  db: Knex,
  now: Date,
  signal?: AbortSignal,
  fail: (error: unknown, environment_id: string) => void = rethrow,
): Promise<number> {
  const failed: string[] = [];
  const incomplete = () =>
    db('attachments')
      .whereNull('sha256')
      .where('created_at', '<', new Date(now.getTime() - DAY_MS))
      .whereNotIn('file_id', failed)
      .select<Found[]>('environment_id', 'file_id');
  const ofNone = () =>
    db('attachments AS a')
      .leftJoin('dsar_requests AS r', (join) =>
        join.on('r.environment_id', 'a.environment_id').on('r.request_id', 'a.request_id'),
      )
      .whereNull('r.request_id')
      .whereNotIn('a.file_id', failed)
      .select<Found[]>('a.environment_id', 'a.file_id');
  let deleted = 0;
  for (const find of [incomplete, ofNone]) {
    for (let found = BATCH; found === BATCH && !signal?.aborted; ) {
      const files = await find().limit(BATCH);
      found = files.length;
      for (const { environment_id, file_id } of files)
        try {
          await db.transaction((trx) => deleteFiles(trx, 'attachment', environment_id, [file_id]));
          deleted += 1;
        } catch (error) {
          failed.push(file_id);
          fail(error, environment_id);
        }
    }
  }
  return deleted;
}
