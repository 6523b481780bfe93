import { concat, equal, textOf, utf8 } from './bytes.js';
import { crc32 } from './crc.js';
import { refuse } from './report.js';
import { chunksOf, type RandomAccess, readPart } from './source.js';

/** A file of an archive. */
export interface Entry {
  name: string;
  /** Bytes of its content. */
  size: number;
  /** Bytes of it in the archive. */
  packed: number;
  isDeflated: boolean;
  crc: number;
  /** Its version, flags, method, time, checksum, sizes and length of name: its own header repeats them. */
  facts: Uint8Array;
  /** Whether checksum and sizes follow the content instead. */
  follow: boolean;
  /** Where its local header begins. */
  header: number;
  /** Where its content begins. */
  start: number;
}

const END = 22;
const CENTRAL = 46;
/** Bytes of a name, and so of an entry of the directory. */
const LONGEST_NAME = 200;
/** Bits of the flags that say nothing a reader must know: effort of deflate, sizes that follow, names in UTF-8. */
const KNOWN_FLAGS = 0b1000_0000_1110;
const SIZES_FOLLOW = 0b1000;

/**
 * Reads the directory of a ZIP file of one disk, whose every byte belongs to one entry. Nothing is inflated.
 * @throws {Refusal} when it is anything else
 */
export async function readZip(file: RandomAccess, signal?: AbortSignal): Promise<Map<string, Entry>> {
  const { count, start, size } = await readEnd(file);
  const entries = readDirectory(await readPart(file, start, start + size), count);
  let at = 0;
  // In their order in the file: then they cannot overlap, and nothing hides between them.
  for (const entry of [...entries.values()].sort((one, other) => one.header - other.header)) {
    signal?.throwIfAborted();
    if (entry.header !== at) refuse('unknown bytes lie before it, or it overlaps another file', entry.name);
    at = await readLocal(file, entry, start);
  }
  if (at !== start) refuse('unknown bytes lie before it', `byte ${at}`);
  return entries;
}

async function readEnd(file: RandomAccess): Promise<{ count: number; start: number; size: number }> {
  const at = Math.max(0, file.size - END);
  const { u16, u32 } = numbersIn(await readPart(file, at, file.size));
  // Packs have no comment: the record of the end is the end.
  if (file.size < END || u32(0) !== 0x06054b50 || u16(20) !== 0)
    refuse('it does not end as a ZIP file does', `byte ${at}`);
  const [count, size, start] = [u16(10), u32(12), u32(16)];
  const isWhole = u32(4) === 0 && u16(8) === count && size <= count * (CENTRAL + LONGEST_NAME);
  if (!isWhole || count === 0xffff || start + size !== at)
    refuse('its directory is not where it should be', `byte ${at}`);
  return { count, start, size };
}

function readDirectory(bytes: Uint8Array, count: number): Map<string, Entry> {
  const view = numbersIn(bytes);
  const entries = new Map<string, Entry>();
  const names = new Set<string>();
  let at = 0;
  for (let n = 0; n < count; n += 1) {
    const where = `entry ${n + 1}`;
    const isThere = at + CENTRAL <= bytes.length && view.u32(at) === 0x02014b50;
    const end = isThere ? at + CENTRAL + view.u16(at + 28) : Number.NaN;
    if (!(end <= bytes.length)) refuse('its directory is damaged', where);
    const name = nameOf(bytes.subarray(at + CENTRAL, end), where);
    // An extra field can give a file another name, or other content, for other readers.
    if (view.u32(at + 30) !== 0) refuse('it has an extra field or a comment', name);
    // Where names know no case, the second would replace the first.
    if (names.size === names.add(name.toLowerCase()).size) refuse('two files have this name', name);
    entries.set(name, { ...readEntry(view, at, name), facts: bytes.subarray(at + 6, at + 30) });
    at = end;
  }
  if (at !== bytes.length) refuse('its directory is damaged', `entry ${count + 1}`);
  return entries;
}

