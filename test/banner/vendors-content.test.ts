import type { Page } from 'playwright-core';
import { consentOf, memoryOf } from '../helpers/banner/shop';
import { avow, button, openVendorShop, recordOf, type VendorShop } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const frame = (name: string, vendor: string): string =>
  `<iframe title="${name}" data-category="marketing" ${vendor} data-src="/frame-${name}" width="400" height="240"></iframe>`;
const BODY = `<h1>Shop</h1>${frame('one', 'data-vendor="755"')}${frame('two', 'data-vendor="755"')}${frame('three', 'data-vendor="802"')}${frame('four', '')}`;
const FILM = 'This content is from Film Ltd and needs your consent: Marketing.';

describeInBrowser('content that waits for a vendor', () => {
  let shop: VendorShop;
  beforeAll(async () => {
    shop = await openVendorShop();
    shop.set('/', { body: BODY });
    for (const name of ['one', 'two', 'three', 'four'])
      shop.set(`/frame-${name}`, { body: `<p>${name}</p>`, snippet: ' ' });
  });
  afterAll(() => shop.stop());

  const cover = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
  const offered = (page: Page, name: string) => cover(page, name).getByRole('button').allTextContents();
  const press = (page: Page, name: string, label: string) =>
    cover(page, name).getByRole('button', { name: label, exact: true }).click();
  /** The frames that have been given their address, in the order of the page. */
  const shown = (page: Page): Promise<string[]> =>
    page.locator('iframe[src]').evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));
  const shows = (page: Page, names: string[]) =>
    until(`${names} to be shown`, async () => `${await shown(page)}` === `${names}`);
  const visit = async () => {
    const page = await shop.visit();
    await cover(page, 'four').waitFor();
    return page;
  };
  /** What is counted when a page is left. */
  const interactions = async (page: Page): Promise<{ name: string; category?: string }[]> => {
    const sent = page.waitForRequest((request) => request.url().endsWith('/e'));
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
    return (JSON.parse((await sent).postData() ?? '{}') as { events: { name: string }[] }).events;
  };

  test('its placeholder names the vendor, and offers more than its category', async () => {
    const page = await visit();
    expect(await cover(page, 'one').locator('p').textContent()).toBe(FILM);
    expect(await offered(page, 'one')).toEqual(['Load once', 'Always allow Film Ltd', 'Allow: Marketing']);
    expect(await cover(page, 'four').locator('p').textContent()).toContain('once you allow “Marketing”');
    expect(await offered(page, 'four')).toEqual(['Allow']);
    await page.context().close();
  });

  test('loaded once it is one frame of this page view, no decision, and counted', async () => {
    const page = await visit();
    await press(page, 'one', 'Load once');
    await shows(page, ['one']);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('title'))).toBe('one');
    expect(await consentOf(page)).toBeNull();
    expect(await memoryOf(page, shop.token)).toBeNull();
    expect(await interactions(page)).toContainEqual(
      expect.objectContaining({ name: 'content_loaded_once', category: 'marketing' }),
    );
    // What the visitor says of other content leaves it there; a refusal ends it.
    await press(page, 'three', 'Always allow Meter Ltd');
    await shows(page, ['one', 'three']);
    await avow(page, (banner) => banner.reject());
    await shows(page, []);
    await page.reload();
    await cover(page, 'one').waitFor();
    expect(await shown(page)).toEqual([]);
    await page.context().close();
  });

  test('to allow the vendor is a decision, and leaves everything else as it was', async () => {
    const page = await visit();
    await avow(page, (banner) => banner.save({ functional: true }, { 801: true }));
    await press(page, 'one', 'Always allow Film Ltd');
    await shows(page, ['one', 'two']);
    const consent = await consentOf(page);
    expect(consent).toMatchObject({
      method: 'placeholder',
      categories: { functional: true, analytics: false, marketing: false },
      vendors: { 755: true, 801: true, 802: false },
    });
    await until('it is recorded', async () => {
      const { method, vendors } = await recordOf(shop, consent?.session_id as string);
      return method === 'placeholder' && JSON.stringify(vendors) === JSON.stringify(consent?.vendors);
    });
    await page.reload();
    await shows(page, ['one', 'two']);
    await page.context().close();
  });

  test.each([
    ['one', 'Allow: Marketing'],
    ['four', 'Allow'],
  ])('on frame %s, “%s” allows the category with its vendors', async (name, label) => {
    const page = await visit();
    await press(page, name, label);
    await shows(page, ['one', 'two', 'three', 'four']);
    expect(await consentOf(page)).toMatchObject({
      categories: { analytics: false, marketing: true },
      vendors: { 755: true, 801: false, 802: true },
    });
    await page.context().close();
  });

  test('where its category is allowed and it is not, only the vendor is offered, and others stay refused', async () => {
    const page = await shop.visit();
    await button(page, 'Settings').waitFor();
    await avow(page, (banner) => banner.save({ marketing: true }, { 755: false, 802: false }));
    await cover(page, 'one').waitFor();
    expect(await shown(page)).toEqual(['four']);
    expect(await offered(page, 'one')).toEqual(['Load once', 'Always allow Film Ltd']);
    await press(page, 'two', 'Always allow Film Ltd');
    await shows(page, ['one', 'two', 'four']);
    expect((await consentOf(page))?.vendors).toEqual({ 755: true, 801: false, 802: false });
    await page.context().close();
  });
});
