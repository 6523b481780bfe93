import type { Page } from 'playwright-core';
import { AXE, picture, violations } from '../helpers/banner/looks';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(120_000);

/** The least size of a target in CSS pixels (WCAG 2.2, 2.5.8). */
const TARGET = 24;

const BODY =
  '<main><h1>Shop</h1><p>Fine things for a fine house.</p><iframe title="Film" data-category="marketing" data-src="/film" width="400" height="225"></iframe></main>';

const settings = (page: Page) => page.locator('avow-banner .settings');

describeInBrowser('for everybody', () => {
  let shop: Shop;
  let audits = 0;
  let found = 0;
  beforeAll(async () => {
    shop = await openShop({
      languages: ['en', 'de', 'ar', 'he'],
      privacy_policy_url: 'https://shop.example.com/privacy',
      imprint_url: 'https://shop.example.com/imprint',
    });
    const cookie = {
      name: '_count',
      category: 'analytics',
      max_age_seconds: 34_560_000,
      description: 'Tells visits apart.',
    };
    const vendor = {
      id: 1,
      name: 'Counter Ltd',
      purposes: [],
      leg_int_purposes: [],
      categories: ['functional', 'analytics'],
      urls: [{ lang_id: 'en', privacy: 'https://counter.example/privacy' }],
      country: 'IE',
      cookies: [cookie],
    };
    await shop.client.replaceVendors({ token: shop.token, body: { vendors: [vendor] } });
    for (const lang of ['en', 'de', 'ar', 'he']) shop.set(`/${lang}`, { lang, body: BODY });
  });
  afterAll(async () => {
    await shop.stop();
    console.info(
      `FIGURE axe: ${found} violations in ${audits} audits (layouts × light, dark × directions × layers)`,
    );
  });

  const audit = async (page: Page, name: string): Promise<void> => {
    await picture(page, `${name}.png`);
    const problems = await violations(page);
    audits += 1;
    found += problems.length;
    expect([name, problems]).toEqual([name, []]);
  };

  const LAYOUTS = [
    ['box', 'bottom_right'],
    ['bar', 'bottom'],
    ['dialog', 'center'],
  ];
  const LOOKS = ['light', 'dark'].flatMap((scheme) => ['en', 'ar'].map((lang) => [scheme, lang]));

  describe.each(LAYOUTS)('%s', (layout, position) => {
    beforeAll(async () => {
      await shop.publish(undefined, { layout, position, texts: 'all' });
    });

    test.each(LOOKS)('axe finds nothing in %s, %s', async (colorScheme, lang) => {
      const page = await shop.visit(`/${lang}`, { colorScheme, viewport: { width: 1100, height: 760 } });
      await page.addScriptTag({ path: AXE });
      await page.locator('avow-banner dialog').waitFor();
      const name = `${layout}-${colorScheme}-${lang}`;
      await audit(page, `${name}-first`);
      await settings(page).click();
      await page.locator('avow-banner dialog.second').waitFor();
      await audit(page, `${name}-second`);
      await page.locator('avow-banner summary').first().click();
      await page.locator('avow-banner summary').last().click();
      await page.locator('avow-banner table').first().waitFor();
      await audit(page, `${name}-details`);
      await page.locator('avow-banner .answer').nth(1).click();
      await page.locator('avow-banner .control').waitFor();
      await audit(page, `${name}-control`);
      await page.context().close();
    });

    test.each([
      ['320 px wide', 320, 568],
      ['1280 × 720 at 200 %', 640, 360],
      ['1280 × 1024 at 400 %', 320, 256],
    ])('nothing is cut off or out of reach at %s, and no target is too small', async (_, width, height) => {
      const page = await shop.visit('/de', { viewport: { width, height } });
      const check = async (): Promise<void> => {
        const dialog = page.locator('avow-banner dialog');
        await dialog.waitFor();
        const box = await dialog.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return { left, right, top, bottom, overflow: element.scrollWidth - element.clientWidth };
        });
        expect(box.left).toBeGreaterThanOrEqual(0);
        expect(box.top).toBeGreaterThanOrEqual(0);
        expect(box.right).toBeLessThanOrEqual(width);
        expect(box.bottom).toBeLessThanOrEqual(height);
        expect(box.overflow).toBeLessThanOrEqual(0);
        for (const target of await dialog.locator('button,a,input,summary').all()) {
          await target.scrollIntoViewIfNeeded();
          const size = await target.boundingBox();
          const name = await target.evaluate((element) => element.textContent || element.localName);
          expect([name, Math.round(Math.min(size?.width ?? 0, size?.height ?? 0)) >= TARGET]).toEqual([
            name,
            true,
          ]);
          // What lies there is the target itself, not something over it.
          await target.hover();
        }
      };
      await check();
      await picture(page, `${layout}-${width}x${height}-first.png`);
      await settings(page).click();
      await page.locator('avow-banner dialog.second').waitFor();
      await check();
      await picture(page, `${layout}-${width}x${height}-second.png`);
      await page.context().close();
    });
  });

  test('nothing moves for visitors who ask for less motion', async () => {
    for (const [reducedMotion, moving] of [
      ['reduce', false],
      ['no-preference', true],
    ] as const) {
      const page = await shop.visit('/en', { reducedMotion });
      await page.locator('avow-banner dialog').waitFor();
      const styles = await page
        .locator('avow-banner dialog')
        .evaluate((dialog) => getComputedStyle(dialog).animationName);
      expect([reducedMotion, styles !== 'none']).toEqual([reducedMotion, moving]);
      await page.context().close();
    }
  });

  test('with forced colours, buttons keep a border and switches are the browser’s own', async () => {
    const page = await shop.visit('/en', { forcedColors: 'active' });
    const border = await page
      .getByRole('button', { name: 'Accept all' })
      .evaluate((button) => getComputedStyle(button).borderTopWidth);
    expect(border).toBe('2px');
    await settings(page).click();
    const appearance = await page
      .getByRole('switch')
      .first()
      .evaluate((input) => getComputedStyle(input).appearance);
    expect(appearance).toBe('auto');
    await picture(page, 'forced-colours-second.png');
    await page.context().close();
  });

  test('a page with its own sizes and rules does not change the banner', async () => {
    shop.set('/loud', {
      head: '<style>html{font-size:62.5%}*{margin:40px!important;color:red!important;position:static!important;transform:rotate(1deg)}avow-banner{display:none}</style>',
    });
    const calm = await shop.visit('/en', { viewport: { width: 1100, height: 760 } });
    const loud = await shop.visit('/loud', { viewport: { width: 1100, height: 760 } });
    const shape = (page: Page) =>
      page.locator('avow-banner dialog').evaluate((dialog) => {
        const { width, height, right } = dialog.getBoundingClientRect();
        return { width, height, right, color: getComputedStyle(dialog).color };
      });
    expect(await shape(loud)).toEqual(await shape(calm));
    await calm.context().close();
    await loud.context().close();
  });
});
