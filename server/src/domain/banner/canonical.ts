/** The canonical JSON of a value: keys sorted, no white space (as in RFC 8785). */
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

/** The depth to which a value is split: to the texts of one language, and to the fields of one vendor. */
const DEPTH = 3;

/** The same text in pieces, so that a list of a mebibyte is not serialised in one go. */
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
 * A text inside a script: none of its characters can end the script element, open an HTML comment, or end a
 * line for engines older than ECMAScript 2019.
 */
export const inScript = (json: string): string =>
  json.replace(
    /[<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