function readEntry({ u16, u32 }: Numbers, at: number, name: string): Omit<Entry, 'facts'> {
  const [flags, method] = [u16(at + 8), u16(at + 10)];
  const numbers = [16, 20, 24, 42].map((offset) => u32(at + offset));
  const [crc, packed, size, header] = numbers as [number, number, number, number];
  // A link, as its attributes can make it, is another file for other readers.
  if (flags & ~KNOWN_FLAGS || (method && method !== 8) || u32(at + 34) || u32(at + 38) || size === 0xffffffff)
    refuse('it is encrypted, a link, ZIP64, or has an unknown method or flags', name);
  // Where its size follows, other readers find other files in it. Of a deflated one no ratio is too much: what visitors
  // write may repeat itself, and is read in pieces.
  if (!method && (flags & SIZES_FOLLOW || size !== packed))
    refuse('it is stored, and its size follows or is another', name);
  return {
    name,
    size,
    packed,
    isDeflated: method > 0,
    crc,
    header,
    follow: (flags & SIZES_FOLLOW) > 0,
    start: 0,
  };
}

function nameOf(bytes: Uint8Array, where: string): string {
  try {
    const name = textOf(bytes);
    // No part begins or ends with a dot: some systems drop it.
    if (/^[\w-]+(?:[./][\w-]+)*$/.test(name)) return name;
  } catch {}
  return refuse('the name of a file has other signs than a-z0-9._-/', where);
}

/** Compares an entry with its own header, to the byte; returns where it ends, with what follows its content. */
async function readLocal(file: RandomAccess, entry: Entry, limit: number): Promise<number> {
  const { header, name, facts, follow } = entry;
  const own = concat([Uint8Array.of(0x50, 0x4b, 3, 4), facts, Uint8Array.of(0, 0), utf8(name)]);
  const behind = follow
    ? concat([Uint8Array.of(0x50, 0x4b, 7, 8), facts.subarray(10, 22)])
    : own.subarray(0, 0);
  if (follow) own.fill(0, 14, 26);
  entry.start = header + own.length;
  const end = entry.start + entry.packed;
  const isSame = async (bytes: Uint8Array, at: number): Promise<boolean> =>
    at + bytes.length <= limit && equal(bytes, await readPart(file, at, at + bytes.length));
  if (!(await isSame(own, header)) || !(await isSame(behind, end)))
    refuse('the ZIP file says two things of it', name);
  return end + behind.length;
}

/** The content of a file, checked against its size and checksum. Stops at the byte after what it should have. */
export async function* contentOf(
  file: RandomAccess,
  entry: Entry,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { start, packed, size, name } = entry;
  const bytes = file.slice(start, start + packed).stream();
  const stream = entry.isDeflated ? inflated(bytes) : bytes;
  let [read, crc] = [0, 0];
  const damaged = () => refuse('its content is damaged', name);
  // One that inflates is left as it is: ended with data on the way, it throws where nobody can catch it (Node 20).
  const chunks = chunksOf(stream, !entry.isDeflated);
  try {
    for await (const chunk of chunks) {
      read += chunk.length;
      if (read > size) damaged();
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch {
    damaged();
  }
  // Behind an end that comes too early, readers that stream find other files.
  if (read !== size || crc !== entry.crc) damaged();
  const isWhole = (end: number): Promise<boolean> => ends(file.slice(start, end).stream(), signal);
  // Where the first byte is taken for a whole, nobody says that an end is missing.
  if (entry.isDeflated && !(await isWhole(start + 1)) && (await isWhole(start + packed - 1))) damaged();
}

const inflated = (bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  bytes.pipeThrough(new DecompressionStream('deflate-raw') as unknown as TransformStream);

/** Whether some deflated bytes have their end; Node 20 takes what comes after it. */
async function ends(bytes: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<boolean> {
  try {
    for await (const _ of chunksOf(inflated(bytes), false)) signal?.throwIfAborted();
    return true;
  } catch {
    return false;
  }
}

/** Numbers of some bytes: little-endian, as ZIP files have them. */
interface Numbers {
  u16(at: number): number;
  u32(at: number): number;
}

function numbersIn({ buffer, byteOffset, length }: Uint8Array): Numbers {
  const view = new DataView(buffer, byteOffset, length);
  return { u16: (at) => view.getUint16(at, true), u32: (at) => view.getUint32(at, true) };
}
