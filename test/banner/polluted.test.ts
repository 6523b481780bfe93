import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

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

  test('a signal that the browser sends counts, whatever all objects have', async () => {
    await shop.publish({ regions: { rules: 'law' } });
    const { immutable_url } = await shop.publish();
    shop.set('/signal', {
      snippet: `<script>Object.prototype.globalPrivacyControl = true</script><script src="${immutable_url}"></script>`,
      head: '<script type="text/plain" data-category="analytics" src="/analytics.js"></script>',
    });
    const context = await shop.browser.newContext({ timezoneId: 'Asia/Tokyo' });
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true }),
    );
    const page = await shop.visit('/signal', context);
    const memory = await until(
      'the browser’s objection',
      async () => (await memoryOf(page, shop.token)) ?? undefined,
    );
    expect(memory).toMatchObject({ method: 'gpc', decision: 'reject_all' });
    expect(await page.evaluate(() => (window as unknown as { ran?: string[] }).ran)).toBeUndefined();
    await context.close();
    await shop.publish({ regions: null, policy_version: '2' });
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
