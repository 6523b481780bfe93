import type { TcChoice } from './encode.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Bits before what a visitor chooses. */
const HEAD = 140;

interface Reader {
  number(length: number): number;
  field(length: number): number[];
  vendors(): number[];
}

/** Reads a segment, from a place on. */
function readerOf(segment: string, start: number): Reader {
  const bits = [...segment].map((one) => ALPHABET.indexOf(one).toString(2).padStart(6, '0')).join('');
  let at = start;
  const next = (length: number): string => {
    at += length;
    return bits.slice(at - length, at);
  };
  const number = (length: number): number => Number.parseInt(next(length), 2) || 0;
  const field = (length: number): number[] =>
    [...next(length)].flatMap((bit, index) => (bit === '1' ? index + 1 : []));
  const vendors = (): number[] => {
    const most = number(16);
    if (!number(1)) return field(most);
    const ids: number[] = [];
    for (let left = number(12); left; left -= 1) {
      const isRange = number(1);
      const from = number(16);
      const to = isRange ? number(16) : from;
      if (from <= (ids[ids.length - 1] ?? 0) || to < from || to > most) {
        // In no order, or beyond the last: nothing that follows can be told.
        at = bits.length;
        return [];
      }
      for (let id = from; id <= to; id += 1) ids.push(id);
    }
    return ids;
  };
  return { number, field, vendors };
}

/** What a visitor chose, by the core segment of a string that this banner has made. */
export function decode(string: string): TcChoice {
  const { number, field, vendors } = readerOf(string.split('.')[0] ?? '', HEAD);
  const [special, purposes, legInt] = [field(12), field(24), field(24)];
  // Purpose one, and the country.
  number(13);
  return { special, purposes, legInt, vendors: vendors(), legIntVendors: vendors() };
}

/** The vendors that its visitor was shown, by the segment of such a string that tells them. */
export const disclosedIn = (string: string): number[] => readerOf(string.split('.')[1] ?? '', 3).vendors();
