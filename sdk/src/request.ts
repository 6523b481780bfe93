import { AvowError } from './errors.js';

/** Splits an operation's input into path and query parameters; `body` is neither. */
export function paramsOf(operation: string, path: string, input: Record<string, unknown>) {
  const { body: _, ...query } = input;
  const inPath: Record<string, unknown> = {};
  for (const [, name = ''] of path.matchAll(/{(\w+)}/g)) {
    // A segment that is empty or made of dots would lead to another operation.
    if (/^\.{0,2}$/.test(String(query[name] ?? ''))) {
      throw new AvowError(`${operation}: \`${name}\` must not be empty, "." or ".."`);
    }
    inPath[name] = query[name];
    delete query[name];
  }
  return { path: inPath, query };
}

/** The headers of one request; each set wins over those before it. */
export function headersOf(...sets: (Record<string, string | undefined> | undefined)[]): Headers {
  const headers = new Headers();
  for (const [name, value] of sets.flatMap((set) => Object.entries(set ?? {}))) {
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** An idempotency key. Browsers have `randomUUID` on secure pages only. */
export function randomKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
