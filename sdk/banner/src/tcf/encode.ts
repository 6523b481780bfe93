import { number, text } from '../bits.js';

/** What a visitor has chosen in the words of the TCF; ids of purposes, special features and vendors. */
export interface TcChoice {
  purposes: number[];
  /** Purposes by legitimate interest to which the visitor has not objected. */
  legInt: number[];
  special: number[];
  vendors: number[];
  legIntVendors: number[];
}

/** A purpose that a publisher restricts: 0 not allowed, 1 by consent alone. */
export interface Restriction {
  purpose: number;
  type: number;
  vendors: readonly number[];
}

/** Everything else that a string says. */
export interface TcFrame {
  /** Milliseconds since 1970; strings name the day. */
  at: number;
  cmpId: number;
  cmpVersion: number;
  /** Two letters. */
  language: string;
  /** On which the visitor decided: the first layer is 1, the settings 2. */
  screen: number;
  listVersion: number;
  policyVersion: number;
  purposeOneTreatment: boolean;
  country: string;
  restrictions: readonly Restriction[];
  disclosed: readonly number[];
}

const DAY = 86_400_000;
const letters = (text: string): string =>
  [...text.toUpperCase()].map((one) => number(one.charCodeAt(0) - 65, 6)).join('');
const field = (ids: readonly number[], length: number): string => {
  const bits = new Array<number>(length).fill(0);
  for (const id of ids) bits[id - 1] = 1;
  return bits.join('');
};

/** Ids as ranges, both ends included. */
export function rangesOf(ids: readonly number[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const last = ranges[ranges.length - 1];
    if (last && id <= last[1] + 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}

const rangeBits = (ids: readonly number[]): string => {
  const ranges = rangesOf(ids);
  const entries = ranges.map(([from, to]) =>
    from === to ? `0${number(from, 16)}` : `1${number(from, 16)}${number(to, 16)}`,
  );
  return number(ranges.length, 12) + entries.join('');
};

/** As bits or as ranges, whichever is shorter. */
function vendorBits(ids: readonly number[]): string {
  const most = ids.reduce((all, id) => Math.max(all, id), 0);
  const [bits, ranges] = [field(ids, most), rangeBits(ids)];
  return number(most, 16) + (ranges.length < bits.length ? `1${ranges}` : `0${bits}`);
}

/**
 * A TC string: the core segment, version 2, and the segment of disclosed vendors, which TCF 2.3 wants in each (IAB Tech
 * Lab, Consent string and vendor list formats v2).
 */
export function encode(choice: TcChoice, frame: TcFrame): string {
  const day = number((Math.floor(frame.at / DAY) * DAY) / 100, 36);
  const core = [
    number(2, 6),
    // Created and updated: the same since TCF 2.2.
    day,
    day,
    number(frame.cmpId, 12),
    number(frame.cmpVersion, 12),
    number(frame.screen, 6),
    letters(frame.language),
    number(frame.listVersion, 12),
    number(frame.policyVersion, 6),
    // Of this site alone; the texts are the standard ones.
    '10',
    field(choice.special, 12),
    field(choice.purposes, 24),
    field(choice.legInt, 24),
    frame.purposeOneTreatment ? '1' : '0',
    letters(frame.country),
    vendorBits(choice.vendors),
    vendorBits(choice.legIntVendors),
    number(frame.restrictions.length, 12),
    ...frame.restrictions.map(
      ({ purpose, type, vendors }) => number(purpose, 6) + number(type, 2) + rangeBits(vendors),
    ),
  ];
  return `${text(core.join(''))}.${text(number(1, 3) + vendorBits(frame.disclosed))}`;
}
