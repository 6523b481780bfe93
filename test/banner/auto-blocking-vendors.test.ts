import type { Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { openShop, type Shop } from '../helpers/banner/shop';
import { openVendorShop, type VendorShop } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { from, REGION_VARIABLES } from '../helpers/gpp/vendor';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const ran = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
const other = (shop: Shop, name: string): string => `http://${name}.localhost:${new URL(shop.origin).port}`;

describeInBrowser('auto-blocking where visitors choose by vendor', () => {
  let shop: VendorShop;
  afterAll(() => shop?.stop());

  test('what a vendor of the list loads waits for the vendor, with its buttons on the placeholder', async () => {
    shop = await openVendorShop();
    const cookie = { name: 'a', domain: 'film.localhost', category: 'marketing', max_age_seconds: 60 };
    const vendor = (id: number, name: string, cookies: object[]) => ({
      ...{ id, name, categories: ['marketing'], purposes: [], leg_int_purposes: [], urls: [], cookies },
    });
    await shop.client.replaceVendors({
      token: shop.token,
      body: {
        vendors: [
          vendor(755, 'Film Ltd', [cookie]),
          vendor(801, 'Counter Ltd', [{ ...cookie, domain: 'counter.localhost' }]),
        ] as never,
      },
    });
    const { snippet_pinned: snippet } = await shop.publish({
      auto_blocking: { enabled: true, rules: [], unclassified: null },
    });
    const [film, counter] = [other(shop, 'film'), other(shop, 'counter')];
    shop.set('/film', { snippet: '', body: 'A film' });
    shop.set('/page', {
      snippet,
      head: `<script src="${film}/film.js"></script><script src="${counter}/counter.js"></script>`,
      body: `<h1>Shop</h1><script>
        const f = document.createElement('iframe'); f.src = '${film}/film'; f.title = 'Film'; f.width = 480; f.height = 270;
        document.body.append(f);</script>`,
    });
    const page = await shop.visit('/page');
    const once = await shop.visit('/page');
    await once.getByRole('group', { name: 'Film' }).getByRole('button', { name: 'Load once' }).click();
    await once.frameLocator('iframe').getByText('A film').waitFor();
    expect(await ran(once)).toEqual([]);
    await once.context().close();
    await page.getByRole('group', { name: 'Film' }).getByText('Film Ltd').first().waitFor();
    expect(await ran(page)).toEqual([]);
    await page.evaluate(() => (window.Avow as AvowBanner).save({}, { 755: true }));
    await page.frameLocator('iframe').getByText('A film').waitFor();
    await until('its script', async () => (await ran(page)).includes('/film.js'));
    expect(await ran(page)).toEqual(['/film.js']);
    expect(
      (await page.evaluate(() => (window.Avow as AvowBanner).held?.()))?.map(({ vendor: id, released }) => [
        id,
        released,
      ]),
    ).toEqual([
      [755, true],
      [801, false],
      [755, true],
    ]);
    await page.reload();
    await until('its script', async () => (await ran(page)).includes('/film.js'));
    expect(await ran(page)).toEqual(['/film.js']);
    await page.context().close();
  });

  test('a frame loaded once goes on with its vendor, and asks again for another', async () => {
    const [film, counter] = [other(shop, 'film'), other(shop, 'counter')];
    shop.set('/next-film', { snippet: '', body: 'Another film' });
    const page = await shop.visit('/page');
    const show = (to: string) =>
      page.evaluate((address) => {
        (document.querySelector('iframe') as HTMLIFrameElement).src = address;
      }, to);
    const inside = page.frameLocator('iframe');
    await page.getByRole('group', { name: 'Film' }).getByRole('button', { name: 'Load once' }).click();
    await inside.getByText('A film').waitFor();
    await show(`${film}/next-film`);
    await inside.getByText('Another film').waitFor({ state: 'visible' });
    expect(await page.locator('avow-blocked').count()).toBe(0);
    await show(`${counter}/film`);
    await page.getByRole('group', { name: 'Film' }).getByText('Counter Ltd').first().waitFor();
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await page.evaluate(() => (window.Avow as AvowBanner).accept());
    await inside.getByText('A film').waitFor({ state: 'visible' });
    await page.evaluate(() => (window.Avow as AvowBanner).reject());
    await page.getByRole('group', { name: 'Film' }).getByText('Counter Ltd').first().waitFor();
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await page.context().close();
  });
});

describeInBrowser('auto-blocking with rules by region', () => {
  let shop: Shop;
  afterAll(() => shop?.stop());

  test('where visitors may object, what is held goes on as soon as the region is known', async () => {
    shop = await openShop({ regions: { rules: 'law' } }, REGION_VARIABLES);
    const { snippet_pinned: snippet } = await shop.publish({
      auto_blocking: {
        enabled: true,
        rules: [{ place: 'tracker.localhost', category: 'marketing' }],
        unclassified: null,
      },
    });
    const tracker = other(shop, 'tracker');
    shop.set('/', {
      snippet,
      head: `<script src="${tracker}/one.js"></script><script>fetch('${tracker}/two', { mode: 'no-cors' }).then(() => (window.ran ??= []).push('two'))</script>`,
    });
    const american = await shop.visit('/', await from(shop.browser, 'US', 'CA'));
    await until('both', async () => (await ran(american)).length === 2);
    await american.context().close();
    const german = await shop.visit('/', await from(shop.browser, 'DE'));
    await german.getByRole('dialog').waitFor();
    expect(await ran(german)).toEqual([]);
    await german.getByRole('button', { name: 'Reject all' }).click();
    await german.reload();
    await until('the script', () => german.evaluate(() => !Array.isArray(window.Avow)));
    expect(
      await german.evaluate(
        (url) =>
          fetch(url, { mode: 'no-cors' }).then(
            () => 'sent',
            (error) => error.name,
          ),
        `${tracker}/three`,
      ),
    ).toBe('TypeError');
    expect(shop.asked).not.toContain('/three');
    expect(await ran(german)).toEqual([]);
    await german.context().close();
  });

  test('an objection takes away frames that came before it, where nobody is asked first', async () => {
    const tracker = other(shop, 'tracker');
    shop.set('/film', { snippet: '', body: 'A film' });
    const american = await shop.visit('/', await from(shop.browser, 'US', 'CA'));
    await until('both', async () => (await ran(american)).length === 2);
    await american.evaluate(
      (html) => document.body.insertAdjacentHTML('beforeend', html),
      `<iframe title="Film" width="480" height="270" src="${tracker}/film"></iframe>`,
    );
    await american.frameLocator('iframe').getByText('A film').waitFor();
    await american.evaluate(() => (window.Avow as AvowBanner).reject());
    await american.getByRole('group', { name: 'Film' }).waitFor();
    expect(await american.locator('iframe[src]').count()).toBe(0);
    await american.context().close();
  });
});
