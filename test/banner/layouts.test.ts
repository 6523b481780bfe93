import type { Page } from 'playwright-core';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(60_000);

const LINKS = Array.from({ length: 60 }, (_, n) => `<p><a href="#${n}">Link ${n}</a></p>`).join('');
const widths = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));
/** Whether the focused element of page or banner can be seen: something else at its middle covers it. */
const isClear = (page: Page) =>
  page.evaluate(() => {
    const root = document.activeElement?.shadowRoot ?? document;
    const one = root.activeElement as Element;
    const { left, top, width, height } = one.getBoundingClientRect();
    const there = root.elementFromPoint(left + width / 2, top + height / 2);
    return [one.id || one.textContent, there !== null && (one.contains(there) || there.contains(one))];
  });

describeInBrowser('layouts', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ privacy_policy_url: 'https://shop.example.com/privacy' });
    const cookies = [{ name: '_c', category: 'analytics', max_age_seconds: 60 }];
    const vendor = { id: 1, name: 'Counter', purposes: [], leg_int_purposes: [], urls: [], cookies };
    await shop.client.replaceVendors({
      token: shop.token,
      body: { vendors: [{ ...vendor, categories: ['analytics'] }] },
    });
    shop.set('/links', { body: LINKS });
  });
  afterAll(() => shop.stop());

  test.each([
    [1280, 720],
    [800, 600],
    [360, 640],
    [320, 256],
  ])('in the settings at %i × %i, nothing covers what has the focus', async (width, height) => {
    await shop.publish(undefined, { layout: 'box' });
    const page = await shop.visit('/links', { viewport: { width, height } });
    await page.locator('.settings').click();
    await page.locator('dialog.second').waitFor();
    const seen = new Set<unknown>();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let stop = 0; stop < 12; stop += 1) {
        await page.keyboard.press(key);
        const [name, clear] = await isClear(page);
        seen.add(name);
        expect([name, clear]).toEqual([name, true]);
      }
    expect(seen.size).toBeGreaterThanOrEqual(7);
    await page.context().close();
  });

  test.each([
    ['bar', 'bottom', 800],
    ['box', 'bottom_left', 800],
    ['bar', 'bottom', 1280],
  ])(
    'in the layout %s, %s, at %i px the page’s last links come out from behind',
    async (layout, position, width) => {
      await shop.publish(undefined, { layout, position });
      const page = await shop.visit('/links', { viewport: { width, height: 600 } });
      await page.locator('dialog.first').waitFor();
      for (const n of [57, 58, 59]) {
        await page.locator(`a[href="#${n}"]`).focus();
        expect(await isClear(page)).toEqual([`Link ${n}`, true]);
      }
      await page.locator('dialog').getByRole('button', { name: 'Reject all' }).click();
      await page.locator('.control').waitFor();
      await page.locator('a[href="#59"]').focus();
      expect(await isClear(page)).toEqual(['Link 59', true]);
      await page.context().close();
    },
  );

  test.each([480, 640, 800, 959, 1280])('the bar at %i px has three equal buttons', async (width) => {
    await shop.publish(undefined, { layout: 'bar', position: 'bottom' });
    const page = await shop.visit('/links', { viewport: { width, height: 800 } });
    await page.locator('dialog.first').waitFor();
    const [first, ...others] = await widths(page, 'dialog .actions button');
    expect(others).toEqual([first, first]);
    await page.context().close();
  });

  test.each([320, 390, 479, 480, 800])('the settings at %i px have three equal buttons', async (width) => {
    const page = await shop.visit('/links', { viewport: { width, height: 800 } });
    await page.locator('.settings').click();
    await page.locator('dialog.second').waitFor();
    const [first, ...others] = await widths(page, 'dialog .actions button');
    expect(others).toEqual([first, first]);
    await page.context().close();
  });

  test.each(['box', 'bar', 'dialog'])(
    'the layout %s at 320 × 256 (400 %%) shows every button without scrolling',
    async (layout) => {
      await shop.publish(undefined, { layout, position: layout === 'dialog' ? 'center' : 'bottom' });
      const page = await shop.visit('/links', { viewport: { width: 320, height: 256 } });
      for (const selector of ['dialog.first', 'dialog.second']) {
        await page.locator(selector).waitFor();
        const buttons = page.locator(`${selector} .actions button`);
        for (const { y, height } of await buttons.evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()),
        )) {
          expect(y).toBeGreaterThanOrEqual(60);
          expect(y + height).toBeLessThanOrEqual(256);
        }
        if (selector === 'dialog.first') await page.locator('.settings').click();
      }
      await page.context().close();
    },
  );

  test('a page may move the control', async () => {
    await shop.publish(undefined, { layout: 'box' });
    const style = ':root{--avow-control-block:auto 100px;--avow-control-inline:auto 30px}';
    shop.set('/placed', { head: `<style>${style}</style>` });
    const page = await shop.visit('/placed', { viewport: { width: 800, height: 600 } });
    await page.getByRole('button', { name: 'Reject all' }).click();
    const box = await page.locator('avow-banner .floating').boundingBox();
    expect([800 - (box?.x ?? 0) - (box?.width ?? 0), 600 - (box?.y ?? 0) - (box?.height ?? 0)]).toEqual([
      30, 100,
    ]);
    await page.context().close();
  });
});
