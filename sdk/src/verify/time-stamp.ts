import { hex } from './bytes.js';

/** What a time-stamp says, without whether its authority has signed it. */
export interface TimeStamp {
  /** The hash that was time-stamped: hexadecimal digits of SHA-256; undefined for another algorithm. */
  imprint: string | undefined;
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
const SIGNED_DATA = '2a864886f70d010702';
const TST_INFO = '2a864886f70d0109100104';
const SHA_256 = '608648016503040201';
const [INTEGER, OCTETS, OID, SEQUENCE, TIME, TAGGED] = [0x02, 0x04, 0x06, 0x30, 0x18, 0xa0];

/**
 * Finds the facts in a response or token of RFC 3161; undefined when it is none. Its signature is not
 * verified.
 */
export function readTimeStamp(bytes: Uint8Array): TimeStamp | undefined {
  try {
    if (bytes.length > LARGEST) return undefined;
    const outer = whole(bytes);
    const [first, second] = outer;
    // A token begins with its content type, a response with its status: 0 and 1 are granted.
    if (first?.tag === OID) return readToken(outer);
    const [status] = childrenOf(first, SEQUENCE);
    if ((contentOf(status, INTEGER)[0] as number) <= 1) return readToken(childrenOf(second, SEQUENCE));
  } catch {}
  return undefined;
}

function readToken([type, tagged]: Node[]): TimeStamp {
  expect(type, SIGNED_DATA);
  const [signed] = childrenOf(tagged, TAGGED);
  const [, , encapsulated] = childrenOf(signed, SEQUENCE);
  const [kind, content] = childrenOf(encapsulated, SEQUENCE);
  expect(kind, TST_INFO);
  const [octets] = childrenOf(content, TAGGED);
  const [, , imprint, , time] = whole(contentOf(octets, OCTETS));
  const [algorithm, hashed] = childrenOf(imprint, SEQUENCE);
  const [name] = childrenOf(algorithm, SEQUENCE);
  const hash = hex(contentOf(hashed, OCTETS));
  const isKnown = hex(contentOf(name, OID)) === SHA_256 && hash.length === 64;
  return { imprint: isKnown ? hash : undefined, genTime: isoOf(contentOf(time, TIME)) };
}

function expect(node: Node | undefined, oid: string): void {
  if (hex(contentOf(node, OID)) !== oid) throw new RangeError();
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

/** The parts of a sequence that is all of these bytes. */
function whole(bytes: Uint8Array): Node[] {
  const [only, ...rest] = nodesOf(bytes, 2);
  if (rest.length > 0) throw new RangeError();
  return childrenOf(only, SEQUENCE);
}

const childrenOf = (node: Node | undefined, tag: number): Node[] => nodesOf(contentOf(node, tag), 16);

function contentOf(node: Node | undefined, tag: number): Uint8Array {
  if (node?.tag !== tag) throw new RangeError();
  return node.content;
}

/** The first nodes of some DER (X.690). Nothing is copied, and what lies in them is not looked at. */
function nodesOf(bytes: Uint8Array, most: number): Node[] {
  const nodes: Node[] = [];
  for (let at = 0; at < bytes.length && nodes.length < most; ) {
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
