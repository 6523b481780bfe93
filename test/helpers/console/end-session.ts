import type { Page } from 'playwright-core';
import type { Someone } from './console';

/** The session ends while the next change is on its way, not before: a page reads now and then by itself. */
export async function endSession(page: Page, { client }: Someone): Promise<void> {
  let ended = false;
  await page.route('**/api/**', async (route) => {
    if (route.request().method() !== 'GET' && !ended) {
      ended = true;
      await client.revokeTokens();
    }
    await route.continue();
  });
}
