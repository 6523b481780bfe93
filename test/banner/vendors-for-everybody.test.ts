import type { Page } from 'playwright-core';
import { AXE, picture, violations } from '../helpers/banner/looks';
import { consentOf } from '../helpers/banner/shop';
import { button, openVendorShop, toggle, VENDORS, type VendorShop } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const BODY =
  '<main><h1>Shop</h1><iframe title="Film" data-category="marketing" data-vendor="755" data-src="/film" width="420" height="260"></iframe></main>';

describeInBrowser('a choice by vendor for everybody', () => {
  let shop: VendorShop;
  beforeAll(async () => {
    shop = await openVendorShop({ languages: ['en', 'ar', 'de'] });
    for (const lang of ['en', 'ar', 'de']) shop.set(`/${lang}`, { lang, body: BODY });
  });
  afterAll(() => shop.stop());

  const open = async (page: Page) => {
    await page.locator('avow-banner .settings').click();
    await page.locator('avow-banner .second').waitFor();
  };

  test.each([
    ['light', 'en'],
    ['dark', 'ar'],
  ] as const)('axe finds nothing in %s, %s', async (colorScheme, lang) => {
    const page = await shop.visit(`/${lang}`, { colorScheme, viewport: { width: 1100, height: 760 } });
    await page.addScriptTag({ path: AXE });
    await page.locator('avow-blocked button').first().waitFor();
    await picture(page, `vendors-${colorScheme}-${lang}-placeholder.png`);
    expect(await violations(page)).toEqual([]);
    await open(page);
    await page.locator('avow-banner .vendor').first().scrollIntoViewIfNeeded();
    await picture(page, `vendors-${colorScheme}-${lang}.png`);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test('each switch has the name of its vendor, and its category describes it', async () => {
    const page = await shop.visit('/en');
    await open(page);
    const told = await page.getByRole('group', { name: 'Providers: Analytics' }).ariaSnapshot();
    expect(told).toContain('switch "Counter Ltd"');
    const about = await toggle(page, 'Meter Ltd').evaluateAll((all) =>
      all.map((one) => {
        const id = one.getAttribute('aria-describedby') as string;
        return (one.getRootNode() as ShadowRoot).getElementById(id)?.textContent;
      }),
    );
    expect(about).toEqual(['Analytics', 'Marketing']);
    await page.context().close();
  });

  test('everything can be done by keyboard: the switches, and the placeholder’s buttons', async () => {
    const page = await shop.visit('/en');
    await open(page);
    const focused = () =>
      page.evaluate(() => {
        let one = document.activeElement;
        while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
        return one?.getAttribute('aria-labelledby') ?? one?.textContent;
      });
    const tabTo = (name: string) =>
      until(`the focus on ${name}`, async () => {
        if ((await focused()) === name) return true;
        await page.keyboard.press('Tab');
        return false;
      });
    await tabTo('title-analytics');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('vendor-analytics-801');
    await page.keyboard.press('Space');
    await tabTo('Save choice');
    await page.keyboard.press('Enter');
    await until('the decision', () => consentOf(page));
    expect(await consentOf(page)).toMatchObject({
      categories: { analytics: false, marketing: false },
      vendors: { 755: false, 801: true, 802: false },
    });
    await tabTo('Load once');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Always allow Film Ltd');
    await page.keyboard.press('Enter');
    await until('the frame', () => page.locator('iframe[src]').count());
    expect((await consentOf(page))?.vendors).toEqual({ 755: true, 801: true, 802: false });
    await page.context().close();
  });

  test.each([
    ['320 px wide', 320, 568],
    ['1280 × 1024 at 400 %', 320, 256],
  ])('no switch is cut off or too small at %s, and long names break', async (_, width, height) => {
    await shop.list([...VENDORS, { id: 803, name: 'Long'.repeat(40), categories: ['analytics'] }]);
    await shop.publish({});
    const page = await shop.visit('/de', { viewport: { width, height } });
    await open(page);
    const dialog = page.locator('avow-banner .second');
    expect(
      await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0);
    for (const target of await dialog.locator('.vendor input').all()) {
      await target.scrollIntoViewIfNeeded();
      const size = await target.boundingBox();
      expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(24);
      await target.hover();
    }
    await picture(page, `vendors-${width}x${height}.png`);
    await page.context().close();
  });

  test('two hundred of them are laid out', async () => {
    const many = Array.from({ length: 200 }, (__, index) => ({
      ...{ id: index + 1, name: `Vendor ${index + 1}` },
      categories: ['functional', 'analytics', 'marketing'],
    }));
    await shop.list(many);
    await shop.publish({});
    const page = await shop.visit('/en');
    await open(page);
    await until('all', async () => (await page.locator('avow-banner .vendor').count()) === 600);
    await toggle(page, 'Analytics').check();
    expect(await page.locator('avow-banner .vendor input:checked').count()).toBe(600);
    await button(page, 'Save choice').click();
    await until('the decision', () => consentOf(page));
    expect(Object.values((await consentOf(page))?.vendors ?? {}).every((is) => is)).toBe(true);
    await page.context().close();
  });
});
