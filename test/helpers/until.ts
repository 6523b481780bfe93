import { setTimeout as delay } from 'node:timers/promises';

/**
 * How soon a test looks again, in milliseconds: the longer it has waited, the later, because each look costs the
 * processor that others wait for.
 */
const PAUSE = { shortest: 20, longest: 200, share: 0.1 };

/** Waits until `look` finds something; fails with `what` after the limit in milliseconds. */
export async function until<Value>(
  what: string | (() => string),
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  limit = 30_000,
): Promise<Value> {
  for (const start = Date.now(); ; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waited = Date.now() - start;
    if (waited > limit)
      throw new Error(`waited ${limit} ms for nothing: ${typeof what === 'string' ? what : what()}`);
    await delay(Math.min(PAUSE.longest, Math.max(PAUSE.shortest, PAUSE.share * waited)));
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
