import { AvowError } from './errors.js';

/** The parameters of a request, by where they go. */
export type Params = Record<'path' | 'query', Record<string, unknown>>;

/** Splits an operation's input into path and query parameters, leaving `body` out. */
export function paramsOf(operation: string, path: string, input: Record<string, unknown>): Params {
  const { body: _, ...query } = input;
  const inPath: Record<string, unknown> = {};
  for (const [, name = ''] of path.matchAll(/{(\w+)}/g)) {
    // An empty segment, "." or ".." would address another operation.
    if (/^\.{0,2}$/.test(String(query[name] ?? ''))) {
      throw new AvowError(`${operation}: \`${name}\` must not be empty, "." or ".."`);
    }
    inPath[name] = query[name];
    delete query[name];
  }
  return { path: inPath, query };
}

const encode = (value: unknown): string => encodeURIComponent(String(value));

/** Path and query string as the contract declares them: lists as `?events=a,b`. */
export function addressOf(path: string, { path: inPath, query }: Params): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = [value ?? []].flat();
    return values.length > 0 ? `${name}=${values.map(encode).join()}` : [];
  });
  const pathname = path.replace(/{(\w+)}/g, (_, name) => encode(inPath[name]));
  return pairs.length > 0 ? `${pathname}?${pairs.join('&')}` : pathname;
}

/** The headers of one request; later sets override earlier ones. */
export function headersOf(...sets: (Record<string, string | undefined> | undefined)[]): Headers {
  const headers = new Headers();
  for (const [name, value] of sets.flatMap((set) => Object.entries(set ?? {}))) {
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** An idempotency key. Browsers have `randomUUID` only in secure contexts. */
export function randomKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
