import { Bits, type Ranges, TcStringError } from './bits';

/** A TC string of the formats v2 (IAB Tech Lab), as far as it says something of a visitor's choice. */
export interface DecodedTcString {
  /** The day, in milliseconds since 1970. */
  created: number;
  cmpId: number;
  cmpVersion: number;
  language: string;
  listVersion: number;
  policyVersion: number;
  isServiceSpecific: boolean;
  specialFeatures: number[];
  purposes: number[];
  legInt: number[];
  purposeOneTreatment: boolean;
  country: string;
  vendors: Ranges;
  legIntVendors: Ranges;
  restrictions: { purpose: number; type: number; vendors: Ranges }[];
  /** Missing in strings from before TCF 2.3. */
  disclosed: Ranges | undefined;
}

/** The most characters that are looked at: a thousand vendors take 600, their restrictions some thousand. */
export const MAX_TC_STRING = 12_000;
const SEGMENT = /^[A-Za-z0-9_-]+$/;
/** Of segments: the core has none, publishers' own purposes are read by nobody here. */
const DISCLOSED = 1;
const KNOWN = [1, 2, 3];

/** Reads a TC string; its work grows with its length alone. Throws `TcStringError`. */
export function decodeTcString(text: string): DecodedTcString {
  if (text.length > MAX_TC_STRING) throw new TcStringError(`is longer than ${MAX_TC_STRING} characters`);
  const [core = '', ...others] = text.split('.');
  for (const segment of [core, ...others])
    if (!SEGMENT.test(segment)) throw new TcStringError('has a segment that is not base64url');
  const decoded = readCore(new Bits(core));
  const seen = new Set<number>();
  for (const segment of others) {
    const bits = new Bits(segment);
    const type = bits.number(3);
    if (!KNOWN.includes(type)) throw new TcStringError(`has a segment of the unknown type ${type}`);
    if (seen.has(type)) throw new TcStringError(`has two segments of the type ${type}`);
    seen.add(type);
    if (type === DISCLOSED) decoded.disclosed = bits.vendors();
  }
  return decoded;
}

function readCore(bits: Bits): DecodedTcString {
  const version = bits.number(6);
  if (version !== 2) throw new TcStringError(`has the version ${version}, which is not 2`);
  const created = bits.number(36) * 100;
  // The time of the last change, which is the same since TCF 2.2.
  bits.skip(36);
  const [cmpId, cmpVersion] = [bits.number(12), bits.number(12)];
  // The screen.
  bits.skip(6);
  return {
    created,
    cmpId,
    cmpVersion,
    language: bits.letters(),
    listVersion: bits.number(12),
    policyVersion: bits.number(6),
    isServiceSpecific: bits.flag(),
    // Before it stands whether the texts are not the standard ones.
    specialFeatures: bits.skip(1).field(12),
    purposes: bits.field(24),
    legInt: bits.field(24),
    purposeOneTreatment: bits.flag(),
    country: bits.letters(),
    vendors: bits.vendors(),
    legIntVendors: bits.vendors(),
    restrictions: readRestrictions(bits),
    disclosed: undefined,
  };
}

const readRestrictions = (bits: Bits): DecodedTcString['restrictions'] =>
  Array.from({ length: bits.number(12) }, () => ({
    purpose: bits.number(6),
    type: bits.number(2),
    vendors: bits.ranges(),
  }));

/** Such as `2,5-9,755`. */
export const rangesText = (ranges: Ranges): string =>
  ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');

/** Ids as ranges. */
export function rangesOf(ids: readonly number[]): Ranges {
  const ranges: Ranges = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && id <= last[1] + 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}
