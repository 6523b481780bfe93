import type { Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { openShop, type Shop } from '../helpers/banner/shop';
import { openVendorShop, type VendorShop } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

interface Seen {
  Avow: AvowBanner;
  ran?: string[];
  turns: number;
}

const accept = (page: Page) => page.evaluate(() => (window as unknown as Seen).Avow.accept());
const ran = (page: Page) => page.evaluate(() => (window as unknown as Seen).ran ?? []);
const times = (asked: string[], path: string): number => asked.filter((one) => one === path).length;
const other = (shop: Shop, name: string): string => `http://${name}.localhost:${new URL(shop.origin).port}`;
/** Takes what the banner has set, as those do who make elements like new HTML, from the front or from behind. */
const strip = (page: Page, front: boolean) =>
  page.evaluate((isFront) => {
    const frame = document.querySelector('iframe') as Element;
    const names = frame.getAttributeNames().filter((name) => name.startsWith('data-avow'));
    for (const name of isFront ? names : names.reverse()) frame.removeAttribute(name);
    // Longer than what takes place a moment later.
    return new Promise((done) => setTimeout(done, 400)).then(() => names.length);
  }, front);

describeInBrowser('marks that the page takes from a frame of a vendor', () => {
  let shop: VendorShop;
  afterAll(() => shop?.stop());

  test('a frame that was loaded once plays on, and goes with the next decision', async () => {
    shop = await openVendorShop();
    const cookie = { name: 'a', domain: 'film.localhost', category: 'marketing', max_age_seconds: 60 };
    await shop.client.replaceVendors({
      token: shop.token,
      body: {
        vendors: [
          {
            ...{ id: 755, name: 'Film Ltd', categories: ['marketing'], purposes: [] },
            ...{ leg_int_purposes: [], urls: [], cookies: [cookie] },
          },
        ] as never,
      },
    });
    const { snippet_pinned: snippet } = await shop.publish({
      auto_blocking: { enabled: true, rules: [], unclassified: null },
    });
    shop.set('/film', { snippet: '', body: 'A film' });
    shop.set('/page', {
      snippet,
      body: `<h1>Shop</h1><script>
        const f = document.createElement('iframe'); f.src = '${other(shop, 'film')}/film'; f.title = 'Film';
        f.width = 480; f.height = 270; document.body.append(f);</script>`,
    });
    const page = await shop.visit('/page');
    await page.getByRole('group', { name: 'Film' }).getByRole('button', { name: 'Load once' }).click();
    await page.frameLocator('iframe').getByText('A film').waitFor();
    for (const front of [true, false, true, false]) {
      expect(await strip(page, front)).toBe(3);
      expect(
        await page.evaluate(() => document.querySelector('iframe')?.getAttribute('data-avow-vendor')),
      ).toBe('755');
    }
    expect(times(shop.asked, '/film')).toBe(1);
    expect(await page.locator('avow-blocked').count()).toBe(0);
    await page.frameLocator('iframe').getByText('A film').waitFor({ state: 'visible' });
    await page.evaluate(() => (window as unknown as Seen).Avow.reject());
    await page.getByRole('group', { name: 'Film' }).waitFor();
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await page.context().close();
  });
});

describeInBrowser('marks that the page takes or overrules', () => {
  let shop: Shop;
  let snippet: string;
  let tracker = '';

  beforeAll(async () => {
    shop = await openShop();
    tracker = other(shop, 'tracker');
    ({ snippet_pinned: snippet } = await shop.publish({
      auto_blocking: {
        enabled: true,
        unclassified: null,
        rules: [{ place: 'tracker.localhost', category: 'analytics' }],
      },
    }));
    shop.set('/film', { snippet: '', body: 'A film' });
  });
  afterAll(() => shop?.stop());

  const open = async (script: string) => {
    shop.set('/page', {
      snippet,
      body: `<h1>Shop</h1><div id="box"></div><script>{ const box = document.getElementById('box'); ${script} }</script>`,
    });
    const before = shop.asked.length;
    const page = await shop.visit('/page');
    await page.getByRole('dialog').waitFor();
    return { page, asked: () => shop.asked.slice(before) };
  };

  test('an observer that takes what it does not know does not stop the page', async () => {
    const { page } = await open(`
      window.turns = 0;
      // Ends by itself, so that this test does.
      new MutationObserver((records) => {
        for (const { target, attributeName } of records)
          if (attributeName.startsWith('data-avow') && turns++ < 3000) target.removeAttribute(attributeName);
      }).observe(document, { attributes: true, subtree: true });
      const f = document.createElement('iframe'); f.title = 'Film'; box.append(f); f.src = '${tracker}/film';
      setTimeout(() => { document.title = turns < 100 ? 'It goes on' : 'It was stopped'; });`);
    await until('the page goes on', async () => /^It/.test(await page.title()));
    expect(await page.title()).toBe('It goes on');
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await page.context().close();
  });

  test('what is written over twice in a task goes on to wait', async () => {
    const { page } = await open(`
      const f = document.createElement('iframe'); f.title = 'Film'; f.width = 480; f.height = 270;
      f.src = '${tracker}/film'; box.append(f);`);
    await page.evaluate(async () => {
      const frame = document.querySelector('iframe') as Element;
      for (let turn = 0; turn < 2; turn += 1) {
        for (const name of frame.getAttributeNames().reverse())
          if (name.startsWith('data-avow')) frame.removeAttribute(name);
        await Promise.resolve();
      }
    });
    await page.locator('iframe[data-avow-src]').waitFor({ state: 'attached' });
    await accept(page);
    await page.frameLocator('iframe').getByText('A film').waitFor();
    await page.context().close();
  });

  test('a script that waits and is given a category waits for that', async () => {
    const { page, asked } = await open(`
      const s = document.createElement('script'); s.src = '${tracker}/one.js';
      s.setAttribute('data-category', 'marketing'); box.append(s);`);
    expect(await ran(page)).toEqual([]);
    await page.evaluate(() => (window as unknown as Seen).Avow.save({ analytics: true }));
    expect(asked()).not.toContain('/one.js');
    await accept(page);
    await until('it has run', async () => (await ran(page)).length > 0);
    expect(await ran(page)).toEqual(['/one.js']);
    await page.context().close();
  });

  test('a script that waits, loses its type and is moved waits all the same', async () => {
    const { page, asked } = await open(`
      const s = document.createElement('script'); s.src = '${tracker}/one.js';
      box.append(s); s.removeAttribute('type'); box.prepend(s);`);
    expect(await ran(page)).toEqual([]);
    expect(asked()).not.toContain('/one.js');
    await accept(page);
    await until('it has run', async () => (await ran(page)).length > 0);
    expect(await ran(page)).toEqual(['/one.js']);
    await page.context().close();
  });

  test('images of no document that the page has emptied take no room from others', async () => {
    const { page, asked } = await open(`
      for (let at = 0; at < 200; at += 1) {
        const one = new Image(); one.src = '${tracker}/emptied.svg'; one.removeAttribute('src');
      }
      new Image().src = '${tracker}/picture.svg';`);
    await accept(page);
    await until('the image', async () => asked().includes('/picture.svg'));
    expect(asked()).not.toContain('/emptied.svg');
    await page.context().close();
  });
});
