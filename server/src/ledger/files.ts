import type { Knex } from 'knex';
import { headOf } from '../db/ledger/heads';
import { readTiles } from '../db/ledger/tree-rows';
import { FairTurns, type Sender } from '../domain/fair-turns';
import { HASH_BYTES, leafHashes } from '../domain/ledger/hash';
import { entryBundle, readTilePath, type TilePath, WIDTH } from '../domain/ledger/tiles';
import { fromAddress } from '../security/login-turns';

/** A file of a published log. */
export interface LogFile {
  body: Buffer;
  contentType: string;
  /** Whether it can never change. */
  isFinal: boolean;
}

const BYTES = 'application/octet-stream';
const TEXT = 'text/plain; charset=utf-8';

/** Look-ups that may wait, of one maker of sites and in all. */
const LOOK_UPS = { each: 100, all: 400 };

/** The files of published logs, read from the database. */
export class LogFiles {
  /** One at a time, so that somebody who copies a log leaves connections to visitors; makers of sites take turns, and so do addresses. */
  private readonly lookUps = new FairTurns(1, LOOK_UPS);

  constructor(private readonly db: Knex) {}

  /** A file by its path below `/ledger/{token}/` (C2SP tlog-tiles); undefined when there is none. Rejects with 503. */
  async find(
    { id, maker }: { id: string; maker: string },
    path: string,
    address: string,
  ): Promise<LogFile | undefined> {
    const sender: Sender = [maker, id, ...fromAddress(address)];
    const wanted = path.startsWith('tile/') ? readTilePath(path.slice('tile/'.length)) : undefined;
    if (path === 'checkpoint') return this.lookUps.take(sender, () => readCheckpoint(this.db, id));
    return wanted && this.lookUps.take(sender, () => readTile(this.db, id, wanted));
  }
}

async function readCheckpoint(db: Knex, environmentId: string): Promise<LogFile | undefined> {
  const head = await headOf(db, environmentId);
  return head && { body: Buffer.from(head.note), contentType: TEXT, isFinal: false };
}

async function readTile(
  db: Knex,
  environmentId: string,
  { level, tile, width, entries }: TilePath,
): Promise<LogFile | undefined> {
  const [found] = await readTiles(db, environmentId, [{ level, tile }]);
  const hashes = found?.hashes.subarray(0, width * HASH_BYTES);
  if (hashes === undefined || hashes.length < width * HASH_BYTES) return undefined;
  return { body: bodyOf(hashes, level, entries), contentType: BYTES, isFinal: width === WIDTH };
}

function bodyOf(hashes: Buffer, level: number, entries: boolean): Buffer {
  if (entries) return entryBundle(hashes);
  return level === 0 ? leafHashes(hashes) : hashes;
}
