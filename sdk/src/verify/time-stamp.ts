import { hex } from './bytes.js';

/** What a time-stamp says, without whether its authority has signed it. */
export interface TimeStamp {
  /** The SHA-256 that was time-stamped, in hexadecimal digits. */
  imprint: string;
  /** When, as ISO 8601. */
  genTime: string;
}

interface Node {
  tag: number;
  content: Uint8Array;
}

/** Bytes of one: with its certificates it has some thousands. */
const LARGEST = 65_536;
// DER of object identifiers, in hexadecimal digits.
/** The only status that a pack has. */
const GRANTED = '020100';
/** Of signed data, of what a time-stamp says in it, and of SHA-256. */
const TYPES = '2a864886f70d010702,2a864886f70d0109100104,608648016503040201';
const OCTETS = 0x04;
const OID = 0x06;
const TIME = 0x18;
const SEQUENCE = 0x30;
const TAGGED = 0xa0;

/**
 * Finds the facts in a response of RFC 3161; undefined when it is none over SHA-256. Its signature is not
 * verified.
 */
export function readTimeStamp(bytes: Uint8Array): TimeStamp | undefined {
  try {
    if (bytes.length > LARGEST) return undefined;
    const outer = whole(bytes);
    // No words of its own, and nothing behind the token.
    if (hex(at(outer, 0, SEQUENCE)) === GRANTED && !nodesOf(outer)[2])
      return readToken(at(outer, 1, SEQUENCE));
  } catch {}
  return undefined;
}

function readToken(token: Uint8Array): TimeStamp {
  const content = at(token, 1, TAGGED, 0, SEQUENCE, 2, SEQUENCE);
  const info = whole(at(content, 1, TAGGED, 0, OCTETS));
  const imprint = at(info, 2, SEQUENCE);
  const types = [token, content, at(imprint, 0, SEQUENCE)].map((one) => hex(at(one, 0, OID)));
  if (`${types}` !== TYPES) throw new RangeError();
  return { imprint: hex(at(imprint, 1, OCTETS)), genTime: isoOf(at(info, 4, TIME)) };
}

/** `20260102030405.678Z` (RFC 3161 §2.4.2). */
function isoOf(content: Uint8Array): string {
  const text = String.fromCharCode(...content.subarray(0, 40));
  const iso = text.replace(
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:(\.\d{1,3})\d{0,6})?Z$/,
    '$1-$2-$3T$4:$5:$6$7Z',
  );
  if (iso === text) throw new RangeError();
  return new Date(iso).toISOString();
}

/** The content of a sequence that is all of these bytes. */
function whole(bytes: Uint8Array): Uint8Array {
  if (nodesOf(bytes)[1]) throw new RangeError();
  return at(bytes, 0, SEQUENCE);
}

/** The content of a node: of each level its place and tag. */
function at(content: Uint8Array, place?: number, tag?: number, ...path: number[]): Uint8Array {
  if (place === undefined) return content;
  const node = nodesOf(content)[place];
  if (node === undefined || node.tag !== tag) throw new RangeError();
  return at(node.content, ...path);
}

/** The first nodes of some DER (X.690). Nothing is copied, and what lies in them is not looked at. */
function nodesOf(bytes: Uint8Array): Node[] {
  const nodes: Node[] = [];
  for (let at = 0; at < bytes.length && nodes.length < 16; ) {
    const tag = bytes[at] as number;
    let length = bytes[at + 1] as number;
    at += 2;
    if (length > 0x80) {
      const count = length - 0x80;
      if (count > 4) throw new RangeError();
      length = bytes.subarray(at, at + count).reduce((sum, byte) => sum * 256 + byte, 0);
      at += count;
    }
    if (!(at + length <= bytes.length)) throw new RangeError();
    nodes.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return nodes;
}
