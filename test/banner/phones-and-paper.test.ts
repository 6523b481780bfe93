import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(60_000);

/** Layouts on what only Chromium's driver can imitate. */
describeInBrowser('phones and paper', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ privacy_policy_url: 'https://shop.example.com/privacy' });
  });
  afterAll(() => shop.stop());

  test.each([
    ['box', 'bottom_left', 390, { top: 59, right: 0, bottom: 34, left: 0 }],
    ['box', 'top_right', 812, { top: 20, right: 47, bottom: 21, left: 47 }],
    ['bar', 'bottom', 390, { top: 59, right: 0, bottom: 34, left: 0 }],
    ['bar', 'top', 812, { top: 20, right: 47, bottom: 21, left: 47 }],
    ['dialog', 'center', 390, { top: 59, right: 0, bottom: 34, left: 0 }],
  ])(
    'on a phone whose screen has a notch, the layout %s, %s, at %i px keeps words and buttons clear of it',
    async (layout, position, width, insets) => {
      await shop.publish(undefined, { layout, position });
      const height = width === 390 ? 844 : 375;
      const page = await shop.visit('/shop', { viewport: { width, height } });
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
      const isSafe = (selector: string) =>
        page.locator(selector).evaluateAll((all, { top, right, bottom, left }) => {
          const boxes = all.map((one) => one.getBoundingClientRect());
          return boxes.every(
            (box) =>
              box.left >= left &&
              box.top >= top &&
              box.right <= innerWidth - right &&
              box.bottom <= innerHeight - bottom,
          );
        }, insets);
      await page.locator('dialog.first .actions button').last().waitFor();
      expect(await isSafe('dialog.first :is(h2, p, button)')).toBe(true);
      await page.locator('.settings').click();
      await page.locator('dialog.second').waitFor();
      expect(await isSafe('dialog.second')).toBe(true);
      await page.locator('dialog.second .answer').first().click();
      await page.locator('.control').waitFor();
      expect(await isSafe('.control')).toBe(true);
      await page.context().close();
    },
  );

  test('nothing of the banner is printed', async () => {
    await shop.publish(undefined, { layout: 'box' });
    shop.set('/paper', {
      body: '<iframe title="Film" data-category="analytics" data-src="/film" width="480" height="270"></iframe>',
    });
    const page = await shop.visit('/paper');
    const parts = ['dialog.first', '.control', 'avow-blocked .cover'].map((part) => page.locator(part));
    const seen = async (media: 'screen' | 'print') => {
      await page.emulateMedia({ media });
      return Promise.all(parts.map((part) => part.isVisible()));
    };
    await parts[0]?.waitFor();
    await parts[2]?.waitFor();
    expect([await seen('screen'), await seen('print')]).toEqual([
      [true, false, true],
      [false, false, false],
    ]);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Reject all' }).click();
    await parts[1]?.waitFor();
    expect([await seen('screen'), await seen('print')]).toEqual([
      [false, true, true],
      [false, false, false],
    ]);
    await page.context().close();
  });
});
