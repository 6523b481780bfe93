/** The first characters of a text that somebody else wrote. Never half of one, which no database takes. */
export const beginning = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).toWellFormed();

/** A text of any length in pieces of about `size` characters, none of which ends in half of one. */
export function* slicesOf(text: string, size: number): Generator<string, void> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + size;
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
    yield text.slice(at, end);
  }
}
