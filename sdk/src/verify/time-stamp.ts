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
    const outer = whole(bytes);
    const [first, second] = outer;
    // A token begins with its content type, a response with its status: 0 and 1 are granted.
    if (first?.tag === OID) return readToken(outer);
    const [status] = childrenOf(first, SEQUENCE);
    if (status?.tag !== INTEGER || (status.content[0] as number) > 1) return undefined;
    return readToken(childrenOf(second, SEQUENCE));
  } catch {
    return undefined;
  }
}

function readToken([type, tagged]: Node[]): TimeStamp {
  expect(type, SIGNED_DATA);
  const [signed] = childrenOf(tagged, TAGGED);
  const [, , encapsulated] = childrenOf(signed, SEQUENCE);
  const [kind, content] = childrenOf(encapsulated, SEQUENCE);
  expect(kind, TST_INFO);
  const [octets] = childrenOf(content, TAGGED);
  if (octets?.tag !== OCTETS) throw new RangeError();
  const [, , imprint, , time] = whole(octets.content);
  const [algorithm, hash] = childrenOf(imprint, SEQUENCE);
  const [name] = childrenOf(algorithm, SEQUENCE);
  if (time?.tag !== TIME || hash?.tag !== OCTETS || name?.tag !== OID) throw new RangeError();
  const isKnown = hex(name.content) === SHA_256 && hash.content.length === 32;
  return { imprint: isKnown ? hex(hash.content) : undefined, genTime: isoOf(time.content) };
}

function expect(node: Node | undefined, oid: string): void {
  if (node?.tag !== OID || hex(node.content) !== oid) throw new RangeError();
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

function childrenOf(node: Node | undefined, tag: number): Node[] {
  if (node?.tag !== tag) throw new RangeError();
  return nodesOf(node.content, 16);
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
