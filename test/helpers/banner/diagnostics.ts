import type { Page } from 'playwright-core';
import type { Report } from '../../../sdk/banner/src/debug/report';
import { until } from '../until';

/** What a page gets that a person copies from. */
export const CLIPBOARD = () => {
  Object.defineProperty(navigator, 'clipboard', {
    value: {
      writeText: async (text: string) => {
        (window as unknown as { copied: string }).copied = text;
      },
    },
  });
};

export const panel = (page: Page) => page.getByRole('dialog', { name: 'Avow diagnostics' });

/** The line that the console of Avow shows. */
export async function openPanel(page: Page, host: string): Promise<void> {
  await page.evaluate(`import('${host}/debug.js').then(() => avowDebug())`);
  await panel(page).waitFor();
  await until('the bundle is read, or cannot be', async () => {
    const { bundle, problem } = (await reportOf(page)).banner;
    return bundle !== null || problem !== null;
  });
}

/** What "Copy report" copies. */
export async function reportOf(page: Page): Promise<Report> {
  await panel(page).getByRole('button', { name: 'Copy report' }).click();
  await panel(page).getByText('Copied.').waitFor();
  return JSON.parse(await page.evaluate(() => (window as unknown as { copied: string }).copied));
}
