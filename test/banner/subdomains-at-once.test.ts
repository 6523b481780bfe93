import type { BrowserContext, Page } from 'playwright-core';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { avow, blocked, button, openVendorShop, ran, runs, type VendorShop } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const DOMAIN = 'shop.localhost';
const FILM =
  '<iframe title="Film" data-category="marketing" data-src="/film" width="400" height="300"></iframe>';
const COUNTER =
  '<iframe title="Counter" data-category="analytics" data-src="/film" width="400" height="300"></iframe>';

/** Opens the other subdomain while the first stays open. */
async function visitBlog(shop: Shop, context: BrowserContext): Promise<Page> {
  const blog = await context.newPage();
  await blog.goto(shop.origin.replace(DOMAIN, `blog.${DOMAIN}`));
  await until('the banner has run', () => consentOf(blog).catch(() => undefined));
  return blog;
}

/** The browser of a test shows all pages at once, so the page is told that the visitor comes back. */
const comeBack = (page: Page) =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
const loaded = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('iframe[src]')].map((one) => (one as HTMLElement).title));

async function shareCookie(shop: Shop): Promise<void> {
  const { settings } = await shop.client.getEnvironment({ token: shop.token });
  await shop.publish({ banner: { ...settings.banner, cookie: { domain: DOMAIN, days: 30 } } });
}

describeInBrowser('pages of two subdomains that are open at once', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
    shop.set('/', { body: `<h1>Shop</h1>${COUNTER}${FILM}` });
    shop.set('/film', { snippet: '', body: 'A film' });
    await shareCookie(shop);
  });
  afterAll(() => shop.stop());

  /** A page where analytics is allowed, and one of another subdomain where everything was refused since. */
  async function refusedElsewhere(): Promise<[Page, Page]> {
    const page = await shop.visit();
    await button(page, 'Reject all').waitFor();
    await avow(page, (banner) => banner.save({ analytics: true }));
    await until('the counter', async () => (await loaded(page)).includes('Counter'));
    const blog = await visitBlog(shop, page.context());
    await avow(blog, (banner) => banner.reject());
    return [page, blog];
  }

  test('a placeholder’s Allow allows its category, and nothing that was refused on the other since', async () => {
    const [page] = await refusedElsewhere();
    await page.evaluate(() => {
      const told = window as unknown as { changes: unknown[] };
      told.changes = [];
      document.addEventListener('avow:change', ({ detail: { granted, withdrawn } }: CustomEventInit) =>
        told.changes.push({ granted, withdrawn }),
      );
    });
    await page.getByRole('group', { name: 'Film' }).getByRole('button').click();
    expect((await consentOf(page))?.categories).toMatchObject({ analytics: false, marketing: true });
    await until('frames', async () => JSON.stringify(await loaded(page)) === '["Film"]');
    // The page is told of both at once.
    expect(await page.evaluate(() => (window as unknown as { changes: unknown }).changes)).toEqual([
      { granted: ['marketing'], withdrawn: ['analytics'] },
    ]);
    const { session_id } = await memoryOf(page, shop.token);
    const items = await until('the records', async () => {
      const listed = await shop.client.listConsents({ token: shop.token, session_id });
      return listed.items.length === 3 && listed.items;
    });
    expect(items[0]?.categories).toEqual({ functional: false, analytics: false, marketing: true });
    await page.context().close();
  });

  test('a page that is seen again follows the newer decision, once', async () => {
    const [page, blog] = await refusedElsewhere();
    await comeBack(page);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    await until('frames', async () => (await loaded(page)).length === 0);
    // Also when the browser drops the cookie while both are open.
    await page.context().clearCookies();
    await comeBack(page);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    const before = await memoryOf(blog, shop.token);
    for (const one of [blog, page, blog, page]) await comeBack(one);
    expect(await memoryOf(blog, shop.token)).toEqual(before);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    await page.context().close();
  });

  test('the press that brings a window to the front is an answer', async () => {
    const page = await shop.visit();
    await button(page, 'Settings').click();
    await button(page, 'Save choice').waitFor();
    const blog = await visitBlog(shop, page.context());
    await avow(blog, (banner) => banner.save({ analytics: true }));
    await page.evaluate(async () => {
      dispatchEvent(new Event('focus'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const all = document.querySelector('avow-banner')?.shadowRoot?.querySelectorAll('button') ?? [];
      [...all].find((one) => one.textContent === 'Reject all')?.click();
    });
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    // Without one, the page follows.
    await avow(blog, (banner) => banner.save({ functional: true }));
    await page.evaluate(() => void dispatchEvent(new Event('focus')));
    await until('the newer one', async () => (await consentOf(page))?.decision === 'save_preferences');
    await page.context().close();
  });

  test('layers close when the other subdomain was answered: switches would show what was allowed before', async () => {
    const page = await shop.visit();
    const context = page.context();
    await button(page, 'Reject all').waitFor();
    const other = await shop.visit('/', context);
    await button(other, 'Settings').click();
    await other.getByRole('switch', { name: 'Functional', exact: true }).check();
    const blog = await visitBlog(shop, context);
    await avow(blog, (banner) => banner.save({ analytics: true }));
    for (const one of [page, other]) await comeBack(one);
    for (const one of [page, other])
      await until('the layer is gone', async () => (await one.getByRole('dialog').count()) === 0);
    await button(other, 'Privacy settings').click();
    const switches = (name: string) => other.getByRole('switch', { name, exact: true }).isChecked();
    expect([await switches('Functional'), await switches('Analytics')]).toEqual([false, true]);
    await context.close();
  });
});

