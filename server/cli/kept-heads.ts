import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { RandomAccess } from '@avow/sdk/verify';
import { type Checkpoint, openRepeating, readCheckpoint } from '../src/domain/ledger/open-note';

/** Bytes of a receipt or of a checkpoint. */
const LARGEST = 16 * 2 ** 20;

/** A signed head of a log as somebody kept it, with its note. */
export interface KeptHead extends Checkpoint {
  note: string;
}

/**
 * The signed heads of a log that a file holds, the one of its proofs first: of an evidence pack, a receipt, or a
 * checkpoint by itself, as a witness keeps it. Whoever calls this judges their signatures. Throws when there is none.
 */
export async function readHeads(file: string): Promise<[KeptHead, ...KeptHead[]]> {
  const notes = await notesOf(file);
  const heads = notes.flatMap((note) => {
    const opened = openRepeating(note);
    const head = opened && readCheckpoint(opened.text);
    return head === undefined ? [] : [{ ...head, note }];
  });
  const [first, ...others] = heads;
  if (first === undefined || heads.length < notes.length)
    throw new Error(
      `${file} holds no checkpoint: take a pack, a receipt of a sealed record, or what a witness keeps.`,
    );
  return [first, ...others];
}

async function notesOf(file: string): Promise<string[]> {
  const beginning = await beginningOf(file);
  if (beginning !== 'PK' && (await stat(file)).size > LARGEST)
    throw new Error(`${file} is too large for a receipt or a checkpoint.`);
  if (beginning !== 'PK' && !beginning.startsWith('{')) return [await readFile(file, 'utf8')];
  // The verifier's own reader: another one could find other files in the same archive.
  const { checkpointsOf } = await import('@avow/sdk/verify');
  return checkpointsOf(await openFile(file)).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}.`);
  });
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** A file that is read in parts: packs can be larger than the memory. */
export async function openFile(name: string): Promise<RandomAccess> {
  const found = await stat(name).catch(() => undefined);
  if (!found?.isFile()) throw new Error(`${name} is not there, or is no file.`);
  return {
    size: found.size,
    slice: (start, end) => ({
      stream: () => {
        // An end before the start would be refused.
        const part = start < end ? createReadStream(name, { start, end: end - 1 }) : Readable.from([]);
        return Readable.toWeb(part) as ReadableStream<Uint8Array>;
      },
    }),
  };
}
