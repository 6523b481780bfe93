import { Zip, ZipDeflate } from 'fflate';

/** A file of an archive, whose content is read only as fast as the archive is taken. */
export interface PackedFile {
  name: string;
  content: AsyncIterable<string | Buffer> | Iterable<string | Buffer>;
}

/** Bytes that are compressed at once, which takes a few milliseconds. */
const PIECE = 65_536;

/**
 * Files as a ZIP archive, piece by piece: of none more is in memory than the piece that is compressed.
 * @param at the time that the archive gives them
 */
export async function* zipOf(files: AsyncIterable<PackedFile>, at: Date): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, bytes) => {
    if (error) failure = error;
    else made.push(bytes);
  });
  function* taken(): Generator<Uint8Array> {
    if (failure !== undefined) throw failure;
    while (made.length > 0) yield made.shift() as Uint8Array;
  }
  for await (const { name, content } of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = at;
    zip.add(entry);
    for await (const part of content) {
      const bytes = Buffer.from(part as string);
      for (let from = 0; from < bytes.length; from += PIECE) {
        entry.push(bytes.subarray(from, from + PIECE), false);
        yield* taken();
      }
    }
    entry.push(new Uint8Array(0), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
