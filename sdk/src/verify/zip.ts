import { equal, textOf } from './bytes.js';
import { crc32 } from './crc.js';
import { Refusal } from './report.js';
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
  /** Version, flags, method and time, as its local header must repeat them. */
  facts: Uint8Array;
  /** Where its local header begins. */
  header: number;
  /** Where its content begins. */
  start: number;
}

const END = 22;
const CENTRAL = 46;
const LOCAL = 30;
/** Bits of the flags that say nothing a reader must know: effort of deflate, sizes that follow, names in UTF-8. */
const KNOWN_FLAGS = 0b1000_0000_1110;
const SIZES_FOLLOW = 0b1000;

const refuse = (what: string, where: string): never => {
  throw new Refusal(what, where);
};

/**
 * Reads the directory of a ZIP file of one disk, whose every byte belongs to one entry. Nothing is inflated.
 * @throws {Refusal} when it is anything else
 */
export async function readZip(file: RandomAccess): Promise<Map<string, Entry>> {
  const { count, start, size } = await readEnd(file);
  const entries = readDirectory(await readPart(file, start, start + size), count);
  let at = 0;
  // In their order in the file: then they cannot overlap, and nothing hides between them.
  for (const entry of [...entries.values()].sort((one, other) => one.header - other.header)) {
    if (entry.header !== at)
      refuse(
        `${entry.header < at ? 'it overlaps' : 'unknown bytes lie before it, after'} another file`,
        entry.name,
      );
    at = await readLocal(file, entry, start);
  }
  if (at !== start) refuse('unknown bytes lie before the directory of the ZIP file', `byte ${at}`);
  return entries;
}

async function readEnd(file: RandomAccess): Promise<{ count: number; start: number; size: number }> {
  const at = Math.max(0, file.size - END);
  const view = viewOf(await readPart(file, at, file.size));
  // Packs have no comment: the record of the end is the end.
  if (view.byteLength < END || view.getUint32(0, true) !== 0x06054b50 || view.getUint16(20, true) !== 0)
    refuse('the file does not end as a ZIP file does: it is cut off, or longer', `byte ${at}`);
  const count = view.getUint16(10, true);
  const [size, start] = [view.getUint32(12, true), view.getUint32(16, true)];
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff)
    refuse('the file is a ZIP64 file, which packs are not', `byte ${at}`);
  if (view.getUint32(4, true) !== 0 || view.getUint16(8, true) !== count)
    refuse('the ZIP file has several parts', `byte ${at}`);
  if (start + size !== at) refuse('the directory of the ZIP file is not where it should be', `byte ${start}`);
  return { count, start, size };
}

function readDirectory(bytes: Uint8Array, count: number): Map<string, Entry> {
  const view = viewOf(bytes);
  const entries = new Map<string, Entry>();
  let at = 0;
  for (let n = 0; n < count; n += 1) {
    const where = `entry ${n + 1} of the ZIP file's directory`;
    if (at + CENTRAL > bytes.length || view.getUint32(at, true) !== 0x02014b50)
      refuse('the directory of the ZIP file is damaged', where);
    const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const [nameLength = 0, extra = 0, comment = 0] = lengths;
    const end = at + CENTRAL + nameLength;
    if (end + extra + comment > bytes.length) refuse('the directory of the ZIP file is damaged', where);
    const name = nameOf(bytes.subarray(at + CENTRAL, end), where);
    if (entries.has(name)) refuse('two files of the ZIP file have this name', name);
    if (view.getUint16(at + 34, true) !== 0) refuse('the ZIP file has several parts', name);
    entries.set(name, readEntry(view, at, name));
    at = end + extra + comment;
  }
  if (at !== bytes.length) refuse('the directory of the ZIP file is damaged', `entry ${count + 1}`);
  return entries;
}

