import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { allowsVendor } from '../../sdk/src/cookie';
import { readCookie } from '../helpers/banner/cookie';
import { consentOf, memoryOf } from '../helpers/banner/shop';
import {
  avow,
  blocked,
  button,
  openVendorShop,
  ran,
  recordOf,
  runs,
  toggle,
  VENDORS,
  type VendorShop,
} from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const HEAD = blocked('film', 'marketing', 755) + blocked('counter', 'analytics', 801);
const DOMAIN = 'shop.localhost';
const CALIFORNIA = { timezoneId: 'America/Los_Angeles' };
const BERLIN = { timezoneId: 'Europe/Berlin' };
const DO_NOT_SELL = 'Do not sell or share my personal information';

describeInBrowser('a choice by vendor, on subdomains and in all regions', () => {
  let shop: VendorShop;
  beforeAll(async () => {
    shop = await openVendorShop();
    shop.set('/', { head: HEAD });
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner: { ...settings.banner, cookie: { domain: DOMAIN, days: 30 } } });
  });
  afterAll(() => shop.stop());

  const header = async (context: BrowserContext) =>
    (await context.cookies([shop.origin])).map(({ name, value }) => `${name}=${value}`).join('; ');
  const withGpc = (context: BrowserContext) =>
    context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => sessionStorage.gpc !== 'off' }),
    );
  const asked = (page: Page) => page.getByRole('dialog').waitFor();

  test('the cookie takes it to other hosts and to servers', async () => {
    const page = await shop.visit();
    await asked(page);
    await avow(page, (banner) => banner.save({ marketing: true }, { 755: false, 801: true }));
    const context = page.context();
    const vendors = { 755: false, 801: true, 802: false };
    const read = readCookie(await header(context), shop.token);
    expect({ ...read?.vendors }).toEqual(vendors);
    expect([755, 801, 7].map((id) => allowsVendor(read, id, 'marketing'))).toEqual([false, true, false]);
    const blog = await context.newPage();
    await blog.goto(shop.origin.replace(DOMAIN, `blog.${DOMAIN}`));
    await runs(blog, ['counter']);
    expect((await consentOf(blog))?.vendors).toEqual(vendors);
    // Stored there, too, for browsers that drop the cookie.
    await until('it is stored', async () => (await memoryOf(blog, shop.token))?.vendors);
    expect((await memoryOf(blog, shop.token)).vendors).toEqual(vendors);
    await avow(blog, (banner) => banner.save({}, { 755: true }));
    await page.reload();
    await runs(page, ['film']);
    await context.close();
  });

  test('a choice that is said again after what waited on another host names the refused vendors, too', async () => {
    const context = await shop.browser.newContext();
    const page = await context.newPage();
    await page.route('**/api/v/*/ce', (route) => route.abort());
    await page.addInitScript(() => {
      navigator.sendBeacon = () => false;
    });
    await page.goto(shop.origin);
    await asked(page);
    await avow(page, (banner) => banner.accept());
    const session = (await consentOf(page))?.session_id as string;
    await page.close();
    const blog = await context.newPage();
    await blog.goto(shop.origin.replace(DOMAIN, `blog.${DOMAIN}`));
    await until('the banner has run', () => consentOf(blog).catch(() => undefined));
    await avow(blog, (banner) => banner.save({ marketing: true }, { 755: true, 801: false }));
    await until('it is confirmed', async () => (await memoryOf(blog, shop.token))?.unsent.length === 0);
    const back = await shop.visit('/', context);
    await until('all is confirmed', async () => {
      const memory = await memoryOf(back, shop.token);
      return memory?.decision === 'save_preferences' && memory.unsent.length === 0;
    });
    const { items } = await shop.client.listConsents({ token: shop.token, session_id: session });
    expect(items.map(({ vendors }) => vendors)).toEqual([
      { 755: true, 801: false, 802: false },
      { 755: true, 801: true, 802: true },
      { 755: true, 801: false, 802: false },
    ]);
    await context.close();
  });

  test('what a link adds to all objects allows no vendor', async () => {
    const { immutable_url } = await shop.publish();
    shop.set('/polluted', {
      snippet: `<script>Object.assign(Object.prototype, { 755: true, vendors: { 755: true }, vendor: 755, marketing: true });</script><script src="${immutable_url}"></script>`,
      head: HEAD,
    });
    const page = await shop.visit('/polluted');
    await asked(page);
    expect(await ran(page)).toEqual([]);
    await avow(page, (banner) => banner.save({}, {}));
    expect((await consentOf(page))?.vendors).toMatchObject({ 755: false });
    await page.evaluate((key) => {
      const { vendors: _, ...memory } = JSON.parse(localStorage.getItem(key) as string);
      const vendors = { 801: true };
      localStorage.setItem(key, JSON.stringify({ ...memory, vendors, unsent: [] }));
    }, `avow:${shop.token}`);
    await page.context().clearCookies();
    await page.reload();
    await runs(page, ['counter']);
    expect(await avow(page, (banner) => banner.isVendorAllowed?.(755))).toBe(false);
    await page.context().close();
  });

  describe('with rules by region', () => {
    beforeAll(() => shop.publish({ regions: { rules: 'law' } }));

    test('where visitors are asked first, no vendor is free', async () => {
      const page = await shop.visit('/', BERLIN);
      await asked(page);
      expect(await ran(page)).toEqual([]);
      await page.context().close();
    });

    test('where they may object, vendors are free as their categories are, and one objection is one', async () => {
      const page = await shop.visit('/', CALIFORNIA);
      await runs(page, ['film', 'counter']);
      expect(await consentOf(page)).toBeNull();
      expect(await avow(page, (banner) => banner.isVendorAllowed?.(755))).toBe(true);
      await button(page, 'Settings').click();
      await toggle(page, 'Film Ltd').uncheck();
      await button(page, 'Save choice').click();
      await until('the decision', () => consentOf(page));
      const consent = await consentOf(page);
      expect(await recordOf(shop, consent?.session_id as string)).toMatchObject({
        rule: 'opt_out',
        categories: { marketing: true, analytics: true },
        vendors: { 755: false, 801: true, 802: true },
      });
      const cookie = readCookie(await header(page.context()), shop.token);
      expect(cookie).toMatchObject({ rule: 'opt_out', vendors: { 755: false, 801: true } });
      await page.reload();
      await runs(page, ['counter']);
      // It holds on when the decision has ended.
      await shop.publish({ policy_version: 'next' });
      await page.reload();
      await button(page, DO_NOT_SELL).waitFor();
      await runs(page, ['counter']);
      await page.context().close();
    });

    test('a refusal by the browser is in the cookie, also where what was refused before has no place there', async () => {
      const vendors = Array.from({ length: 200 }, (_, index) => ({
        ...{ id: 2_000_000_000 + index, name: `Vendor ${index}`, categories: ['marketing'] },
      }));
      await shop.list(vendors);
      await shop.publish();
      const context = await shop.browser.newContext(CALIFORNIA);
      const page = await shop.visit('/', context);
      await button(page, 'Settings').waitFor();
      const none = Object.fromEntries(vendors.map(({ id }) => [id, false]));
      await page.evaluate(
        (refused) => (window.Avow as AvowBanner).save({ analytics: true, marketing: true }, refused),
        none,
      );
      expect(readCookie(await header(context), shop.token)?.decision).toBe('save_preferences');
      await withGpc(context);
      await page.reload();
      await until('the browser’s objection', async () => (await consentOf(page))?.method === 'gpc');
      expect(readCookie(await header(context), shop.token)?.decision).toBe('reject_all');
      const blog = await context.newPage();
      await blog.goto(shop.origin.replace(DOMAIN, `blog.${DOMAIN}`));
      await until('the banner has run', () => consentOf(blog).catch(() => undefined));
      expect(await consentOf(blog)).toMatchObject({ decision: 'reject_all', method: 'gpc' });
      await context.close();
      await shop.list(VENDORS);
      await shop.publish();
    });

    test('what is stored is read no more often for four times as many vendors and elements', async () => {
      const readsOf = async (count: number): Promise<{ load: number; call: number }> => {
        const vendors = Array.from({ length: count }, (_, index) => ({
          ...{ id: index + 1, name: `Vendor ${index}`, categories: ['analytics', 'marketing'] },
        }));
        await shop.list(vendors);
        await shop.publish({ policy_version: `first-${count}` });
        const image = (id: number) =>
          `<img alt="" data-category="analytics" data-vendor="${id}" data-src="/x.svg">`;
        shop.set('/many', { body: vendors.map(({ id }) => image(id)).join('') });
        const context = await shop.browser.newContext(CALIFORNIA);
        await context.addInitScript(() => {
          const counted = window as unknown as { reads: number };
          counted.reads = 0;
          const { getItem } = Storage.prototype;
          Storage.prototype.getItem = function (key) {
            counted.reads += 1;
            return getItem.call(this, key);
          };
          const { get } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') as {
            get: () => string;
          };
          Object.defineProperty(Document.prototype, 'cookie', {
            get: () => {
              counted.reads += 1;
              return get.call(document);
            },
          });
        });
        const page = await shop.visit('/many', context);
        await button(page, 'Settings').waitFor();
        // A decision that is not in force any more, and what it refused still is.
        await avow(page, (banner) => banner.save({ analytics: true, marketing: true }, { 1: false }));
        await shop.publish({ policy_version: `second-${count}` });
        await page.reload();
        await button(page, 'Settings').waitFor();
        await until(
          'the images',
          async () => (await page.locator('img[src]').count()) === vendors.length - 1,
        );
        return page.evaluate(() => {
          const counted = window as unknown as { reads: number };
          const load = counted.reads;
          (window.Avow as AvowBanner).on('rule', () => undefined);
          return { load, call: counted.reads - load };
        });
      };
      const [few, many] = [await readsOf(40), await readsOf(160)];
      expect(many.call).toBe(few.call);
      expect(many.load).toBeLessThan(2 * few.load);
      await shop.list(VENDORS);
      await shop.publish();
    });

    test('a signal of the browser refuses vendors, and hides no objection of the visitor’s own', async () => {
      const context = await shop.browser.newContext(CALIFORNIA);
      const page = await shop.visit('/', context);
      await runs(page, ['film', 'counter']);
      await avow(page, (banner) =>
        banner.save({ functional: true, analytics: true, marketing: true }, { 755: false }),
      );
      await withGpc(context);
      await page.evaluate(() => sessionStorage.setItem('gpc', 'on'));
      await page.reload();
      await until('the browser’s objection', async () => (await consentOf(page))?.method === 'gpc');
      expect((await consentOf(page))?.vendors).toEqual({ 755: false, 801: false, 802: false });
      expect(await ran(page)).toEqual([]);
      await page.evaluate(() => sessionStorage.setItem('gpc', 'off'));
      await page.reload();
      await runs(page, ['counter']);
      expect(await consentOf(page)).toBeNull();
      await context.close();
    });
  });
});
