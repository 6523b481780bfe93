import type { AnyInput, AnyOptions } from './call.js';
import { AvowError } from './errors.js';

interface Page {
  items: unknown[];
  next_cursor: string | null;
}

/** Turns a list's method into an iterator over every item; each page is fetched when the loop reaches it. */
export function each(list: (input: AnyInput, own?: AnyOptions) => Promise<unknown>) {
  return async function* (input: AnyInput = {}, own?: AnyOptions): AsyncGenerator<unknown, void, undefined> {
    let cursor = input.cursor;
    do {
      const page = (await list({ ...input, cursor }, own)) as Page;
      yield* page.items;
      if (cursor && page.next_cursor === cursor)
        throw new AvowError('the list goes round: its cursor stays the same');
      cursor = page.next_cursor;
    } while (cursor);
  };
}