function readEntry(view: DataView, at: number, name: string): Entry {
  const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
  const [crc = 0, packed = 0, size = 0] = [16, 20, 24].map((offset) => view.getUint32(at + offset, true));
  const header = view.getUint32(at + 42, true);
  if (flags & 1) refuse('it is encrypted', name);
  if (flags & ~KNOWN_FLAGS) refuse('unknown flags', name);
  if (method !== 0 && method !== 8) refuse(`it is packed by method ${method}`, name);
  if ([packed, size, header].includes(0xffffffff))
    refuse('the file is a ZIP64 file, which packs are not', name);
  // Its end is known by a size that is not there yet: other readers find other files in it.
  if (method === 0 && flags & SIZES_FOLLOW) refuse('it is stored, and its size follows', name);
  // Of a deflated one no ratio is too much: what visitors write may repeat itself, and is read in pieces.
  if (method === 0 && size !== packed) refuse(`it says to have ${size} bytes, stored in ${packed}`, name);
  const facts = new Uint8Array(view.buffer, view.byteOffset + at + 6, 10);
  return { name, size, packed, isDeflated: method === 8, crc, facts, header, start: 0 };
}

function nameOf(bytes: Uint8Array, where: string): string {
  try {
    const name = textOf(bytes);
    if (/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(name)) return name;
  } catch {}
  return refuse('the name of a file has other signs than a-z0-9._-/', where);
}

/** Compares an entry with its own header; returns where it ends, with what follows its content. */
async function readLocal(file: RandomAccess, entry: Entry, limit: number): Promise<number> {
  const { header, name } = entry;
  const head = viewOf(await readPart(file, header, Math.min(header + LOCAL, limit)));
  if (head.byteLength < LOCAL || head.getUint32(0, true) !== 0x04034b50)
    refuse('its header is damaged', name);
  const [nameLength, extra] = [head.getUint16(26, true), head.getUint16(28, true)];
  entry.start = header + LOCAL + nameLength + extra;
  const end = entry.start + entry.packed;
  if (end > limit) refuse('its header is damaged', name);
  const own = await readPart(file, header + LOCAL, header + LOCAL + nameLength);
  const isOwn = nameOf(own, name) === name && equal(entry.facts, new Uint8Array(head.buffer, 4, 10));
  const follow = head.getUint16(6, true) & SIZES_FOLLOW;
  const facts = [entry.crc, entry.packed, entry.size];
  const isSame = facts.every((fact, i) =>
    [fact, follow ? 0 : fact].includes(head.getUint32(14 + 4 * i, true)),
  );
  if (!isOwn || !isSame) refuse('the ZIP file says two things of it', name);
  return follow ? end + (await descriptorSize(file, end, facts, name)) : end;
}

/** Sizes that follow the content, with or without a signature. */
async function descriptorSize(
  file: RandomAccess,
  at: number,
  facts: number[],
  name: string,
): Promise<number> {
  const view = viewOf(await readPart(file, at, Math.min(at + 16, file.size)));
  for (const from of [4, 0]) {
    const isThere = facts.every((fact, i) => view.getUint32(from + 4 * i, true) === fact);
    if (isThere && (from === 0 || view.getUint32(0, true) === 0x08074b50)) return from + 12;
  }
  return refuse('the ZIP file says two things of it', name);
}

/** The content of a file, checked against its size and checksum. Stops at the byte after what it should have. */
export async function* contentOf(file: RandomAccess, entry: Entry): AsyncGenerator<Uint8Array> {
  const { start, packed, size, name } = entry;
  let stream = file.slice(start, start + packed).stream();
  if (entry.isDeflated)
    stream = stream.pipeThrough(new DecompressionStream('deflate-raw') as unknown as TransformStream);
  let [read, crc] = [0, 0];
  const damaged = () => refuse('its content is damaged: size or checksum', name);
  // One that inflates is left as it is: ended with data on the way, it throws where nobody can catch it (Node 20).
  const chunks = chunksOf(stream, !entry.isDeflated);
  try {
    for await (const chunk of chunks) {
      read += chunk.length;
      if (read > size) damaged();
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    refuse('its content is damaged: it cannot be unpacked', name);
  }
  if (read !== size || crc !== entry.crc) damaged();
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
