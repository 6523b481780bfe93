import { preview } from './page.js';

/**
 * Draws the version of this page view by an id, before anything is shown: that of the decision in force, so that it keeps
 * the version that it was made in, and else one of this page view. In each test other ids fall to version B, so that no two
 * have the same visitors. A preview shows version A.
 */
export function draw(id: string): void {
  const { b, number, share } = config.test as NonNullable<typeof config.test>;
  // `imul` makes a number of it.
  const place = Math.imul(`0x${id.slice(-8)}` as never, 2 * number + 1) >>> 0;
  if (!b || preview || place >= (share / 100) * 2 ** 32) return;
  // The objects themselves: other modules have them.
  for (const language in b.look.texts)
    Object.assign(config.texts[language] as object, b.look.texts[language]);
  Object.assign(config, b.look, { texts: config.texts });
  hash = b.hash;
}
