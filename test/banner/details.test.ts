import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(60_000);

describeInBrowser('details of a category', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  test('details name vendors, cookies and their lifetimes in the words of the language', async () => {
    const vendor = {
      id: 1,
      name: 'Counter <b>Ltd</b>',
      purposes: [],
      leg_int_purposes: [],
      categories: ['analytics'],
      urls: [{ lang_id: 'en', privacy: 'https://counter.example/privacy' }],
      country: 'IE',
      cookies: [
        {
          name: '_count',
          category: 'analytics',
          max_age_seconds: 34_560_000,
          description: 'Tells visits apart.',
        },
        { name: '_tab', category: 'analytics', max_age_seconds: 0 },
        {
          ...{ name: 'kept', storage: 'local_storage' as const },
          ...{ category: 'analytics', max_age_seconds: 0 },
        },
      ],
    };
    await shop.client.replaceVendors({ token: shop.token, body: { vendors: [vendor] } });
    await shop.publish({ languages: ['en', 'de', 'ar'] });
    const page = await shop.visit();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.locator('section', { hasText: 'Analytics' }).locator('summary').click();
    await page.getByText('_count').waitFor();
    const text = await page.locator('section', { hasText: 'Analytics' }).locator('details').textContent();
    for (const part of [
      'Counter <b>Ltd</b> (Ireland)',
      '400 days',
      'Tells visits apart.',
      '_tab',
      'Until you close the browser',
      'kept (local storage)∞',
    ])
      expect(text).toContain(part);
    await page.context().close();
    shop.set('/de', { lang: 'de-AT' });
    const german = await shop.visit('/de');
    await german.getByRole('button', { name: 'Einstellungen', exact: true }).click();
    await german.locator('section', { hasText: 'Statistik' }).locator('summary').click();
    await german.getByText('400 Tage').waitFor();
    await german.context().close();
  });

  test('a category without vendors and cookies has no details, although others have some', async () => {
    const cookies = [{ name: '_ad', category: 'marketing', max_age_seconds: 60 }];
    const vendor = { id: 1, name: 'Counter', purposes: [], leg_int_purposes: [], urls: [], cookies };
    const vendors = [{ ...vendor, categories: ['analytics'] }];
    await shop.client.replaceVendors({ token: shop.token, body: { vendors } });
    const { hash } = await shop.publish();
    const { config } = await shop.client.getBundleRecord({ token: shop.token, hash });
    expect(config.categories.map((category) => [category.key, category.vendors])).toEqual([
      ['necessary', 0],
      ['functional', 0],
      ['analytics', 1],
      ['marketing', 1],
    ]);
    const page = await shop.visit();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    const named = (name: string) => page.locator('section', { hasText: name }).locator('details');
    expect([await named('Necessary').count(), await named('Functional').count()]).toEqual([0, 0]);
    for (const name of ['Analytics', 'Marketing']) {
      await named(name).locator('summary').click();
      await named(name).getByText('Counter').waitFor();
    }
    await page.context().close();
  });

  test.each([
    [
      'does not know them',
      { status: 404, json: { status: 'error', data: { code: 'not_found', errors: [] } } },
    ],
    ['fails', { status: 500, json: { status: 'error', data: { code: 'internal_error', errors: [] } } }],
    ['is not there but a proxy is', { status: 200, contentType: 'text/html', body: '<h1>Sorry</h1>' }],
    ['is dead', null],
  ])(
    'when the server of the vendors %s, details name the cookies that the script knows, and ask again when opened again',
    async (_, answer) => {
      const cookies = [{ name: '_menu', category: 'functional', max_age_seconds: 3600 }];
      const vendor = { id: 1, name: 'Menus', purposes: [], leg_int_purposes: [], urls: [], cookies };
      const vendors = [{ ...vendor, categories: ['functional'] }];
      await shop.client.replaceVendors({ token: shop.token, body: { vendors } });
      await shop.publish();
      const context = await shop.browser.newContext();
      let asked = 0;
      await context.route('**/vendors', (route) => {
        asked += 1;
        const headers = { 'Access-Control-Allow-Origin': '*' };
        return answer ? route.fulfill({ ...answer, headers }) : route.abort();
      });
      const page = await shop.visit('/', context);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      const details = page.locator('section', { hasText: 'Functional' }).locator('details');
      await details.locator('summary').click();
      await details.getByText('Cookies: _menu', { exact: true }).waitFor();
      expect(await details.locator('div').textContent()).toBe('Cookies: _menu');
      expect(asked).toBe(1);
      await context.unroute('**/vendors');
      await details.locator('summary').click();
      await details.locator('summary').click();
      await details.getByText('Menus').waitFor();
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});
