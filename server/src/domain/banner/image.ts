import { beginsAs } from '../file-types';

export interface ImageSize {
  width: number;
  height: number;
}

const DATA = /^data:(image\/(?:png|webp|jpeg));base64,(.+)$/;

/** The size of an image in pixels, by its own first bytes; undefined for what is not of its type, or not whole base64. */
export function imageSize(dataUrl: string): ImageSize | undefined {
  const [, type, text = ''] = DATA.exec(dataUrl) ?? [];
  const bytes = Buffer.from(text, 'base64');
  // Browsers are strict where Node is not.
  if (bytes.toString('base64') !== text) return undefined;
  const read = READERS[type as keyof typeof READERS];
  if (read === undefined || !beginsAs(type as keyof typeof READERS, bytes)) return undefined;
  try {
    const size = read(bytes);
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // It ends ahead of its size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const READERS = { 'image/png': ofPng, 'image/webp': ofWebp, 'image/jpeg': ofJpeg };

/** W3C PNG § 11.2.1: the first chunk is the header. */
function ofPng(bytes: Buffer): ImageSize | undefined {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** RFC 9649 §§ 2.5–2.7: simple, lossless and extended files. */
function ofWebp(bytes: Buffer): ImageSize | undefined {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind !== 'VP8L' || bytes.readUInt8(20) !== 0x2f) return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** ITU-T T.81 § B.1.1: segments, each with its length, until the header of the frame. */
function ofJpeg(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    // No segments with a length (table B.1), or a fill byte (§ B.1.1.2): a reader that goes on finds another size than this one.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9) || marker === 0xff) return undefined;
    // C4, C8 and CC are tables and an extension, not frames.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}
