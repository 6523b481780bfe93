import type { Browser, Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { launchBrowser } from '../helpers/browser/chromium';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** Notes what the page hears, and whether it came back from the back/forward cache. */
const HEAD = `<script>
  window.notes = [];
  for (const name of ['show', 'hide', 'consent', 'change'])
    document.addEventListener('avow:' + name, () => notes.push(name));
  addEventListener('pageshow', ({ persisted }) => persisted && notes.push('back'));
</script>`;
const notes = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { notes: string[] }).notes);

describeInBrowser('a page that comes back from the back/forward cache', () => {
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    shop = await openShop();
    const { snippet_pinned } = await shop.publish();
    shop.set('/first', { head: HEAD });
    shop.set('/async', { head: HEAD, snippet: snippet_pinned });
    browser = await launchBrowser([], ['--disable-back-forward-cache']);
  });
  afterAll(async () => {
    await browser?.close();
    await shop.stop();
  });

  /** A visitor on the page after the one that will come back. */
  const onNextPage = async (before: (page: Page) => Promise<unknown>, path = '/first') => {
    const context = await browser.newContext();
    const impressions: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('/impressions/')) impressions.push(request.url());
    });
    const page = await shop.visit(path, context);
    await page.getByRole('dialog').waitFor();
    await before(page);
    await until('the impression is counted', async () => impressions.length === 1);
    await page.goto(`${shop.origin}/next`);
    await page.getByRole('dialog').waitFor();
    await until('the next impression is counted', async () => impressions.length === 2);
    const back = async () => {
      await page.goBack({ waitUntil: 'commit' });
      await until('it is back', async () => (await notes(page)).includes('back'));
    };
    return { context, page, impressions, back };
  };
  const nothing = async () => undefined;

  test.each([
    ['on the next page', '/first'],
    ['in another tab', '/first'],
    ['on the next page', '/async'],
  ])('obeys a decision that was made %s meanwhile, and hides the banner: %s', async (where, path) => {
    const { context, page, impressions, back } = await onNextPage(nothing, path);
    const decider = where === 'on the next page' ? page : await shop.visit('/other', context);
    await press(decider, 'Accept all');
    await decider.getByRole('dialog').waitFor({ state: 'detached' });
    const counted = impressions.length;
    await back();
    await until('it is hidden', async () => (await notes(page)).includes('hide'));
    // Which listener of the return comes first depends on when the script came.
    const told = (await notes(page)).filter((note) => note !== 'back');
    expect(told).toEqual(['show', 'consent', 'change', 'hide']);
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    expect(impressions).toHaveLength(counted);
    await context.close();
  });

  test.each([
    ['was open', nothing],
    [
      'was closed without a choice',
      async (page: Page) => {
        await page.keyboard.press('Tab');
        await page.keyboard.press('Escape');
        await until('it is hidden', async () => (await notes(page)).includes('hide'));
      },
    ],
  ])(
    'shows the banner that %s while nothing is decided, and counts no second impression',
    async (_, before) => {
      const { context, page, impressions, back } = await onNextPage(before);
      await back();
      await page.getByRole('dialog').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(1);
      expect(await consentOf(page)).toBeNull();
      // The choice is still the visitor's, and it comes after whatever the return has begun.
      await press(page, 'Reject all');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(impressions).toHaveLength(2);
      await context.close();
    },
  );
});
