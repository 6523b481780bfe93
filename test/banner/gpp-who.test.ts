import type { BrowserContext, Page } from 'playwright-core';
import { memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { decoded } from '../helpers/gpp/decoded';
import { events, from, ping, REGION_VARIABLES, VENDOR } from '../helpers/gpp/vendor';
import { vendor } from '../helpers/site/vendors';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const GPP = { sections: 'us_states', sale: true, sharing: true, targeted_advertising: true, notices: true };
const DOES = { SaleOptOut: 1, SharingOptOut: 1 };
const DOES_NOT = { SaleOptOut: 2, SharingOptOut: 2 };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const toggle = (page: Page, name: string) => page.getByRole('switch', { name, exact: true });
const withGpc = (context: BrowserContext) =>
  context.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true }));
const ready = (page: Page) => until('the signal', async () => (await ping(page)).signalStatus === 'ready');

describeInBrowser('whose GPP string it is', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ regions: { rules: 'law' }, gpp: GPP }, REGION_VARIABLES);
  });
  afterAll(() => shop?.stop());

  async function show(settings?: object): Promise<void> {
    const { snippet_pinned: snippet } = await shop.publish(settings);
    shop.set('/', { snippet, head: VENDOR });
  }
  const recordOf = (page: Page, count = 1) =>
    until('the record', async () => {
      const session = (await memoryOf(page, shop.token))?.session_id;
      const { items } = await shop.client.listConsents({ token: shop.token });
      const own = items.filter(({ session_id }) => session_id === session);
      return own.length >= count && own[0];
    });

  describe('with a choice by vendor', () => {
    const CATEGORIES = { sale: ['marketing'], sharing: ['marketing'], targeted_advertising: ['analytics'] };
    beforeAll(async () => {
      const vendors = [
        vendor(1, 'Adverts', { categories: ['marketing'] }),
        vendor(2, 'Films', { categories: ['marketing'] }),
        vendor(3, 'Counter'),
      ];
      await shop.client.replaceVendors({ token: shop.token, body: { vendors } });
      await show({
        choice_by_vendor: true,
        gpp: { ...GPP, categories: CATEGORIES, sections: 'us_national' },
      });
    });
    afterAll(() => show({ choice_by_vendor: false, gpp: GPP }));

    const settings = async (page: Page): Promise<void> => {
      await page.locator('.actions .settings, .control').first().click();
      await button(page, 'Save choice').waitFor();
    };

    test('whoever refuses one vendor of a category, and leaves the category on, has opted out', async () => {
      const page = await shop.visit('/', await from(shop.browser, 'US', 'CA'));
      await ready(page);
      expect(decoded((await ping(page)).gppString).usnat).toMatchObject(DOES_NOT);
      await settings(page);
      await toggle(page, 'Films').uncheck({ force: true });
      expect(await toggle(page, 'Marketing').isChecked()).toBe(true);
      await button(page, 'Save choice').click();
      const record = await recordOf(page);
      expect(record.vendors).toMatchObject({ 1: true, 2: false, 3: true });
      expect(record.categories).toMatchObject({ marketing: true });
      // Of what the vendor is not asked for, they have not.
      const said = { ...DOES, TargetedAdvertisingOptOut: 2 };
      expect(decoded(record.gpp_string ?? '').usnat).toMatchObject(said);
      await ready(page);
      expect((await ping(page)).gppString).toBe(record.gpp_string);
      await page.reload();
      await ready(page);
      expect((await ping(page)).gppString).toBe(record.gpp_string);
      // All on again: not any more.
      await settings(page);
      await toggle(page, 'Films').check({ force: true });
      await button(page, 'Save choice').click();
      expect(decoded((await recordOf(page, 2)).gpp_string ?? '').usnat).toMatchObject(DOES_NOT);
      await page.context().close();
    });

    test('an earlier refusal of a vendor counts while nothing is decided under a new policy version', async () => {
      const page = await shop.visit('/', await from(shop.browser, 'US', 'CA'));
      await ready(page);
      await settings(page);
      await toggle(page, 'Adverts').uncheck({ force: true });
      await button(page, 'Save choice').click();
      await recordOf(page);
      await show({ policy_version: '2' });
      await page.reload();
      await ready(page);
      expect(
        await page.evaluate(() => (window.Avow as unknown as { getConsent(): unknown }).getConsent()),
      ).toBeNull();
      const said = { ...DOES, TargetedAdvertisingOptOut: 2 };
      expect(decoded((await ping(page)).gppString).usnat).toMatchObject(said);
      await page.context().close();
    });
  });

  describe('where the owner does not state that notices are given', () => {
    const CATEGORIES = { sale: ['marketing'], targeted_advertising: ['marketing'] };
    const bare = { sections: 'us_states', sale: true, sharing: false, targeted_advertising: true };
    beforeAll(() => show({ gpp: { ...bare, categories: CATEGORIES } }));
    afterAll(() => show({ gpp: GPP }));

    test.each([
      ['CA', 'usca', { SaleOptOutNotice: 2, SaleOptOut: 1, SharingOptOutNotice: 0, SharingOptOut: 0 }],
      ['VA', 'usva', { SharingNotice: 2, SaleOptOutNotice: 2, TargetedAdvertisingOptOutNotice: 2 }],
      ['TX', 'ustx', { ProcessingNotice: 2, SaleOptOut: 1, TargetedAdvertisingOptOut: 1 }],
    ])('a visitor of %s: not provided, and opted out of what the site does', async (state, name, said) => {
      const page = await shop.visit('/', await from(shop.browser, 'US', state));
      await ready(page);
      expect(decoded((await ping(page)).gppString)[name]).toMatchObject(said);
      // Whatever they allow themselves.
      await page.evaluate(() => (window.Avow as unknown as { accept(): void }).accept());
      expect(decoded((await recordOf(page)).gpp_string ?? '')[name]).toMatchObject(said);
      await page.context().close();
    });
  });

  describe('of somebody whose region is not known', () => {
    const ways = {
      'a request that is blocked': (context: BrowserContext) =>
        context.route('**/region*', (route) => route.abort()),
      'a time zone that tells nothing': () => undefined,
    };
    beforeAll(() => show());

    test.each(Object.entries(ways))(
      'by %s: opted out until they decide, and then what they decided',
      async (_, lose) => {
        const context = await shop.browser.newContext({ timezoneId: 'UTC' });
        await lose(context);
        const page = await shop.visit('/', context);
        await button(page, 'Accept all').waitFor();
        const { gppString, ...status } = await ping(page);
        expect(status).toMatchObject({
          ...{ signalStatus: 'not ready', cmpDisplayStatus: 'visible' },
          ...{ applicableSections: [7], sectionList: [7] },
        });
        expect(decoded(gppString).usnat).toMatchObject({ ...DOES, TargetedAdvertisingOptOut: 1, Gpc: false });
        await button(page, 'Accept all').click();
        const record = await recordOf(page);
        expect(record).not.toHaveProperty('region');
        expect(decoded(record.gpp_string ?? '').usnat).toMatchObject({
          ...DOES_NOT,
          TargetedAdvertisingOptOut: 2,
        });
        await ready(page);
        expect((await ping(page)).gppString).toBe(record.gpp_string);
        expect((await events(page)).slice(4)).toEqual([
          ['cmpDisplayStatus', 'visible'],
          ['sectionChange', 'usnat'],
          ['cmpDisplayStatus', 'hidden'],
          ['signalStatus', 'ready'],
        ]);
        await context.close();
      },
    );

    test.each(Object.entries(ways))(
      'by %s, with Global Privacy Control: opted out, and the record says so',
      async (_, lose) => {
        const context = await shop.browser.newContext({ timezoneId: 'UTC' });
        await lose(context);
        await withGpc(context);
        const page = await shop.visit('/', context);
        const record = await recordOf(page);
        expect(record).toMatchObject({ method: 'gpc', decision: 'reject_all' });
        expect(decoded(record.gpp_string ?? '').usnat).toMatchObject({ ...DOES, Gpc: true });
        await until('the string', async () => (await ping(page)).gppString === record.gpp_string);
        expect((await ping(page)).applicableSections).toEqual([7]);
        await context.close();
      },
    );
  });
});
