import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../src/db/embedded/durable';
import {
  type Checkpoint,
  type OpenNote,
  openNote,
  openRepeating,
  readCheckpoint,
} from '../../src/domain/ledger/open-note';
import type { Logs } from './logs';
import { type Most, Room } from './room';
import type { Signer } from './signer';

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
  private readonly files: Set<string>;
  private readonly room: Room;

  constructor(
    folder: string,
    private readonly signer: Pick<Signer, 'hasSigned'>,
    logs: Pick<Logs, 'patterns' | 'isNamed'>,
    most?: Most,
  ) {
    this.folder = join(folder, 'checkpoints');
    mkdirSync(this.folder, { recursive: true });
    // Without what a write left that was broken off.
    this.files = new Set(readdirSync(this.folder).filter((name) => /^[0-9a-f]{64}$/.test(name)));
    this.room = new Room(this.folder, logs, most);
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
    const signed = readSigned(openNote(note) ?? this.openOlder(note), hash);
    if (signed === undefined) {
      throw new Error(`checkpoints/${hash} is damaged: restore the latest one of this log from a backup`);
    }
    return signed;
  }

  /** What an older version stored with repeated lines. A file is replaced whole: its last line was signed last. */
  private openOlder(note: string): OpenNote | undefined {
    const opened = openRepeating(note);
    const own = opened?.signatures.at(-1);
    return opened && own && this.signer.hasSigned(opened.text, own) ? opened : undefined;
  }

  of(origin: string): Signed | undefined {
    return this.byHash(hashOf(origin));
  }

  /** Why the first checkpoint of a log cannot be kept; undefined when it can. */
  refusal = (origin: string): string | undefined => this.room.refusal(origin, this.files);

  /** Returns when it is on the disk for good. Throws for what could not be read back: the log could never go on. */
  keep(origin: string, note: string): void {
    const hash = hashOf(origin);
    if (readSigned(openNote(note), hash) === undefined)
      throw new Error(`checkpoints/${hash} stays as it is: the new checkpoint could not be read back`);
    writeDurably(join(this.folder, hash), note, 0o600);
    if (this.files.has(hash)) return;
    this.files.add(hash);
    this.room.add(origin);
  }
}

const hashOf = (origin: string): string => createHash('sha256').update(origin).digest('hex');

/** What was signed last of the log of this hash; undefined when the note is none of it. */
function readSigned(opened: OpenNote | undefined, hash: string): Signed | undefined {
  const checkpoint = opened && readCheckpoint(opened.text);
  const line = opened?.signatures.at(-1)?.line;
  if (opened === undefined || checkpoint === undefined || line === undefined) return undefined;
  if (hashOf(checkpoint.origin) !== hash) return undefined;
  const { text, signatures } = opened;
  const note = `${[text, ...signatures.map((one) => one.line)].join('\n')}\n`;
  return { ...checkpoint, text, note, line };
}
