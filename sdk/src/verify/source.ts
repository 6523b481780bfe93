import type { Bytes } from './bytes.js';
import { refuse } from './report.js';

/** A file whose parts can be read in any order: a `Blob` is one. */
export interface RandomAccess {
  /** In bytes. */
  readonly size: number;
  slice(start: number, end: number): { stream(): ReadableStream<Uint8Array> };
}

/** A file in any form that runtimes have. */
export type EvidenceFile = RandomAccess | ReadableStream<Uint8Array> | ArrayBuffer | Uint8Array | string;

/** As a file whose parts can be read; a stream is read to its end first. */
export async function toSource(file: EvidenceFile): Promise<RandomAccess> {
  if (typeof (file as RandomAccess).slice === 'function' && typeof (file as RandomAccess).size === 'number')
    return file as RandomAccess;
  return file instanceof ReadableStream ? new Response(file).blob() : new Blob([file as BlobPart]);
}

/**
 * The chunks of a stream. Not every browser can iterate over one.
 * @param isEnded whether the stream is ended when its caller stops early
 */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  isEnded = true,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    if (isEnded) await reader.cancel().catch(() => undefined);
  }
}

const CUT = 'it is cut off';

/** Part of a file, whole; the caller bounds it. */
export async function readPart(file: RandomAccess, start: number, end: number): Promise<Bytes> {
  if (start < 0 || end > file.size || start > end) refuse(CUT, `byte ${start}`);
  return collect(chunksOf(file.slice(start, end).stream()), end - start);
}

/** Chunks as one, of which the size is known. */
export async function collect(chunks: AsyncIterable<Uint8Array>, size: number): Promise<Bytes> {
  const all = new Uint8Array(size);
  let at = 0;
  for await (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  if (at !== size) refuse(CUT, `byte ${at}`);
  return all;
}
