/** The one JSON text of a value, whatever the order in which its keys were written: keys sorted, no blanks (as RFC 8785). */
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

/**
 * The same inside of a script: no character of it can end the script's element, open a comment of HTML, or end a line for a reader that
 * is older than ECMAScript 2019.
 */
export const scriptJson = (value: unknown): string =>
  canonicalJson(value).replace(
    /[<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
