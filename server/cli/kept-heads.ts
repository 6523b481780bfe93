import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Unzip, UnzipInflate } from 'fflate';
import { type Checkpoint, openRepeating, readCheckpoint } from '../src/domain/ledger/open-note';

/** Bytes of a receipt or of a checkpoint. */
const LARGEST = 16 * 2 ** 20;
const EVIDENCE = 'evidence.ndjson';

/**
 * The signed heads of a log that a file holds, the one of its proofs first: of an evidence pack, a receipt, or a
 * checkpoint by itself, as a witness keeps it. Throws when there is none.
 */
export async function readHeads(file: string): Promise<[Checkpoint, ...Checkpoint[]]> {
  const notes = (await isArchive(file)) ? await notesOfPack(file) : [await noteOf(file)];
  const heads = notes.flatMap((note) => {
    const opened = openRepeating(note);
    return (opened && readCheckpoint(opened.text)) ?? [];
  });
  const [first, ...others] = heads;
  if (first === undefined || heads.length < notes.length)
    throw new Error(
      `${file} holds no checkpoint: take a pack, a receipt of a sealed record, or what a witness keeps.`,
    );
  return [first, ...others];
}

async function isArchive(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('latin1') === 'PK';
  } finally {
    await handle.close();
  }
}

async function noteOf(file: string): Promise<string> {
  if ((await stat(file)).size > LARGEST)
    throw new Error(`${file} is too large for a receipt or a checkpoint.`);
  const text = await readFile(file, 'utf8');
  if (!text.startsWith('{')) return text;
  const { evidence } = JSON.parse(text) as { evidence?: { checkpoint?: unknown } };
  return String(evidence?.checkpoint ?? '');
}

/** A pack names its heads before its records, so that little of it is read. */
async function notesOfPack(file: string): Promise<string[]> {
  const notes: string[] = [];
  const lines = createInterface({
    input: Readable.from(evidenceIn(file)),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    const { type, note } = JSON.parse(line) as { type?: string; note?: unknown };
    if (type === 'checkpoint') notes.push(String(note));
    else if (type !== 'pack' && type !== 'key') break;
  }
  return notes;
}

/** The text of the first file of an archive, as far as it is taken. */
async function* evidenceIn(file: string): AsyncGenerator<Buffer> {
  const pieces: Uint8Array[] = [];
  let isDone = false;
  const unzip = new Unzip((entry) => {
    if (entry.name !== EVIDENCE) return;
    entry.ondata = (error, piece, isLast) => {
      if (error) throw error;
      pieces.push(piece);
      isDone ||= isLast;
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  for await (const piece of createReadStream(file)) {
    if (isDone) return;
    unzip.push(piece);
    for (const some of pieces.splice(0)) yield Buffer.from(some);
  }
}
