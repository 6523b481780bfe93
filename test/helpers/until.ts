import { setTimeout as delay } from 'node:timers/promises';

/** How often a test looks again, in milliseconds. */
const PAUSE = 20;

/** Waits until `look` finds something; fails with `what` after the limit in milliseconds. */
export async function until<Value>(
  what: string | (() => string),
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  limit = 30_000,
): Promise<Value> {
  for (const end = Date.now() + limit; ; await delay(PAUSE)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end)
      throw new Error(`waited ${limit} ms in vain: ${typeof what === 'string' ? what : what()}`);
  }
}

/** Asks again until the answer fits; fails after a bound that only a hanging server reaches. */
export async function eventually<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  let answer: T | undefined;
  await until(
    () => `an answer that fits; the last was ${JSON.stringify(answer)}`,
    async () => {
      answer = await ask();
      return fits(answer);
    },
    15_000,
  );
  return answer as T;
}
