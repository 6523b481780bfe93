import type { Knex } from 'knex';
import type { Context } from '../context';
import {
  type FileKey,
  type FileKind,
  noteHash,
  PART_BYTES,
  receivedBytes,
  writePart,
} from '../db/file-parts';
import type { Resource } from '../domain/audit-resource';
import { type ApiError, conflict, unavailable, ValidationError } from '../domain/errors';
import { MemberTurns } from '../domain/fair-turns';
import type { Receipt } from '../services/audit';
import { inOwnTurn, type OfAudit, type OfMember, senderOf } from './handler';

/** Parts that are stored at once; whoever waits for the storage holds no turn that others of the group wait for. */
const UPLOADS = new MemberTurns({ account: 2, group: 4 });

/** What is known of a file that is uploaded. */
export interface UploadedFile extends FileKey {
  bytes: number;
  sha256: Buffer | null;
  revision: number;
}

interface Asked extends OfMember, OfAudit {
  params: { part: number };
  body: { content: string };
}

/** How an operation stores parts. */
export interface Upload<File extends UploadedFile> {
  kind: FileKind;
  about: Resource;
  /** Finds the file, and checks that it takes parts; locks its request if asked. Throws 404 and 409. */
  find(db: Knex, isLocking: boolean): Promise<File>;
  /** Throws 400 for a part that this kind of file does not have. */
  check?(file: File, bytes: Buffer): void;
}

/**
 * Stores a part of a file in a transaction of its own, so that no connection is held while the storage answers. When all
 * parts have come, the hash of the file is noted.
 */
export function putPart<File extends UploadedFile>(
  context: Context,
  { params, body, caller, environment, audit, stay }: Asked,
  upload: Upload<File>,
): Promise<{ receipt: Receipt; file: File; received: number }> {
  const { db, fileStore } = context;
  const { kind, about } = upload;
  const { part } = params;
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => inOwnTurn(context, caller, work);
  const receivedOf = async (file: File): Promise<number> => {
    const all = await receivedBytes(db, kind, environment.id, [file.file_id]);
    return all.get(file.file_id) ?? 0;
  };
  /** What is complete takes no other parts: it would be read as a whole for its hash again, for each of them. */
  const isNew = async (file: File, bytes: Buffer): Promise<boolean> => {
    if (file.sha256 === null && (await inTurn(() => receivedOf(file))) < file.bytes) return true;
    const before = await fileStore.part(kind, file, part);
    if (before?.equals(bytes)) return false;
    throw isComplete();
  };
  const store = async () => {
    const file = await inTurn(() => upload.find(db, false));
    const bytes = bytesOf(file, part, body.content);
    upload.check?.(file, bytes);
    let receipt = audit.unchanged();
    if (await isNew(file, bytes)) {
      const stored = await fileStore.seal(kind, file, part, bytes);
      receipt = await inTurn(() =>
        db.transaction(async (trx) => {
          const present = await upload.find(trx, true);
          if (present.sha256 !== null) throw isComplete();
          if (!(await writePart(trx, kind, present, { part, bytes: bytes.length, ...stored })))
            throw unavailable('The storage of files was too slow: send the part again.');
          const written = await audit.write(trx, { about });
          await stay(trx);
          return written;
        }),
      );
    }
    const read = async () => {
      const present = await upload.find(db, false);
      return { file: present, received: await receivedOf(present) };
    };
    const after = await inTurn(read);
    if (after.received < file.bytes || after.file.sha256 !== null) return { receipt, ...after };
    const sha256 = await fileStore.sha256(kind, after.file);
    await inTurn(() => noteHash(db, kind, after.file, { revision: after.file.revision, sha256 }));
    return { receipt, ...(await inTurn(read)) };
  };
  return UPLOADS.take(senderOf(caller), store, caller.patience);
}

const isComplete = (): ApiError =>
  conflict('The file is complete and stays as it is: add another one, or delete it.');

/** Throws 400 for a part that the file does not have, or of another size. */
function bytesOf(file: UploadedFile, part: number, content: string): Buffer {
  const bytes = Buffer.from(content, 'base64');
  const wanted = Math.min(PART_BYTES, file.bytes - part * PART_BYTES);
  if (wanted <= 0)
    throw ValidationError.of(
      'path.part',
      `the file has ${Math.ceil(file.bytes / PART_BYTES)} parts`,
      'maximum',
    );
  if (bytes.length !== wanted || bytes.toString('base64') !== content)
    throw ValidationError.of(
      'body.content',
      `must be the base64 of ${wanted} bytes, padded with =`,
      'length',
    );
  return bytes;
}
