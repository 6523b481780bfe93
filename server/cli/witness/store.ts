import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../src/db/embedded/durable';
import { type Checkpoint, openNote, readCheckpoint } from '../../src/domain/ledger/open-note';

/** Logs that a witness keeps a checkpoint of, at most: a pattern of origins must not fill the disk. */
const MOST_LOGS = 100_000;

/** What the witness signed last of a log: the checkpoint with the log's signature and its own. */
export interface Signed extends Checkpoint {
  text: string;
  note: string;
  /** Its own signature line. */
  line: string;
}

/** The last checkpoints that were signed, one file for each log. */
export class CheckpointStore {
  private readonly folder: string;
  private files: number;

  constructor(folder: string) {
    this.folder = join(folder, 'checkpoints');
    mkdirSync(this.folder, { recursive: true });
    this.files = readdirSync(this.folder).length;
  }

  /** Of a log by the SHA-256 of its origin in hex. Throws for a file that is damaged: nothing may be signed then. */
  byHash(hash: string): Signed | undefined {
    let note: string;
    try {
      note = readFileSync(join(this.folder, hash), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const opened = openNote(note);
    const checkpoint = opened && readCheckpoint(opened.text);
    const line = opened?.signatures.at(-1)?.line;
    if (
      opened === undefined ||
      checkpoint === undefined ||
      line === undefined ||
      hashOf(checkpoint.origin) !== hash
    ) {
      throw new Error(`checkpoints/${hash} is damaged: restore the latest one of this log from a backup`);
    }
    return { ...checkpoint, text: opened.text, note, line };
  }

  of(origin: string): Signed | undefined {
    return this.byHash(hashOf(origin));
  }

  /** Returns when it is on the disk for good. */
  keep(origin: string, note: string, isNew: boolean): void {
    if (isNew && this.files >= MOST_LOGS) throw new Error(`this witness keeps ${MOST_LOGS} logs already`);
    writeDurably(join(this.folder, hashOf(origin)), note, 0o600);
    if (isNew) this.files += 1;
  }
}

const hashOf = (origin: string): string => createHash('sha256').update(origin).digest('hex');
