import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive; the others overrule what is right, to make archives that are not. */
export interface ZipFile {
  name: string;
  content: Uint8Array;
  method?: 0 | 8 | 12;
  /** What directory and header say; the content as it lies in the archive. */
  says?: {
    size?: number;
    packed?: number;
    crc?: number;
    flags?: number;
    header?: number;
    localName?: string;
    attributes?: number;
  };
  /** Extra fields, ahead of the content and in the directory; and a comment there. */
  extra?: Buffer;
  ownExtra?: Buffer;
  comment?: string;
  /** What follows the end of its content, and counts as a part of it. */
  tail?: Buffer;
  /** Sizes and checksum behind the content instead of ahead of it. */
  follows?: boolean;
}

/** Writes a ZIP file (APPNOTE 4.3), without code of the product. */
export function writeZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const { name, content, method = 8, says = {}, follows = false } = file;
    const { extra = Buffer.alloc(0), ownExtra = Buffer.alloc(0), comment = '' } = file;
    const { tail = Buffer.alloc(0) } = file;
    const packed = Buffer.concat([method === 8 ? deflateRawSync(content) : content, tail]);
    const flags = says.flags ?? (follows ? 8 : 0);
    const facts = [says.crc ?? crc32(content), says.packed ?? packed.length, says.size ?? content.length];
    const common = (crcAndSizes: number[], nameLength: number, extraLength: number): Buffer => {
      const bytes = Buffer.alloc(26);
      for (const [offset, value] of [20, flags, method, 0, 0x5a21].entries())
        bytes.writeUInt16LE(value, offset * 2);
      for (const [offset, value] of crcAndSizes.entries()) bytes.writeUInt32LE(value, 10 + offset * 4);
      bytes.writeUInt16LE(nameLength, 22);
      bytes.writeUInt16LE(extraLength, 24);
      return bytes;
    };
    const localName = Buffer.from(says.localName ?? name);
    const local = [
      signature(0x04034b50),
      common(follows ? [0, 0, 0] : facts, localName.length, ownExtra.length),
      localName,
      ownExtra,
      packed,
    ];
    if (follows) local.push(signature(0x08074b50), ...facts.map(signature));
    const rest = Buffer.alloc(14);
    const said = Buffer.from(comment);
    rest.writeUInt16LE(said.length, 0);
    rest.writeUInt32LE(says.attributes ?? 0, 6);
    rest.writeUInt32LE(says.header ?? at, 10);
    const ownName = Buffer.from(name);
    directory.push(signature(0x02014b50), Buffer.of(20, 3), common(facts, ownName.length, extra.length));
    directory.push(rest, ownName, extra, said);
    parts.push(...local);
    at += local.reduce((sum, { length }) => sum + length, 0);
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The extra field by which some readers give a file another name (Info-ZIP Unicode Path). */
export function unicodePath(plain: string, name: string): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt16LE(0x7075, 0);
  head.writeUInt16LE(5 + name.length, 2);
  head.writeUInt8(1, 4);
  head.writeUInt32LE(crc32(plain), 5);
  return Buffer.concat([head, Buffer.from(name)]);
}
