import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

describeInBrowser('what the visitor’s browser keeps', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  test('a withdrawal that a full storage has no room for does not bring the acceptance back', async () => {
    const page = await shop.visit();
    await page.locator('avow-banner').getByRole('button', { name: 'Accept all' }).click();
    await page.waitForFunction(
      (key) => JSON.parse(localStorage.getItem(key) ?? '{}').unsent?.length === 0,
      `avow:${shop.token}`,
    );
    await page.route(`${shop.host}/**`, (route) => route.abort());
    await page.evaluate(() => {
      for (let size = 2 ** 22, at = 0; size >= 1; at += 1) {
        try {
          localStorage.setItem(`full${at}`, 'x'.repeat(size));
        } catch {
          size = Math.floor(size / 2);
        }
      }
      (window.Avow as { reject(): void }).reject();
    });
    expect((await consentOf(page))?.decision).toBe('reject_all');
    await page.unroute(`${shop.host}/**`);
    await page.reload();
    expect((await consentOf(page))?.categories.marketing ?? false).toBe(false);
    await page.context().close();
  });

  test.each([
    '{"session_id":"x","categories":{},"at":1,"unsent":[]}',
    '{"session_id":"0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11","policy_version":"1","categories":"all","at":"now","unsent":[]}',
    '[]',
    '7',
    'null',
    '{',
  ])('what is not ours under its name counts for nothing: %s', async (text) => {
    const page = await shop.visit();
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key as string, value as string),
      [`avow:${shop.token}`, text],
    );
    await page.reload();
    await page.locator('avow-banner').getByRole('button', { name: 'Accept all' }).click();
    expect((await memoryOf(page, shop.token)).decision).toBe('accept_all');
    await page.context().close();
  });
});
