import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(60_000);

/** What old libraries let whoever writes a link do to a page: `?__proto__[marketing]=true`. */
const POLLUTED = `<script>
  Object.prototype.marketing = true;
  Object.prototype.server = 'https://attacker.example';
</script>`;

describeInBrowser('on a page whose objects all have what a link adds to them', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
    const { immutable_url } = await shop.publish();
    shop.set('/polluted', { snippet: `${POLLUTED}<script src="${immutable_url}"></script>` });
  });
  afterAll(() => shop.stop());

  test('a category that a stored decision does not name is asked for, and not allowed', async () => {
    const page = await shop.visit();
    await page.locator('avow-banner').getByRole('button', { name: 'Accept all' }).click();
    const stored = await memoryOf(page, shop.token);
    const { marketing: _, ...categories } = stored.categories;
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key as string, value as string),
      [`avow:${shop.token}`, JSON.stringify({ ...stored, categories, unsent: [] })],
    );
    await page.goto(`${shop.origin}/polluted`);
    await page.locator('avow-banner').getByRole('button', { name: 'Accept all' }).waitFor();
    expect(await consentOf(page)).toBeNull();
    await page.context().close();
  });

  test('what save is not given is refused, and goes to the site’s own server', async () => {
    const page = await shop.visit('/polluted');
    const sent = page.waitForRequest((request) => request.url().endsWith('/ce'));
    await page.evaluate(() => (window.Avow as { save(given: object): void }).save({}));
    expect((await consentOf(page))?.categories.marketing).toBe(false);
    expect(new URL((await sent).url()).origin).toBe(shop.host);
    await page.context().close();
  });

  test.each(['the stub', 'no stub'])(
    'a link makes no preview, no call and no signal, with %s',
    async (kind) => {
      const { immutable_url, snippet_pinned } = await shop.publish();
      const own = kind === 'the stub' ? snippet_pinned : `<script src="${immutable_url}"></script>`;
      shop.set('/called', {
        snippet: `<script>
        Object.assign(Object.prototype, { preview: true, denied: true, rule: 'notice', parsed: [], dataLayer: 'x' });
        Object.prototype.Avow = [['accept']];
        Object.prototype.globalPrivacyControl = true;
      </script>${own}`,
        body: '<h1>Shop</h1>',
      });
      const page = await shop.visit('/called');
      await page.locator('avow-banner').getByRole('button', { name: 'Accept all' }).waitFor();
      expect(await consentOf(page)).toBeNull();
      const first = await page.evaluate(() => {
        const [one] = (window as unknown as { dataLayer: Record<number, unknown>[] }).dataLayer;
        return [one?.[0], one?.[1]];
      });
      expect(first).toEqual(['consent', 'default']);
      await page.locator('avow-banner').getByRole('button', { name: 'Reject all' }).click();
      expect((await memoryOf(page, shop.token)).decision).toBe('reject_all');
      await page.context().close();
    },
  );
});
