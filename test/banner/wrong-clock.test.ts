import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { readCookie } from '../helpers/banner/cookie';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const DOMAIN = 'shop.localhost';
const HOUR = 3_600_000;

describeInBrowser('a decision by a clock that was wrong, and the cookie that subdomains share', () => {
  let shop: Shop;
  let blog: string;
  beforeAll(async () => {
    shop = await openShop();
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner: { ...settings.banner, cookie: { domain: DOMAIN, days: 30 } } });
    blog = shop.origin.replace(DOMAIN, `blog.${DOMAIN}`);
    shop.set('/counted', {
      body: '<script type="text/plain" data-category="analytics" data-src="/counter.js"></script>',
    });
  });
  afterAll(() => shop.stop());

  const decide = (page: Page, how: 'accept' | 'reject') =>
    page.evaluate((name) => (window.Avow as AvowBanner)[name](), how);
  const header = async (context: BrowserContext) =>
    (await context.cookies([shop.origin])).map(({ name, value }) => `${name}=${value}`).join('; ');
  /** A page by a clock that is so many hours ahead. */
  async function open(url: string, context: BrowserContext, hours: number): Promise<Page> {
    const page = await context.newPage();
    await page.addInitScript((more) => {
      const { now } = Date;
      Date.now = () => now() + more;
    }, hours * HOUR);
    await page.goto(url);
    await until('the banner has run', () => consentOf(page).then(() => true));
    return page;
  }

  test.each([
    ['ahead, when its day has come', 240, 0, 241],
    ['ahead of another that is still so', 240, 100, 241],
    ['right, and behind since', 0, -2_400, 0],
  ])('%s: what is withdrawn after it stays so', async (_, first, second, third) => {
    const context = await shop.browser.newContext();
    const page = await open(shop.origin, context, first);
    await decide(page, 'accept');
    await page.close();
    const other = await open(blog, context, second);
    expect(await consentOf(other)).toBeNull();
    await decide(other, 'reject');
    const before = await consentOf(other);
    // By its own clock, as it is recorded.
    expect(Math.abs(Date.parse(before?.recorded_at ?? '') - Date.now() - second * HOUR)).toBeLessThan(HOUR);
    await other.close();
    const back = await open(shop.origin, context, third);
    expect(await consentOf(back)).toMatchObject({ decision: 'reject_all' });
    // The next one counts again, here and there.
    await decide(back, 'accept');
    const last = await open(blog, context, third);
    expect(await consentOf(last)).toMatchObject({ decision: 'accept_all' });
    const now = Date.now() + third * HOUR;
    expect(readCookie(await header(context), shop.token, now)?.decision).toBe('accept_all');
    await context.close();
  });

  test('the place of a consent among all counts for nothing against a later decision that did not know it and allows less', async () => {
    const context = await shop.browser.newContext();
    const ahead = await open(shop.origin, context, 20_000);
    await decide(ahead, 'accept');
    await ahead.close();
    const page = await open(shop.origin, context, 0);
    await decide(page, 'accept');
    await page.close();
    // A log-out may delete cookies alone.
    await context.clearCookies();
    const other = await open(blog, context, 0);
    await other.evaluate(() => (window.Avow as AvowBanner).save({ analytics: true }));
    await other.close();
    const back = await open(shop.origin, context, 0);
    const saved = { decision: 'save_preferences', categories: { analytics: true, marketing: false } };
    expect(await consentOf(back)).toMatchObject(saved);
    expect(readCookie(await header(context), shop.token)?.decision).toBe('save_preferences');
    await back.close();
    const there = await open(blog, context, 0);
    expect(await consentOf(there)).toMatchObject(saved);
    // Another one follows, as ever.
    await decide(there, 'accept');
    const last = await open(shop.origin, context, 0);
    expect(await consentOf(last)).toMatchObject({ decision: 'accept_all' });
    await context.close();
  });

  test('what is chosen behind the clock of another choice replaces it', async () => {
    const context = await shop.browser.newContext();
    const save = (page: Page, key: string) =>
      page.evaluate((name) => (window.Avow as AvowBanner).save({ [name]: true }), key);
    const page = await open(shop.origin, context, 0);
    await save(page, 'marketing');
    await page.close();
    const behind = await open(blog, context, -72);
    expect(await consentOf(behind)).toBeNull();
    await save(behind, 'analytics');
    await behind.close();
    const chosen = { categories: { analytics: true, marketing: false } };
    for (const url of [shop.origin, blog, shop.origin]) {
      const back = await open(url, context, 0);
      expect(await consentOf(back)).toMatchObject(chosen);
      await back.close();
    }
    await context.close();
  });

  test.each([
    ['by one press', 'reject', 'reject_all'],
    ['in the settings', 'save', 'save_preferences'],
  ] as const)(
    'a refusal %s by a clock that was ahead stays where it was made when the cookie is gone: the visitor is asked',
    async (_, how, decision) => {
      const context = await shop.browser.newContext();
      const there = await open(blog, context, -48);
      await decide(there, 'accept');
      await there.close();
      const ahead = await open(shop.origin, context, 48);
      await ahead.evaluate((name) => (window.Avow as AvowBanner)[name]({}), how);
      await ahead.close();
      await context.clearCookies();
      // It knows the consent alone, and tells the cookie of it.
      const back = await open(blog, context, 0);
      expect(await consentOf(back)).toMatchObject({ decision: 'accept_all' });
      await back.close();
      for (let n = 0; n < 2; n += 1) {
        const page = await open(`${shop.origin}/counted`, context, 0);
        expect(await consentOf(page)).toBeNull();
        expect(await page.evaluate(() => (window as unknown as { ran?: string[] }).ran)).toBeUndefined();
        await page.close();
      }
      const later = await open(shop.origin, context, 49);
      expect(await consentOf(later)).toMatchObject({ decision });
      await context.close();
    },
  );

  test('one of the future that is in a cookie of the host is not put in force by a refusal', async () => {
    const context = await shop.browser.newContext();
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const value = new URLSearchParams({
      ...{ v: '1', site: shop.token, session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', method: 'banner' },
      ...{ decision: 'accept_all', policy_version: settings.policy_version, at: `${Date.now() + 9e8}` },
      ...{ allowed: 'functional analytics marketing', refused: '' },
    });
    await context.addCookies([{ name: 'avow_consent', value: `${value}`, url: shop.origin }]);
    const page = await shop.visit('/counted', context);
    await page.getByRole('button', { name: 'Reject all' }).click();
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    expect((await context.cookies([shop.origin])).length).toBe(2);
    const items = await until('the record', async () => {
      const session_id = (await consentOf(page))?.session_id as string;
      const listed = await shop.client.listConsents({ token: shop.token, session_id });
      return listed.items.length > 0 && listed.items;
    });
    await page.reload();
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    expect(items.map(({ decision }) => decision)).toEqual(['reject_all']);
    expect(readCookie(await header(context), shop.token)?.decision).toBe('reject_all');
    expect(await page.evaluate(() => (window as unknown as { ran?: string[] }).ran)).toBeUndefined();
    await context.close();
  });
});
