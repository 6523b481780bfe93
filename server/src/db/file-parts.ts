import type { Knex } from 'knex';
import { keepObject, releaseObjects } from './file-objects';

/** Files that are kept in sealed parts: of the answer to a request, and attachments, which are internal. */
export type FileKind = 'answer' | 'attachment';

/** Bytes of each part of a file but the last. */
export const PART_BYTES = 512 * 1024;

const TABLES = {
  answer: { files: 'answer_files', parts: 'answer_file_parts' },
  attachment: { files: 'attachments', parts: 'attachment_parts' },
} as const satisfies Record<FileKind, { files: string; parts: string }>;

/** A part as it is stored: sealed here, or in an object of the bucket, of which this then is the sealed key. */
export interface StoredPart {
  content: Buffer;
  object_id: string | null;
}

/** How a file is named. */
export interface FileKey {
  environment_id: string;
  request_id: string;
  file_id: string;
}

/** How much of each file has come. */
export async function receivedBytes(
  db: Knex,
  kind: FileKind,
  environment_id: string,
  file_ids: readonly string[],
): Promise<Map<string, number>> {
  if (file_ids.length === 0) return new Map();
  const rows: { file_id: string; n: string }[] = await db(TABLES[kind].parts)
    .where({ environment_id })
    .whereIn('file_id', [...file_ids])
    .groupBy('file_id')
    .select('file_id', db.raw('sum(bytes) AS n'));
  return new Map(rows.map(({ file_id, n }) => [file_id, Number(n)]));
}

export const readPart = (
  db: Knex,
  kind: FileKind,
  { environment_id, file_id }: Omit<FileKey, 'request_id'>,
  part: number,
): Promise<StoredPart | undefined> =>
  db(TABLES[kind].parts).where({ environment_id, file_id, part }).first('content', 'object_id');

/**
 * Stores a part of a file, whose request is locked, in place of the one before; what the file was by its hash, it is no
 * more. Resolves with whether its object is still there.
 */
export async function writePart(
  trx: Knex,
  kind: FileKind,
  { environment_id, request_id, file_id }: FileKey,
  { part, bytes, content, object_id }: StoredPart & { part: number; bytes: number },
): Promise<boolean> {
  const { files, parts } = TABLES[kind];
  const key = { environment_id, file_id, part };
  const before: Pick<StoredPart, 'object_id'> | undefined = await trx(parts).where(key).first('object_id');
  await releaseObjects(trx, environment_id, [before?.object_id ?? null]);
  await trx(parts)
    .insert({ ...key, bytes, content, object_id })
    .onConflict(Object.keys(key))
    .merge();
  await trx(files)
    .where({ environment_id, request_id, file_id })
    .update({ sha256: null, revision: trx.raw('revision + 1') });
  return object_id === null || keepObject(trx, { environment_id, object_id });
}

/** Notes the hash of a file, unless a part has come since; resolves with whether it did. */
export async function noteHash(
  db: Knex,
  kind: FileKind,
  { environment_id, request_id, file_id }: FileKey,
  { revision, sha256 }: { revision: number; sha256: Buffer },
): Promise<boolean> {
  const key = { environment_id, request_id, file_id, revision };
  return (await db(TABLES[kind].files).where(key).update({ sha256 })) === 1;
}

/** Deletes files with their parts; their objects are deleted after the commit. */
export async function deleteFiles(
  trx: Knex.Transaction,
  kind: FileKind,
  environment_id: string,
  file_ids: readonly string[],
): Promise<void> {
  if (file_ids.length === 0) return;
  const { files, parts } = TABLES[kind];
  const rowsOf = (table: string) =>
    trx(table)
      .where({ environment_id })
      .whereRaw('file_id = ANY(?::uuid[])', [[...file_ids]]);
  const gone: Pick<StoredPart, 'object_id'>[] = await rowsOf(parts).delete(['object_id']);
  await releaseObjects(
    trx,
    environment_id,
    gone.map(({ object_id }) => object_id),
  );
  await rowsOf(files).delete();
}

/** Deletes all files of requests. */
export async function deleteFilesOf(
  trx: Knex.Transaction,
  environment_id: string,
  request_ids: readonly string[],
): Promise<void> {
  if (request_ids.length === 0) return;
  for (const kind of Object.keys(TABLES) as FileKind[]) {
    const ids: string[] = await trx(TABLES[kind].files)
      .where({ environment_id })
      .whereRaw('request_id = ANY(?::uuid[])', [[...request_ids]])
      .pluck('file_id');
    await deleteFiles(trx, kind, environment_id, ids);
  }
}
