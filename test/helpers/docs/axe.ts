import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Nobody reads the selectors that axe makes for each element, and no rule here needs the style sheets that it loads
 * once more: a quarter of its time on a long page.
 */
export const LEAN = { selectors: false, preload: { assets: ['media'] } };

/** What axe finds wrong with a page as it is shown now: rule, number of places, the first of them. */
export async function violations(page: Page, options: object = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  return page.evaluate(
    async ({ lean, given }) => {
      // biome-ignore lint/suspicious/noExplicitAny: axe is put into the page as a script
      const result = await (window as any).axe.run({ ...lean, resultTypes: ['violations'], ...given });
      return result.violations.map(
        // biome-ignore lint/suspicious/noExplicitAny: axe has no types inside the page
        ({ id, nodes }: any) =>
          `${id} ×${nodes.length}: ${nodes[0].html} (${nodes[0].any[0]?.message ?? ''})`,
      );
    },
    { lean: LEAN, given: options },
  );
}
