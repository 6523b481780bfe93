/**
 * The one JSON text of a value, whatever the order in which its keys were written: keys sorted, no blanks (as
 * RFC 8785).
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted);

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const object = value as Record<string, unknown>;
  // Keys that look like numbers would come first in any object; none of ours does.
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, object[key]]),
  );
}

/** How deep a value is taken apart: to the texts of one language, and to the fields of one vendor. */
const DEPTH = 3;

/** The same text in pieces, so that a list of a mebibyte need not be written in one go. */
export function* canonicalPieces(value: unknown, depth = DEPTH): Generator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield canonicalJson(value);
    return;
  }
  const isList = Array.isArray(value);
  const object = value as Record<string, unknown>;
  const keys = isList ? Object.keys(object) : Object.keys(object).sort();
  let before = isList ? '[' : '{';
  for (const key of keys) {
    if (object[key] === undefined) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* canonicalPieces(object[key], depth - 1);
    before = ',';
  }
  yield `${before === ',' ? '' : before}${isList ? ']' : '}'}`;
}

/**
 * A text inside of a script: no character of it can end the script's element, open a comment of HTML, or end
 * a line for a reader that is older than ECMAScript 2019.
 */
export const inScript = (json: string): string =>
  json.replace(
    /[<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
