import type { Page } from 'playwright-core';
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

const HEAD = [
  blocked('film', 'marketing', 755),
  blocked('counter', 'analytics', 801),
  blocked('meter', 'analytics', ' 802 '),
  blocked('marketing', 'marketing'),
  blocked('analytics', 'analytics'),
  // Nobody is asked about these two: they wait for the category.
  blocked('host', 'analytics', 900),
  blocked('stranger', 'marketing', 7),
].join('\n');
const NOTES = `<script>
  window.notes = [];
  document.addEventListener('avow:change', ({ detail }) => notes.push(detail));
</script>`;

describeInBrowser('a choice by vendor', () => {
  let shop: VendorShop;
  beforeAll(async () => {
    shop = await openVendorShop();
    shop.set('/', { head: HEAD + NOTES });
  });
  afterAll(() => shop.stop());

  const settings = async (page: Page) => {
    await button(page, 'Settings').click();
    await button(page, 'Save choice').waitFor();
  };
  const states = (page: Page): Promise<Record<string, boolean>> =>
    page.locator('avow-banner').evaluate((host) => {
      const inputs = host.shadowRoot?.querySelectorAll<HTMLInputElement>('[role=switch]') ?? [];
      return Object.fromEntries(
        [...inputs].map((input) => [input.getAttribute('aria-labelledby'), input.checked]),
      );
    });

  test('each has a switch below each of its categories, which moves with them', async () => {
    const page = await shop.visit();
    await settings(page);
    const off = {
      'title-functional': false,
      ...{ 'title-analytics': false, 'vendor-analytics-801': false, 'vendor-analytics-802': false },
      ...{ 'title-marketing': false, 'vendor-marketing-755': false, 'vendor-marketing-802': false },
    };
    expect(await states(page)).toEqual(off);
    await toggle(page, 'Marketing').check();
    const marketing = { 'title-marketing': true, 'vendor-marketing-755': true, 'vendor-marketing-802': true };
    expect(await states(page)).toEqual({ ...off, ...marketing, 'vendor-analytics-802': true });
    // The same vendor below another category, of which it is the last.
    await toggle(page, 'Analytics').check();
    await toggle(page, 'Counter Ltd').uncheck();
    expect((await states(page))['title-analytics']).toBe(true);
    await toggle(page, 'Meter Ltd').first().uncheck();
    expect(await states(page)).toEqual({ ...off, 'title-marketing': true, 'vendor-marketing-755': true });
    await toggle(page, 'Meter Ltd').last().check();
    expect(await states(page)).toEqual({ ...off, ...marketing, 'vendor-analytics-802': true });
    await toggle(page, 'Marketing').uncheck();
    expect(await states(page)).toEqual(off);
    await page.context().close();
  });

  test('what is saved is recorded in full; what waits for a vendor waits for it alone', async () => {
    const page = await shop.visit();
    await settings(page);
    await toggle(page, 'Marketing').check();
    await toggle(page, 'Film Ltd').uncheck();
    await button(page, 'Save choice').click();
    await runs(page, ['marketing', 'meter', 'stranger']);
    const vendors = { 755: false, 801: false, 802: true };
    const consent = await consentOf(page);
    expect(consent).toMatchObject({ categories: { marketing: true, analytics: false }, vendors });
    expect(await recordOf(shop, consent?.session_id as string)).toMatchObject({
      decision: 'save_preferences',
      categories: { marketing: true, analytics: false },
      vendors,
    });
    expect((await memoryOf(page, shop.token)).vendors).toEqual(vendors);
    // In force on the next page, and shown there.
    await page.reload();
    await runs(page, ['marketing', 'meter', 'stranger']);
    await button(page, 'Privacy settings').click();
    expect(await toggle(page, 'Film Ltd').isChecked()).toBe(false);
    expect(await toggle(page, 'Meter Ltd').first().isChecked()).toBe(true);
    expect(await toggle(page, 'Analytics').isChecked()).toBe(false);
    await page.context().close();
  });

  test.each([
    ['Accept all', true],
    ['Reject all', false],
  ])('%s holds for all vendors', async (name, isOn) => {
    const page = await shop.visit();
    await button(page, name).click();
    const all = { 755: isOn, 801: isOn, 802: isOn };
    await until('the decision', async () => (await consentOf(page))?.vendors);
    const consent = await consentOf(page);
    expect(consent?.vendors).toEqual(all);
    expect((await recordOf(shop, consent?.session_id as string)).vendors).toEqual(all);
    if (isOn) await runs(page, ['film', 'counter', 'meter', 'marketing', 'analytics', 'host', 'stranger']);
    else expect(await ran(page)).toEqual([]);
    await page.context().close();
  });

  test('a vendor that is withdrawn is told by its number, and its elements are emptied', async () => {
    shop.set('/image', {
      head: NOTES,
      body: '<img alt="" data-category="marketing" data-vendor="755" data-src="/film.svg"><img alt="" data-category="marketing" data-src="/own.svg">',
    });
    const page = await shop.visit('/image');
    await button(page, 'Accept all').click();
    const sources = () => page.locator('img').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
    await until('both are there', async () => (await sources()).every((one) => one));
    await avow(page, (banner) =>
      banner.save({ functional: true, analytics: true, marketing: true }, { 755: false }),
    );
    await until('one is empty', async () => JSON.stringify(await sources()) === '[null,"/own.svg"]');
    const notes = await page.evaluate(() => (window as unknown as { notes: object[] }).notes);
    expect(notes).toEqual([
      expect.objectContaining({
        granted: ['functional', 'analytics', 'marketing'],
        granted_vendors: [755, 801, 802],
        withdrawn_vendors: [],
      }),
      expect.objectContaining({
        ...{ granted: [], withdrawn: [], granted_vendors: [], withdrawn_vendors: [755] },
        vendors: { 755: false, 801: true, 802: true },
      }),
    ]);
    await page.context().close();
  });

  test('the page says it by number, and asks; what it leaves out is as its categories are', async () => {
    const page = await shop.visit();
    await button(page, 'Settings').waitFor();
    expect(await avow(page, (banner) => banner.isVendorAllowed?.(755))).toBe(false);
    await avow(page, (banner) => banner.save({ marketing: true }, { 801: true }));
    const consent = await consentOf(page);
    expect(consent?.vendors).toEqual({ 755: true, 801: true, 802: false });
    expect((await recordOf(shop, consent?.session_id as string)).vendors).toEqual(consent?.vendors);
    expect(
      await avow(page, (banner) => [755, 802, 900, 7].map((id) => banner.isVendorAllowed?.(id))),
    ).toEqual([true, false, false, false]);
    const failures = await avow(page, (banner) =>
      [{ 900: true }, { constructor: true }].map((vendors) => {
        try {
          banner.save({ marketing: true }, vendors as never);
          return '';
        } catch (error) {
          return (error as Error).message;
        }
      }),
    );
    expect(failures).toEqual([
      'Avow.save: visitors are not asked about vendor "900".',
      'Avow.save: visitors are not asked about vendor "constructor".',
    ]);
    expect((await consentOf(page))?.vendors).toEqual(consent?.vendors);
    await page.context().close();
  });

  test('a choice in one tab holds in all', async () => {
    const page = await shop.visit();
    const other = await shop.visit('/', page.context());
    await button(other, 'Settings').waitFor();
    await avow(page, (banner) => banner.save({ marketing: true }, { 755: false }));
    await runs(other, ['marketing', 'stranger']);
    await avow(page, (banner) => banner.save({ marketing: true }));
    await runs(other, ['film', 'marketing', 'stranger']);
    await page.context().close();
  });

  test('a vendor that is new is refused until the visitor is asked; without the setting categories count', async () => {
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    await runs(page, ['film', 'counter', 'meter', 'marketing', 'analytics', 'host', 'stranger']);
    await shop.list([...VENDORS, { id: 7, name: 'Stranger Ltd', categories: ['marketing'] }]);
    await shop.publish({});
    await page.reload();
    await runs(page, ['film', 'counter', 'meter', 'marketing', 'analytics', 'host']);
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    await button(page, 'Privacy settings').click();
    expect(await toggle(page, 'Stranger Ltd').isChecked()).toBe(false);
    await shop.publish({ choice_by_vendor: false });
    await page.reload();
    await runs(page, ['film', 'counter', 'meter', 'marketing', 'analytics', 'host', 'stranger']);
    expect(await consentOf(page)).not.toHaveProperty('vendors');
    await page.context().close();
    // A decision from before there was a choice by vendor counts by its categories.
    const earlier = await shop.visit();
    await avow(earlier, (banner) => banner.save({ marketing: true }));
    await until('it is confirmed', async () => (await memoryOf(earlier, shop.token))?.unsent.length === 0);
    await shop.list(VENDORS);
    await shop.publish({ choice_by_vendor: true });
    await earlier.reload();
    await runs(earlier, ['film', 'marketing', 'stranger']);
    expect((await consentOf(earlier))?.vendors).toEqual({ 755: true, 801: false, 802: false });
    await earlier.context().close();
  });
});
