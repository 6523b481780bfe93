import { concat, textOf } from './bytes.js';
import { Refusal, type Report } from './report.js';
import { isObject } from './statement.js';

/** Bytes of a line: the longest vendor list has a tenth of it. */
const LONGEST = 16 * 1024 * 1024;
export const EVIDENCE = 'evidence.ndjson';

/** A line of `evidence.ndjson`. */
export interface Line {
  value: Record<string, unknown>;
  /** Where it stands, for people. */
  where: string;
  /** In bytes. */
  length: number;
}

/** The lines of a file of JSON objects, one at a time. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let [number, length] = [1, 0];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield readLine(concat([...parts, chunk.subarray(from, end)]), number);
      [parts, length, from] = [[], 0, end + 1];
      number += 1;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST) throw new Refusal('the line is longer than 16 MiB', whereOf(number));
  }
  if (parts.length > 0) throw new Refusal('the line has no end: the file is cut off', whereOf(number));
}

const whereOf = (number: number): string => `${EVIDENCE} line ${number}`;

const readLine = (bytes: Uint8Array, number: number): Line => {
  const where = whereOf(number);
  return { value: readObject(bytes, where), where, length: bytes.length };
};

/**
 * Reads a JSON object that is written in one way: of a member that stands twice, two readers could see two.
 * @param normal what of the text is compared
 * @param other how the refusal of anything else begins
 */
export function readObject(
  bytes: Uint8Array,
  where: string,
  normal = (text: string): string => text,
  other = 'it is',
): Record<string, unknown> {
  let value: unknown;
  let isSame = false;
  try {
    const text = textOf(bytes);
    value = JSON.parse(text);
    isSame = JSON.stringify(value) === normal(text);
  } catch {}
  if (!isObject(value)) throw new Refusal(`${other} no JSON object in UTF-8`, where);
  if (!isSame)
    throw new Refusal(
      'it is not written as JSON.stringify does: a space, an escape, or a member twice',
      where,
    );
  return value;
}

type Kind = 'text' | 'text?' | 'number' | 'number?' | 'list' | 'list?' | 'any';

const FITS: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  'text?': (value) => value === null || typeof value === 'string',
  number: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'number?': (value) => value === null || FITS.number(value),
  list: Array.isArray,
  'list?': (value) => value === null || Array.isArray(value),
  any: () => true,
};

const WORDS: Record<string, string> = {
  text: 'a text',
  number: 'a whole number below 2^53',
  list: 'a list',
  any: 'there',
};

/** What is wrong with the members of an object: each must be of its kind; a name that ends in ? may be missing. */
export function misfit(value: unknown, kinds: Record<string, Kind>): string | undefined {
  if (!isObject(value)) return 'it is no object';
  for (const [named, kind] of Object.entries(kinds)) {
    const name = named.replace('?', '');
    const isThere = Object.hasOwn(value, name);
    if (!isThere && named !== name) continue;
    if (!isThere || !FITS[kind](value[name]))
      return `"${name}" must be ${WORDS[kind.replace('?', '')]}${kind.endsWith('?') ? ' or null' : ''}`;
  }
  return undefined;
}

/** Members that nothing is known of. */
export const unknownIn = (value: Record<string, unknown>, kinds: Record<string, Kind>): string[] =>
  Object.keys(value).filter((name) => !Object.hasOwn(kinds, name) && !Object.hasOwn(kinds, `${name}?`));

/** Reports the first of the members that nothing is known of: it may claim anything. */
export function reportUnknown(report: Report, [name]: readonly string[], where: string): void {
  if (name !== undefined)
    report.add('file', 'unknown', `this program does not know "${name.slice(0, 60)}" there`, where);
}

export type { Kind };
