import type { Problems } from '../../ui';

type Changes = Record<string, string | null>;

/** Lines of `Name: value`; a name without a value removes its header. */
export function readHeaders(text: string): Changes {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...rest] = line.split(':');
      const value = rest.join(':').trim();
      return [name.trim(), value === '' ? null : value];
    }),
  );
}

/** The headers of a new webhook, without removals. */
export const newHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readHeaders(text)).filter((one): one is [string, string] => one[1] !== null),
  );

/** Finds lines that are not headers; the server checks names and values. */
export function checkHeaders(text: string): Problems {
  const odd = text.split('\n').find((line) => line.trim() !== '' && !line.includes(':'));
  return odd === undefined ? {} : { headers: [`Write “${odd.trim()}” as a name, a colon and a value.`] };
}
