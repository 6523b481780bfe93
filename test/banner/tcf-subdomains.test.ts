import type { Page } from 'playwright-core';
import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { readCookie } from '../helpers/banner/cookie';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { avow, button } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { choiceIn } from '../helpers/tcf/choice';
import { type ListHost, listed, startListHost, vendorList } from '../helpers/tcf/list';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const DOMAIN = 'shop.localhost';
const FRAME =
  '<iframe title="Film" data-category="marketing" data-src="/film" width="400" height="300"></iframe>';
/** Far apart, so that strings are long. */
const vendors = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    listed(16 * (index + 1), { purposes: [1, 8, 9], legIntPurposes: [2, 7] }),
  );
const NAMES = ['Use limited data to select advertising', 'Measure advertising performance'];

describeInBrowser('subdomains and the framework', () => {
  let host: ListHost;
  let shop: Shop;
  let day = 0;
  const refresh = (server: Shop['server']): Promise<void> => {
    day += 1;
    const now = new Date(Date.UTC(2027, 0, day));
    return refreshVendorList(server.service.context, now, new AbortController().signal);
  };
  beforeAll(async () => {
    host = await startListHost(vendorList({}, vendors(20)));
    const variables = { TCF_CMP_ID: '300', TCF_LIST: host.place };
    shop = await openShop({ tcf: { publisher_country: 'DE' } }, variables, refresh);
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await show({ banner: { ...settings.banner, cookie: { domain: DOMAIN, days: 30 } } });
  });
  afterAll(async () => {
    await shop?.stop();
    await host?.stop();
  });
  async function show(settings?: object): Promise<void> {
    const { snippet_pinned: snippet } = await shop.publish(settings);
    shop.set('/', { snippet, body: `<h1>Shop</h1>${FRAME}` });
    shop.set('/film', { snippet: '', body: 'A film' });
  }
  /** Shows a list; the strings of 400 vendors are too long for a cookie. */
  async function showMany(version: number, count = 400, settings?: object): Promise<void> {
    host.files.set(
      'vendor-list.json',
      JSON.stringify(vendorList({ vendorListVersion: version }, vendors(count))),
    );
    await refresh(shop.server);
    await show(settings);
  }
  const visitBlog = async (page: Page): Promise<Page> => {
    const blog = await page.context().newPage();
    await blog.goto(shop.origin.replace(DOMAIN, `blog.${DOMAIN}`));
    return blog;
  };
  const stringOf = async (page: Page): Promise<string> => (await memoryOf(page, shop.token))?.tc ?? '';
  const interest = (page: Page, name: string) =>
    page.getByRole('switch', { name: `${name} Legitimate interest`, exact: true });
  const allow = (page: Page) => page.getByRole('group', { name: 'Film' }).getByRole('button').click();
  /** Consents to storage, and objects to the first of two legitimate interests. */
  async function object(page: Page): Promise<void> {
    await button(page, 'Settings').click();
    await page
      .getByRole('switch', { name: 'Store and/or access information on a device Consent', exact: true })
      .check();
    await interest(page, NAMES[0] as string).uncheck();
    await button(page, 'Save choice').click();
    await until('the decision', async () => (await consentOf(page))?.decision === 'save_preferences');
  }

  test('Allow on a page that does not know of a refusal on another subdomain signs nothing that it refused', async () => {
    const page = await shop.visit();
    await button(page, 'Reject all').waitFor();
    await avow(page, (banner) => banner.save({ analytics: true }));
    expect(choiceIn(await stringOf(page)).purposes).not.toEqual([]);
    const blog = await visitBlog(page);
    await until('the banner has run', () => consentOf(blog).catch(() => undefined));
    await avow(blog, (banner) => banner.reject());
    await allow(page);
    expect((await consentOf(page))?.categories).toMatchObject({ analytics: false, marketing: true });
    expect(choiceIn(await stringOf(page))).toMatchObject({ purposes: [], legInt: [], vendors: [] });
    await page.context().close();
  });

  test('objections in a string that the cookie has no place for hold on other subdomains', async () => {
    await showMany(121);
    const page = await shop.visit();
    await object(page);
    const string = await stringOf(page);
    expect(string.length).toBeGreaterThanOrEqual(3000);
    expect(choiceIn(string).legInt).toEqual([7]);
    const blog = await visitBlog(page);
    await button(blog, 'Settings').click();
    // It is not known to which.
    for (const name of NAMES) expect(await interest(blog, name).isChecked()).toBe(false);
    await blog.keyboard.press('Escape');
    await button(blog, 'Settings').waitFor();
    await blog.evaluate(() => document.querySelector('avow-banner')?.remove());
    await allow(blog);
    await until('the film', async () => (await consentOf(blog))?.categories.marketing === true);
    expect(choiceIn(await stringOf(blog))).toMatchObject({ purposes: [], legInt: [], legIntVendors: [] });
    // Which the first host takes over.
    await page.reload();
    await until('the banner has run', async () => (await consentOf(page).catch(() => null)) !== null);
    expect(choiceIn((await consentOf(page))?.tc_string ?? '')).toMatchObject({ legInt: [] });
    await page.context().close();
  });

  test('a decision without its string is said again once for what waits, not for ever', async () => {
    await showMany(121);
    const page = await shop.visit();
    const context = page.context();
    await button(page, 'Reject all').waitFor();
    const blog = await visitBlog(page);
    await button(blog, 'Reject all').waitFor();
    // What the other subdomain decides does not reach the server.
    const path = `**/api/v/${shop.token}/ce`;
    await blog.route(path, (route) => route.abort());
    await button(blog, 'Accept all').click();
    await until('it waits', async () => (await memoryOf(blog, shop.token))?.unsent.length === 1);
    await object(page);
    await blog.unroute(path);
    let sent = 0;
    await context.route(path, (route) => {
      sent += 1;
      // More than these is without end.
      return sent > 8 ? route.abort() : route.continue();
    });
    await blog.evaluate(() => void dispatchEvent(new Event('online')));
    await until('all is sent', async () => (await memoryOf(blog, shop.token))?.unsent.length === 0);
    expect(sent).toBe(2);
    await context.close();
  });

  test('a decision that is too long for a cookie with its string replaces an older one without it', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    const more = Array.from({ length: 26 }, (_, index) => ({
      ...{
        key: `a_category_of_a_long_name_${index}`.padEnd(40, '_'),
        name: `Extra ${index}`,
        description: 'More.',
      },
      ...{ required: false, google_consent: [] },
    }));
    await showMany(122, 363, { categories: [...settings.categories, ...more] });
    await page.reload();
    await object(page);
    const { length } = await stringOf(page);
    expect([length > 2900, length < 3000]).toEqual([true, true]);
    const cookies = (await page.context().cookies([shop.origin])).map(
      ({ name, value }) => `${name}=${value}`,
    );
    const read = readCookie(cookies.join('; '), shop.token);
    expect(read?.decision).toBe('save_preferences');
    const blog = await visitBlog(page);
    await button(blog, 'Settings').click();
    for (const name of NAMES) expect(await interest(blog, name).isChecked()).toBe(false);
    await page.context().close();
    await show({ categories: settings.categories });
  });

  test('where everything was accepted, no interest is taken for objected to', async () => {
    await showMany(123);
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    expect((await stringOf(page)).length).toBeGreaterThanOrEqual(3000);
    const blog = await visitBlog(page);
    await button(blog, 'Settings').click();
    for (const name of NAMES) expect(await interest(blog, name).isChecked()).toBe(true);
    await page.context().close();
  });
});
