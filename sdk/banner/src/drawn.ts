import { read } from './memory.js';
import { preview, uuid } from './page.js';

/**
 * The id made for this page view where a test draws by it. It is stored only with a decision, as everywhere: from then on
 * the visitor has the version that they decided in, and nothing is stored for the test.
 */
export const drawn = tested ? uuid() : '';

/** Whether an id falls to version B: in each test others do, so that no two tests have the same visitors. */
const isOfB = (id: string, { number, share }: NonNullable<typeof config.test>): boolean =>
  (Math.imul(Number.parseInt(id.slice(-8), 16), 2 * number + 1) >>> 0) / 2 ** 32 < share / 100;

/** Ahead of every module that reads what may differ: `consent.ts`, which those need, imports this one. A preview shows version A. */
if (tested) {
  const { test } = config;
  if (test?.b && !preview && isOfB(read()?.session_id ?? drawn, test)) {
    const { hash: other, look } = test.b;
    const { texts, ...rest } = look;
    Object.assign(config, rest);
    for (const language of Object.keys(texts))
      Object.assign(config.texts[language] as object, texts[language]);
    hash = other;
  }
}
