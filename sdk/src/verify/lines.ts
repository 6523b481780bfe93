import { concat, textOf } from './bytes.js';
import { type Report, refuse, type StepName } from './report.js';
import { isObject } from './statement.js';

/** Bytes of a line: the longest vendor list has less than half of it. */
const LONGEST = 4 * 1024 * 1024;
/** Values of an object, and commas in its texts: each takes the memory of many bytes. */
const MOST_VALUES = 2 ** 20;
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
      const bytes = concat([...parts, chunk.subarray(from, end)]);
      const where = whereOf(number);
      yield { value: readObject(bytes, where), where, length: bytes.length };
      [parts, length, from] = [[], 0, end + 1];
      number += 1;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST) refuse('the line is longer than 4 MiB', whereOf(number));
  }
  if (parts.length > 0) refuse('the line has no end', whereOf(number));
}

const whereOf = (number: number): string => `${EVIDENCE} line ${number}`;

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
  const count = bytes.reduce((sum, byte) => sum + Number(byte === 44 || byte === 91 || byte === 123), 0);
  if (count > MOST_VALUES) refuse('it has too many values', where);
  let value: unknown;
  let isSame = false;
  try {
    const text = textOf(bytes);
    value = JSON.parse(text);
    isSame = JSON.stringify(value) === normal(text);
  } catch {}
  if (!isObject(value)) refuse(`${other} no JSON object in UTF-8`, where);
  if (!isSame) refuse('it is not as JSON.stringify writes it: a space, an escape, a member twice', where);
  return value;
}

type Plain = 'text' | 'number' | 'list' | 'any';
/** `?`: it may be null. */
export type Kind = Plain | `${Plain}?`;

const PLAIN: Record<Plain, [what: string, fits: (value: unknown) => boolean]> = {
  text: ['a text', (value) => typeof value === 'string'],
  number: ['a whole number below 2^53', (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  list: ['a list', Array.isArray],
  any: ['there', () => true],
};

/** What is wrong with the members of an object: each must be of its kind; a name that ends in ? may be missing. */
export function misfit(value: unknown, kinds: Record<string, Kind>): string | undefined {
  if (!isObject(value)) return 'it is no object';
  for (const [named, kind] of Object.entries(kinds)) {
    const name = named.replace('?', '');
    const plain = kind.replace('?', '') as Plain;
    const [what, fits] = PLAIN[plain];
    const mayBeNull = kind !== plain;
    const isFit = Object.hasOwn(value, name)
      ? (mayBeNull && value[name] === null) || fits(value[name])
      : named !== name;
    if (!isFit) return `"${name}" must be ${what}${mayBeNull ? ' or null' : ''}`;
  }
  return undefined;
}

/** Reports what nothing is known of among the members of an object. @throws {Refusal} when they do not fit */
export function demand(
  report: Report,
  value: unknown,
  kinds: Record<string, Kind>,
  where: string,
  step?: StepName,
): void {
  const wrong = misfit(value, kinds);
  if (wrong !== undefined) refuse(wrong, where, step);
  reportUnknown(report, unknownIn(value as object, kinds), where);
}

/** Members that nothing is known of. */
export const unknownIn = (value: object, kinds: Record<string, Kind>): string[] =>
  Object.keys(value).filter((name) => !Object.hasOwn(kinds, name) && !Object.hasOwn(kinds, `${name}?`));

/** Reports the first of the members that nothing is known of: it may claim anything. */
export function reportUnknown(report: Report, [name]: readonly string[], where: string): void {
  if (name !== undefined)
    report.add('file', 'unknown', `this program does not know "${name.slice(0, 60)}" there`, where);
}
