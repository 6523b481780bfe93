import type { BrowserContext, Page } from 'playwright-core';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { arrived } from '../helpers/http/arrived';
import { PERSON, testOf } from '../helpers/site/two-banners';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const CALIFORNIA = { timezoneId: 'America/Los_Angeles' };
const TOKYO = { timezoneId: 'Asia/Tokyo' };
const BERLIN = { timezoneId: 'Europe/Berlin' };
const SESSION = '6b1f5f0e-9c1e-4a52-8d6c-7f1f0c5f1a10';

/** Who counts in a test of two banners. */
describeInBrowser('visitors of a test', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ regions: { rules: 'law' }, policy_version: '2' });
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner_test: testOf(settings) });
  });
  afterAll(() => shop.stop());

  const person = (more: object): Promise<BrowserContext> =>
    shop.browser.newContext({ userAgent: PERSON, ...more });
  /** A page view that shows the banner, and what it reports. */
  const view = async (context: BrowserContext): Promise<[Page, Record<string, unknown>]> => {
    const page = await context.newPage();
    const sent = arrived('/api/impressions/');
    await page.goto(shop.origin);
    return [page, await sent];
  };
  const counted = async (): Promise<number> => {
    const { current } = await shop.client.getBannerTest({ token: shop.token });
    return (current?.a.impressions ?? 0) + (current?.b.impressions ?? 0);
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  /** A decision that is stored already. */
  const remember = (context: BrowserContext, more: object): Promise<unknown> =>
    context.addInitScript(
      ([key, text]) => localStorage.setItem(key as string, text as string),
      [
        `avow:${shop.token}`,
        JSON.stringify({
          ...{ session_id: SESSION, decision: 'reject_all', method: 'banner', policy_version: '2' },
          ...{ categories: { preferences: false, analytics: false, marketing: false }, rule: 'opt_in' },
          ...{ at: Date.now() - 1000, unsent: [], ...more },
        }),
      ],
    );

  test.each([
    ['after a new policy', { policy_version: '1' }],
    ['after it has expired', { at: Date.parse('2020-01-01') }],
    ['about a new category', { categories: {} }],
    ['as Global Privacy Control is off', { method: 'gpc' }],
    [
      'as what was allowed elsewhere is no consent here',
      {
        decision: 'accept_all',
        rule: 'notice',
        categories: { preferences: true, analytics: true, marketing: true },
      },
    ],
  ])('who is asked again %s is drawn anew in each page view', async (_, more) => {
    const context = await person(BERLIN);
    await remember(context, more);
    const seen = new Set<unknown>();
    for (let views = 0; views < 40 && seen.size < 2; views += 1) {
      const [page, sent] = await view(context);
      expect(sent.in_test).toBe(true);
      seen.add(sent.bundle_hash);
      await page.close();
    }
    expect(seen.size).toBe(2);
    // The record is of the same session, as ever.
    const [page] = await view(context);
    const decided = arrived('/ce');
    await button(page, 'Reject all').click();
    expect(await decided).toMatchObject({ session_id: SESSION, ends_impression: true });
    await context.close();
  });

  test('notices of rules by region are impressions of the banner and not of the test', async () => {
    for (const [place, objection] of [
      [TOKYO, 'Settings'],
      [CALIFORNIA, 'Do not sell or share my personal information'],
    ] as const) {
      const before = await counted();
      const context = await person(place);
      const [page, sent] = await view(context);
      expect(sent.in_test).toBe(false);
      const decided = arrived('/ce');
      await button(page, objection).click();
      if (place === TOKYO) await button(page, 'Reject all').click();
      expect(await decided).not.toHaveProperty('ends_impression');
      await context.close();
      expect(await counted()).toBe(before);
    }
    await until('they are impressions', async () => {
      const { totals } = await shop.client.getAnalytics({ token: shop.token });
      return totals.impressions !== undefined && totals.impressions - (await counted()) >= 2;
    });
  });

  test('nor is the notice of Global Privacy Control', async () => {
    const context = await person(BERLIN);
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true }),
    );
    const [page, sent] = await view(context);
    expect(sent.in_test).toBe(false);
    const decided = arrived('/ce');
    await button(page, 'Accept all').click();
    expect(await decided).not.toHaveProperty('ends_impression');
    await context.close();
  });

  test('a decision in another tab ends the impression of this one without a success', async () => {
    const context = await person(BERLIN);
    const [first] = await view(context);
    const [second] = await view(context);
    await button(second, 'Reject all').click();
    await first.locator('dialog.first').waitFor({ state: 'detached' });
    const decided = arrived('/ce');
    await first.locator('avow-banner .control').click();
    await button(first, 'Accept all').click();
    const sent = await decided;
    expect(sent).toMatchObject({ decision: 'accept_all' });
    expect(sent).not.toHaveProperty('ends_impression');
    await context.close();
  });
});
