import { finished } from 'node:stream/promises';
import { createDeflateRaw } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';

/** A file of an archive, whose content is read only as fast as the archive is taken. */
export interface PackedFile {
  name: string;
  content: AsyncIterable<string | Buffer> | Iterable<string | Buffer>;
}

/** Bytes that are compressed at once. */
const PIECE = 65_536;
/** Bytes of an archive, and of a file in it, beyond which it would have to be ZIP64: its 32 bits would say less, unseen. */
const MOST_BYTES = 0xffffffff - 1;
/** How an archive names what is deflated (APPNOTE 4.4.5). */
const DEFLATED = 8;

/** A file of an archive that threads of the system compress, so that nobody waits for it. */
class DeflatedFile extends ZipPassThrough {
  override compression = DEFLATED;
  private readonly deflate = createDeflateRaw({ level: 6 });

  constructor(name: string, at: Date) {
    super(name);
    this.mtime = at;
    this.deflate.on('data', (bytes: Buffer) => this.ondata(null, bytes as Uint8Array<ArrayBuffer>, false));
    // Whoever waits for a piece gets it.
    this.deflate.on('error', () => undefined);
  }

  /** Compresses a piece, and waits until it is done. */
  async add(bytes: Uint8Array): Promise<void> {
    this.push(bytes, false);
    await new Promise<void>((resolve, reject) => {
      this.deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  async end(): Promise<void> {
    const done = finished(this.deflate);
    this.deflate.end();
    await done;
    this.push(new Uint8Array(0), true);
    this.ondata(null, new Uint8Array(0), true);
  }

  close(): void {
    this.deflate.destroy();
  }

  /** The parent class counts what comes in and computes its checksum; what goes out comes from `deflate`. */
  protected override process(): void {}
}

/** What comes in small pieces, in larger ones. */
async function* piecesOf(content: PackedFile['content']): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of content) {
    const bytes = Buffer.from(part as string);
    parts.push(bytes);
    size += bytes.length;
    if (size < PIECE) continue;
    const all = Buffer.concat(parts);
    for (let from = 0; from < all.length; from += PIECE) yield all.subarray(from, from + PIECE);
    [parts, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(parts);
}

/** Throws when there are more bytes than an archive can say. */
class Counted {
  private bytes = 0;

  constructor(
    private readonly most: number,
    private readonly what: string,
  ) {}

  add(bytes: number): void {
    this.bytes += bytes;
    // It has begun: a download that breaks off is noticed, and a wrong size only by whoever verifies it years later.
    if (this.bytes > this.most) throw new Error(`${this.what} is larger than a ZIP archive of 32 bits holds`);
  }
}

/**
 * Files as a ZIP archive, piece by piece: of none more is in memory than the piece that is compressed.
 * @param at the time that the archive gives them
 * @param most bytes of the archive, and of a file; throws beyond
 */
export async function* zipOf(
  files: AsyncIterable<PackedFile>,
  at: Date,
  most = MOST_BYTES,
): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  const all = new Counted(most, 'an archive');
  let failure: Error | undefined;
  const zip = new Zip((error, bytes) => {
    if (error) failure = error;
    else made.push(bytes);
  });
  function* taken(): Generator<Uint8Array> {
    if (failure !== undefined) throw failure;
    for (let part = made.shift(); part !== undefined; part = made.shift()) {
      all.add(part.length);
      yield part;
    }
  }
  for await (const { name, content } of files) {
    const entry = new DeflatedFile(name, at);
    const own = new Counted(most, 'a file of an archive');
    try {
      zip.add(entry);
      for await (const piece of piecesOf(content)) {
        own.add(piece.length);
        await entry.add(piece);
        yield* taken();
      }
      await entry.end();
    } finally {
      entry.close();
    }
    yield* taken();
  }
  zip.end();
  yield* taken();
}
