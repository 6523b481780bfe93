import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const DOMAIN = 'shop.localhost';
const DAY = 86_400_000;

describeInBrowser('a cookie that the browser has deleted since', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
    await setCookie({ domain: DOMAIN, days: 30 });
  });
  afterAll(() => shop.stop());

  async function setCookie(cookie: object): Promise<void> {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner: { ...settings.banner, cookie } });
  }
  const decide = (page: Page, how: 'accept' | 'reject') =>
    page.evaluate((name) => (window.Avow as AvowBanner)[name](), how);
  const cookiesOf = async (context: BrowserContext) =>
    (await context.cookies()).filter(({ name }) => name === 'avow_consent');
  /** A visitor who has decided on the shop, whose page is left. */
  async function decided(how: 'accept' | 'reject', context: BrowserContext): Promise<void> {
    const page = await shop.visit('/', context);
    await page.getByRole('dialog').waitFor();
    await decide(page, how);
    await page.close();
  }
  /** The shop, that many days later. */
  async function later(context: BrowserContext, days: number): Promise<Page> {
    await context.addInitScript((more) => {
      const { now } = Date;
      Date.now = () => now() + more;
    }, days * DAY);
    const page = await shop.visit('/', context);
    await until('the banner has run', () => consentOf(page).then(() => true));
    return page;
  }

  test('does not bring back what was withdrawn on another subdomain before', async () => {
    const context = await shop.browser.newContext();
    await decided('accept', context);
    const blog = await context.newPage();
    await blog.goto(shop.origin.replace(DOMAIN, `blog.${DOMAIN}`));
    await until('the banner has run', () => consentOf(blog).catch(() => undefined));
    await decide(blog, 'reject');
    await blog.close();
    await context.clearCookies();
    const page = await later(context, 8);
    await page.getByRole('dialog').waitFor();
    expect(await consentOf(page)).toBeNull();
    // Nor by what is stored again when something is sent.
    await page.evaluate(() => void dispatchEvent(new Event('online')));
    expect(await cookiesOf(context)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Accept all' }).click();
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    expect(await cookiesOf(context)).toHaveLength(1);
    await page.reload();
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    await context.close();
  });

  test('what waits to be sent is sent, and other hosts are told nothing that may be out of date', async () => {
    const context = await shop.browser.newContext();
    await context.route('**/api/v/*/ce', (route) => route.abort());
    await context.addInitScript(() => {
      navigator.sendBeacon = () => false;
    });
    await decided('accept', context);
    await context.clearCookies();
    await context.unroute('**/api/v/*/ce');
    const page = await later(context, 8);
    await page.getByRole('dialog').waitFor();
    await page.evaluate(() => void dispatchEvent(new Event('online')));
    await until('it is sent', async () => (await memoryOf(page, shop.token)).unsent.length === 0);
    expect(await cookiesOf(context)).toEqual([]);
    await page.reload();
    await page.getByRole('dialog').waitFor();
    expect(await consentOf(page)).toBeNull();
    await context.close();
  });

  test.each([
    ['an acceptance', 'accept', 6, { domain: DOMAIN, days: 30 }],
    ['an acceptance that no other host shares', 'accept', 8, { days: 30 }],
    ['a refusal', 'reject', 8, { domain: DOMAIN, days: 30 }],
  ] as const)('leaves %s (%s) in force after %i days', async (_, how, days, cookie) => {
    await setCookie(cookie);
    const context = await shop.browser.newContext();
    await decided(how, context);
    await context.clearCookies();
    const page = await later(context, days);
    expect(await consentOf(page)).toMatchObject({ decision: `${how}_all` });
    await until('the cookie is back', async () => (await cookiesOf(context)).length === 1);
    await context.close();
    await setCookie({ domain: DOMAIN, days: 30 });
  });

  test('asks after a day where it lasts no longer', async () => {
    await setCookie({ domain: DOMAIN, days: 1 });
    const context = await shop.browser.newContext();
    await decided('accept', context);
    await context.clearCookies();
    const page = await later(context, 2);
    await page.getByRole('dialog').waitFor();
    expect(await consentOf(page)).toBeNull();
    await context.close();
    await setCookie({ domain: DOMAIN, days: 30 });
  });

  test('nobody is asked for a cookie that the browser never took', async () => {
    const context = await shop.browser.newContext();
    await context.addInitScript(() =>
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => undefined }),
    );
    await decided('accept', context);
    const page = await later(context, 8);
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    await context.close();
  });
});
