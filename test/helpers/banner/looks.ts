import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

export const AXE = require.resolve('axe-core/axe.min.js');
/** Not committed; somebody looks at them. */
const PICTURES = join(__dirname, '../../../screenshots/banner');

/** Where nobody looks at them, pictures only cost time. */
export const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.SCREENSHOTS === 'off') return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, name) });
};

/** What axe finds, by rule; every rule that it has, the best practices too. */
export const violations = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    await Promise.all(document.getAnimations().map(({ finished }) => finished));
    const { violations: found } = await axe.run();
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
    );
  });
