import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { announceObject, type ObjectKey } from '../db/file-objects';
import { type FileKey, type FileKind, PART_BYTES, readPart, type StoredPart } from '../db/file-parts';
import { unavailable } from '../domain/errors';
import { FairTurns } from '../domain/fair-turns';
import { newId } from '../domain/ids';
import { logFailure } from '../observability/failures';
import type { FileMetrics } from '../observability/file-metrics';
import type { Logger } from '../observability/logger';
import { type Drawer, rowOf, Vault } from '../security/vault';
import { type Bucket, BucketFailure } from './bucket';

/** What sealing adds to bytes, at most. */
const SEAL_BYTES = 64;
const KEY_BYTES = 32;
/** Seconds after which it makes sense to ask a bucket again. */
const LATER = 10;

interface Wiring {
  db: Knex;
  vault: Vault;
  log: Logger;
  metrics: FileMetrics;
  /** Undefined: all is in the database. */
  bucket: Bucket | undefined;
  /** Where new parts go. */
  store: 'database' | 'bucket';
}

const placeOf = ({ environment_id, object_id }: ObjectKey): string => `avow/${environment_id}/${object_id}`;

/**
 * Keeps the parts of files, sealed: in the database, or in a bucket, under a key of their own that the database keeps. With
 * its row an object can be read by nobody any more, however long the bucket or its backups keep it.
 */
export class FileStore {
  /** Short statements at once; sites take turns, then files, so that up- and downloads stop nobody. */
  private readonly looks = new FairTurns(2, { each: 100, all: 400 });

  constructor(private readonly wiring: Wiring) {}

  get hasBucket(): boolean {
    return this.wiring.bucket !== undefined;
  }

  /** Seals a part, to be written with the change that it belongs to. Throws 503 when the bucket does not take it. */
  async seal(kind: FileKind, file: FileKey, part: number, bytes: Buffer): Promise<StoredPart> {
    const { db, bucket, store } = this.wiring;
    const { environment_id } = file;
    const keep = (content: Buffer): Buffer => this.drawerOf(kind).sealBytes(content, rowOfPart(file, part));
    if (bucket === undefined || store === 'database') return { content: keep(bytes), object_id: null };
    const key = randomBytes(KEY_BYTES);
    const object = { environment_id, object_id: newId() };
    await this.looks.take([environment_id, object.object_id], () => announceObject(db, object));
    const sealed = drawerOfObject(key).sealBytes(bytes, placeOf(object));
    await this.asked('put', () => bucket.put(placeOf(object), sealed));
    return { content: keep(key), object_id: object.object_id };
  }

  /** A part as it came; undefined when it has not. Throws 503 when the bucket does not give it. */
  async part(kind: FileKind, file: FileKey, part: number): Promise<Buffer | undefined> {
    const { db } = this.wiring;
    const { environment_id, file_id } = file;
    const stored = await this.looks.take([environment_id, file_id], () => readPart(db, kind, file, part));
    if (stored === undefined) return undefined;
    const { content, object_id } = stored;
    const opened = this.drawerOf(kind).openBytes(content, rowOfPart(file, part));
    return object_id === null ? opened : this.object({ environment_id, object_id }, opened);
  }

  private drawerOf(kind: FileKind): Drawer {
    return this.wiring.vault.of(`${kind} part`);
  }

  private async object(object: ObjectKey, key: Buffer): Promise<Buffer> {
    const { bucket } = this.wiring;
    if (bucket === undefined)
      throw unavailable(
        'The file is in a bucket that this server does not know: its operator sets FILES_S3_ENDPOINT and what goes with it.',
        LATER,
      );
    const sealed = await this.asked('get', () => bucket.get(placeOf(object), PART_BYTES + SEAL_BYTES));
    return drawerOfObject(key).openBytes(sealed, placeOf(object));
  }

  /** Deletes an object of a part that is gone; false when the bucket did not. */
  async delete(object: ObjectKey): Promise<boolean> {
    const { bucket } = this.wiring;
    if (bucket === undefined) return false;
    return this.asked('delete', () => bucket.delete(placeOf(object))).then(
      () => true,
      () => false,
    );
  }

  /** A file, one part at a time, so that a large file takes no more memory than a small one. */
  async content(kind: FileKind, file: FileKey): Promise<Readable> {
    // Before the answer begins: what cannot be had is an error with words of its own.
    const first = await this.part(kind, file, 0);
    return Readable.from(this.parts(kind, file, first), { objectMode: false });
  }

  async sha256(kind: FileKind, file: FileKey): Promise<Buffer> {
    const hash = createHash('sha256');
    for await (const bytes of this.parts(kind, file, await this.part(kind, file, 0))) hash.update(bytes);
    return hash.digest();
  }

  private async *parts(kind: FileKind, file: FileKey, first: Buffer | undefined): AsyncGenerator<Buffer> {
    let bytes = first;
    for (let part = 1; bytes !== undefined; part += 1) {
      yield bytes;
      bytes = await this.part(kind, file, part);
    }
  }

  /** Counts what the bucket does, and tells of what it does not. */
  private async asked<Result>(what: 'put' | 'get' | 'delete', ask: () => Promise<Result>): Promise<Result> {
    const { log, metrics } = this.wiring;
    try {
      const result = await ask();
      metrics.asked(what, 'done');
      return result;
    } catch (error) {
      if (!(error instanceof BucketFailure)) throw error;
      metrics.asked(what, 'failed');
      logFailure(log, 'warn', { error, what }, 'the bucket of files did not answer as it should');
      throw unavailable(
        'The storage of files cannot be reached: nothing was changed, try again shortly.',
        LATER,
      );
    }
  }
}

const rowOfPart = ({ environment_id, file_id }: FileKey, part: number): string =>
  rowOf(environment_id, file_id, part);

/** Seals one object only. */
const drawerOfObject = (key: Buffer): Drawer => new Vault(key.toString('base64')).of('stored object');
