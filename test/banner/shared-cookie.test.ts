import type { BrowserContext, Page } from 'playwright-core';
import { readConsentCookie } from '../../sdk/src/cookie';
import { readCookie } from '../helpers/banner/cookie';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

const DOMAIN = 'shop.localhost';

describeInBrowser('a cookie that subdomains share and servers read', () => {
  let shop: Shop;
  let blog: string;
  beforeAll(async () => {
    shop = await openShop();
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner: { ...settings.banner, cookie: { domain: DOMAIN, days: 30 } } });
    blog = shop.origin.replace(DOMAIN, `blog.${DOMAIN}`);
  });
  afterAll(() => shop.stop());

  const press = (page: Page, name: string) =>
    page.locator('avow-banner').getByRole('button', { name, exact: true }).click();
  const isAsked = (page: Page) => page.locator('avow-banner').getByRole('dialog').isVisible();
  const cookiesOf = async (context: BrowserContext) =>
    (await context.cookies([shop.origin])).filter(({ name }) => name === 'avow_consent');
  /** What the browser sends a server. */
  const header = async (context: BrowserContext) =>
    (await context.cookies([shop.origin])).map(({ name, value }) => `${name}=${value}`).join('; ');
  const visitBlog = async (context: BrowserContext) => {
    const page = await context.newPage();
    await page.goto(blog);
    return page;
  };

  test('nothing is set before a decision, and then what the server reads is the decision', async () => {
    const page = await shop.visit();
    const context = page.context();
    await page.locator('avow-banner').getByRole('dialog').waitFor();
    expect(await cookiesOf(context)).toEqual([]);
    await press(page, 'Reject all');
    const [cookie] = await cookiesOf(context);
    expect(cookie).toMatchObject({ domain: `.${DOMAIN}`, path: '/', sameSite: 'Lax', httpOnly: false });
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(Math.round(days)).toBe(30);
    const { categories: all, ...told } = (await consentOf(page)) as NonNullable<
      Awaited<ReturnType<typeof consentOf>>
    >;
    const { necessary: _, ...categories } = all;
    expect(readCookie(await header(context), shop.token)).toEqual({
      ...told,
      categories,
      rule: null,
      vendors: null,
    });
    await context.close();
  });

  test('a subdomain does not ask again, knows the same session, and a withdrawal there holds everywhere', async () => {
    const page = await shop.visit();
    const context = page.context();
    await press(page, 'Accept all');
    const session = (await consentOf(page))?.session_id;
    const other = await visitBlog(context);
    await until('the banner has run', () => consentOf(other).catch(() => undefined));
    expect(await consentOf(other)).toMatchObject({ decision: 'accept_all', session_id: session });
    expect(await isAsked(other)).toBe(false);
    await other.evaluate(() => (window.Avow as { reject(): void }).reject());
    await page.reload();
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', session_id: session });
    expect(await isAsked(page)).toBe(false);
    // Each decision is on record once, whichever host made it.
    await until('both are confirmed', async () => {
      const [here, there] = [await memoryOf(page, shop.token), await memoryOf(other, shop.token)];
      return here?.unsent.length === 0 && there?.unsent.length === 0;
    });
    const { items } = await shop.client.listConsents({ token: shop.token, session_id: session as string });
    expect(items.map(({ decision }) => decision)).toEqual(['reject_all', 'accept_all']);
    // The older decision that this host had itself is gone: a browser that drops the cookie does not bring it back.
    await until(
      'it is stored here, too',
      async () => (await memoryOf(page, shop.token))?.decision === 'reject_all',
    );
    await context.clearCookies();
    await page.reload();
    expect((await consentOf(page))?.decision).toBe('reject_all');
    // And the visit has set the cookie again.
    await until('the cookie is back', async () => (await cookiesOf(context)).length === 1);
    await context.close();
  });

  test('what waited on one host does not come after what was decided on another since', async () => {
    const context = await shop.browser.newContext();
    const page = await context.newPage();
    const reports = '**/api/v/*/ce';
    await page.route(reports, (route) => route.abort());
    await page.addInitScript(() => {
      navigator.sendBeacon = () => false;
    });
    await page.goto(shop.origin);
    await press(page, 'Accept all');
    const session = (await consentOf(page))?.session_id as string;
    await page.close();
    const other = await visitBlog(context);
    await until('the banner has run', () => consentOf(other).catch(() => undefined));
    await other.evaluate(() => (window.Avow as { reject(): void }).reject());
    await until('it is confirmed', async () => (await memoryOf(other, shop.token))?.unsent.length === 0);
    const back = await shop.visit('/', context);
    await until('all is confirmed', async () => {
      const memory = await memoryOf(back, shop.token);
      return memory?.decision === 'reject_all' && memory.unsent.length === 0;
    });
    const { items } = await shop.client.listConsents({ token: shop.token, session_id: session });
    expect(items.map(({ decision }) => decision)).toEqual(['reject_all', 'accept_all', 'reject_all']);
    // It is said again of no banner: that of the other host may have been another.
    expect(items.map(({ bundle_hash }) => bundle_hash === null)).toEqual([true, false, false]);
    const preferences = await shop.client.getPreferences({ token: shop.token, session_id: session });
    expect(preferences).toMatchObject({ decision: 'reject_all' });
    await context.close();
  });

  test.each([
    ['reject', 'accept', ['accept_all']],
    ['accept', 'reject', ['reject_all', 'accept_all', 'reject_all']],
  ] as const)(
    'what waited (%s) does not come last where a newer decision (%s) is not in force any more: %j',
    async (first, second, recorded) => {
      const context = await shop.browser.newContext();
      const page = await context.newPage();
      await page.route('**/api/v/*/ce', (route) => route.abort());
      await page.addInitScript(() => {
        navigator.sendBeacon = () => false;
      });
      const decide = (on: Page, how: 'accept' | 'reject') =>
        on.evaluate((name) => (window.Avow as unknown as Record<string, () => void>)[name]?.(), how);
      await page.goto(shop.origin);
      await page.locator('avow-banner').getByRole('dialog').waitFor();
      await decide(page, first);
      const session = (await consentOf(page))?.session_id as string;
      await page.close();
      const other = await visitBlog(context);
      await until('the banner has run', () => consentOf(other).catch(() => undefined));
      await decide(other, second);
      await until('it is confirmed', async () => (await memoryOf(other, shop.token))?.unsent.length === 0);
      await other.close();
      const policyVersion = `after-${first}`;
      await shop.publish({ policy_version: policyVersion });
      const back = await shop.visit('/', context);
      await back.locator('avow-banner').getByRole('dialog').waitFor();
      // The old decision is still in the cookie, and a server takes it for none.
      const sent = await header(context);
      expect(readCookie(sent, shop.token)).not.toBeNull();
      expect(readConsentCookie(sent, { site: shop.token, policyVersion, lifetimeDays: 180 })).toBeNull();
      // Leaving sends what waits; nothing is decided.
      await back.goto(`${shop.origin}/`);
      await back.locator('avow-banner').getByRole('dialog').waitFor();
      await back.close();
      const listed = async () =>
        (await shop.client.listConsents({ token: shop.token, session_id: session })).items;
      await until('all is recorded', async () => (await listed()).length === recorded.length);
      await back.context().close();
      expect((await listed()).map(({ decision }) => decision)).toEqual(recorded);
    },
  );

  test('a decision of this host that waits is sent, whatever the site asks since', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const context = await shop.browser.newContext();
    const page = await context.newPage();
    await page.route('**/api/v/*/ce', (route) => route.abort());
    await page.addInitScript(() => {
      navigator.sendBeacon = () => false;
    });
    await page.goto(shop.origin);
    await page.locator('avow-banner').getByRole('dialog').waitFor();
    await page.evaluate(() =>
      (window.Avow as unknown as { save(all: object): void }).save({ analytics: true, functional: true }),
    );
    const session = (await consentOf(page))?.session_id as string;
    await page.close();
    const categories = settings.categories.filter(({ key }) => key !== 'functional');
    await shop.publish({ policy_version: 'fewer', categories });
    const back = await shop.visit('/', context);
    const items = await until('it is recorded', async () => {
      const listed = await shop.client.listConsents({ token: shop.token, session_id: session });
      if (listed.items.length === 0) await back.reload();
      return listed.items.length > 0 && listed.items;
    });
    expect(items.map(({ categories: chosen }) => chosen)).toEqual([
      { functional: true, analytics: true, marketing: false },
    ]);
    await context.close();
    await shop.publish({ categories: settings.categories });
  });

  test('a cookie that had no room for a choice is no refusal of the visitor’s', async () => {
    const context = await shop.browser.newContext();
    const page = await context.newPage();
    await page.route('**/api/v/*/ce', (route) => route.abort());
    await page.addInitScript(() => {
      navigator.sendBeacon = () => false;
    });
    await page.goto(shop.origin);
    await press(page, 'Accept all');
    const session = (await consentOf(page))?.session_id as string;
    const [cookie] = await cookiesOf(context);
    await page.close();
    const none = new URLSearchParams(cookie?.value);
    none.set('at', `${Number(none.get('at')) + 1}`);
    none.set('decision', 'reject_all');
    none.set('allowed', '');
    await context.addCookies([{ name: 'avow_consent', value: `${none}`, domain: `.${DOMAIN}`, path: '/' }]);
    const back = await shop.visit('/', context);
    await back.locator('avow-banner').getByRole('dialog').waitFor();
    await back.evaluate(() => void dispatchEvent(new Event('online')));
    await until('nothing waits', async () => (await memoryOf(back, shop.token)).unsent.length === 0);
    const { items } = await shop.client.listConsents({ token: shop.token, session_id: session });
    expect(items).toEqual([]);
    await context.close();
  });

  test('a program that knows less of a decision leaves the cookie as it is', async () => {
    const page = await shop.visit();
    const context = page.context();
    await press(page, 'Accept all');
    const [cookie] = await cookiesOf(context);
    const more = `${cookie?.value}&allowed_vendors=1&refused_vendors=2`;
    await context.addCookies([{ name: 'avow_consent', value: more, domain: `.${DOMAIN}`, path: '/' }]);
    await page.reload();
    await until('the banner has run', () => consentOf(page).catch(() => undefined));
    const other = await visitBlog(context);
    await until('the banner has run', () => consentOf(other).catch(() => undefined));
    await until('it is kept here, too', async () => (await memoryOf(other, shop.token)) !== null);
    expect((await cookiesOf(context)).map(({ value }) => value)).toEqual([more]);
    await context.close();
  });

  test.each([10, 240])(
    'a clock that was %i hours ahead does not bring back what was withdrawn since',
    async (hours) => {
      const context = await shop.browser.newContext();
      const ahead = await context.newPage();
      await ahead.addInitScript((more) => {
        const { now } = Date;
        Date.now = () => now() + more;
      }, hours * 3_600_000);
      await ahead.goto(shop.origin);
      await press(ahead, 'Accept all');
      await ahead.close();
      const other = await visitBlog(context);
      await other.locator('avow-banner').getByRole('button').first().waitFor();
      await other.evaluate(() => (window.Avow as { reject(): void }).reject());
      const page = await shop.visit('/', context);
      expect((await consentOf(page))?.decision).toBe('reject_all');
      await other.reload();
      expect((await consentOf(other))?.decision).toBe('reject_all');
      expect(readCookie(await header(context), shop.token)?.decision).toBe('reject_all');
      await context.close();
    },
  );

  test.each([
    [
      'of another site',
      'v=1&site=env_x&session_id=0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11&decision=accept_all&at=9',
    ],
    ['that is broken', '%E0%A4%A'],
    ['without a session', 'v=1&decision=accept_all&at=1'],
    ['from the far future', undefined],
  ])('a cookie %s counts for nothing, and the next decision takes its place', async (_what, given) => {
    const context = await shop.browser.newContext();
    const far = new URLSearchParams({
      ...{ v: '1', site: shop.token, session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', method: 'banner' },
      ...{
        decision: 'accept_all',
        policy_version: '1',
        at: '9e12',
        allowed: 'functional analytics marketing',
      },
    });
    const value = given ?? `${far}`;
    await context.addCookies([{ name: 'avow_consent', value, domain: `.${DOMAIN}`, path: '/' }]);
    const page = await shop.visit('/', context);
    await page.locator('avow-banner').getByRole('dialog').waitFor();
    expect(await consentOf(page)).toBeNull();
    await press(page, 'Reject all');
    expect(readCookie(await header(context), shop.token)?.decision).toBe('reject_all');
    await context.close();
  });

  test('without the setting no cookie is ever set', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const { cookie, ...banner } = settings.banner;
    await shop.publish({ banner });
    try {
      const page = await shop.visit();
      await press(page, 'Accept all');
      expect((await consentOf(page))?.decision).toBe('accept_all');
      expect(await page.context().cookies()).toEqual([]);
      await page.context().close();
    } finally {
      await shop.publish({ banner: { ...banner, ...(cookie && { cookie }) } });
    }
  });
});
