/** What a page holds, of any kind: at most so much of it is read. */
export const MOST = 5_000;
const LONGEST = 500;
const WIDEST = 300;

export const text = (value: unknown, longest = LONGEST): string | null =>
  typeof value === 'string' && value ? value.slice(0, longest) : null;

/** Whether it has members; what the banner hands out may inherit nothing. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The members of an object, as far as they are wanted; what a page's getters throw is nothing. */
export function members(value: unknown): [string, unknown][] {
  try {
    return isObject(value) ? Object.entries(value).slice(0, WIDEST) : [];
  } catch {
    return [];
  }
}

/** Named choices, which inherit nothing. */
export const flags = (value: unknown): Record<string, boolean> =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(members(value).flatMap(([name, is]) => (typeof is === 'boolean' ? [[name, is]] : []))),
  );

/** A member, whatever holds it. */
export function member(value: unknown, name: string | number): unknown {
  try {
    return (value as Record<string | number, unknown> | null | undefined)?.[name];
  } catch {
    return;
  }
}

/** Without query, fragment, credentials and parameters of the path; undefined for what is not on the web. */
export function bare(address: unknown): string | undefined {
  try {
    if (typeof address !== 'string') return;
    const url = new URL(address, location.href);
    const path = url.pathname.split(/;|%3b/i, 1)[0] as string;
    return /^https?:$/.test(url.protocol) ? (url.origin + path).slice(0, LONGEST) : undefined;
  } catch {
    return;
  }
}

/** The result, or nothing where the page's code throws. */
export function tried<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return;
  }
}

/** Words of a list, as one text; what cannot be read is nothing. */
export const joined = (list: unknown, most: number, longest = WIDEST): string =>
  tried(() =>
    Array.isArray(list)
      ? list
          .slice(0, most)
          .filter((one) => /^(string|number)$/.test(typeof one))
          .join(' ')
      : '',
  )?.slice(0, longest) ?? '';
