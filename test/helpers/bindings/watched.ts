import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A new visitor, and whatever their pages complain about: hydration, violations of their policy, errors. */
export interface Watched {
  context: BrowserContext;
  complaints: string[];
}

export async function openWatched(browser: Browser): Promise<Watched> {
  const complaints: string[] = [];
  const context = await browser.newContext();
  context.setDefaultTimeout(10_000);
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  return { context, complaints };
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Waits for what an app says of the decision. */
export const untilState = (page: Page, text: string): Promise<void> =>
  page.locator('#state', { hasText: text }).waitFor();

/** The scripts that have run. */
export const ran = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);

/** The frame that waits for consent, when it has been loaded. */
export const film = (page: Page) => page.frames().find((frame) => frame.url().includes('/film'));