describeInBrowser('pages of two subdomains with rules by region', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ regions: { rules: 'law' } });
    const noted = `document.addEventListener('avow:change', (event) => (window.withdrawn = event.detail.withdrawn))`;
    shop.set('/', { head: `<script>${noted}</script>`, body: `<h1>Shop</h1>${COUNTER}` });
    shop.set('/film', { snippet: '', body: 'A film' });
    await shareCookie(shop);
  });
  afterAll(() => shop.stop());

  test('a withdrawal on the other, before a page knows its region, is told as one', async () => {
    const context = await shop.browser.newContext();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/region*', async (route) => {
      const isBlog = route.request().headers().referer?.includes('//blog.');
      if (isBlog) await held;
      // Asked first at home, and now where nobody is.
      await route.fulfill({
        json: { data: { region: isBlog ? 'US-CA' : 'DE' } },
        headers: { 'access-control-allow-origin': '*' },
      });
    });
    const page = await context.newPage();
    await page.goto(shop.origin);
    await button(page, 'Accept all').click();
    const blog = await visitBlog(shop, context);
    expect(await consentOf(blog)).toMatchObject({ decision: 'accept_all' });
    await avow(page, (banner) => banner.reject());
    release();
    await until('the withdrawal', () =>
      blog.evaluate(() => (window as unknown as { withdrawn?: string[] }).withdrawn?.includes('analytics')),
    );
    await context.close();
  });
});

describeInBrowser('pages of two subdomains where visitors choose by vendor', () => {
  let shop: VendorShop;
  beforeAll(async () => {
    shop = await openVendorShop();
    const frame = '<iframe title="Film" data-category="marketing" data-vendor="755" data-src="/film"';
    shop.set('/', {
      head: blocked('counter', 'analytics', 801),
      body: `<h1>Shop</h1>${frame} width="400" height="300"></iframe>`,
    });
    shop.set('/film', { snippet: '', body: 'A film' });
    await shareCookie(shop);
  });
  afterAll(() => shop.stop());

  test.each(['Always allow Film Ltd', 'Allow: Marketing'])(
    '“%s” allows no vendor that was refused on the other since',
    async (name) => {
      const page = await shop.visit();
      await button(page, 'Reject all').waitFor();
      await avow(page, (banner) => banner.save({ analytics: true }));
      await runs(page, ['counter']);
      const blog = await visitBlog(shop, page.context());
      await avow(blog, (banner) => banner.reject());
      await button(page, name).click();
      const isMarketing = name.startsWith('Allow');
      expect(await consentOf(page)).toMatchObject({
        categories: { analytics: false, marketing: isMarketing },
        vendors: { 755: true, 801: false, 802: isMarketing },
      });
      await blog.reload();
      await until('the film', async () => (await loaded(blog)).includes('Film'));
      expect(await ran(blog)).toEqual([]);
      await page.context().close();
    },
  );
});
