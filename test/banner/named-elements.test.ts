import type { Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const DOMAIN = 'shop.localhost';
const NAMES = [
  ...['cookie', 'dispatchEvent', 'addEventListener', 'createElement', 'body', 'documentElement'],
  ...['querySelector', 'querySelectorAll', 'adoptedStyleSheets', 'activeElement', 'elementFromPoint'],
];

describeInBrowser('markup of visitors that takes the names of the document’s members', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner: { ...settings.banner, cookie: { domain: DOMAIN, days: 30 } } });
  });
  afterAll(() => shop.stop());

  // By no member that is hidden: those of the test's own driver are the page's, too.
  const dialog = (page: Page) =>
    page.evaluate(() =>
      Boolean(document.getElementsByTagName('avow-banner')[0]?.shadowRoot?.querySelector('dialog')),
    );
  const decide = (page: Page, how: 'accept' | 'reject') =>
    page.evaluate((name) => (window.Avow as AvowBanner)[name](), how);
  const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: string[] }).heard);

  test.each(NAMES)('%s', async (name) => {
    const { immutable_url } = await shop.publish();
    shop.set('/named', {
      snippet: `<script>
        heard = [];
        for (const name of ['show', 'consent', 'change'])
          document.addEventListener('avow:' + name, () => heard.push(name));
      </script>`,
      body: `<img name="${name}"><script src="${immutable_url}"></script>
        <script type="text/plain" data-category="analytics" src="/counter.js"></script>`,
    });
    const page = await shop.visit('/named');
    const context = page.context();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await until('the banner', () => dialog(page));
    await decide(page, 'accept');
    await until('the script', () =>
      page.evaluate(() => (window as unknown as { ran?: string[] }).ran?.includes('/counter.js')),
    );
    await until('the banner is gone', async () => !(await dialog(page)));
    expect(await heard(page)).toEqual(['show', 'consent', 'change']);
    expect((await context.cookies()).map(({ name: one }) => one)).toContain('avow_consent');
    // The decision of another subdomain is read.
    const blog = await context.newPage();
    await blog.goto(`${shop.origin.replace(DOMAIN, `blog.${DOMAIN}`)}/named`);
    expect(await consentOf(blog)).toMatchObject({ decision: 'accept_all' });
    await decide(blog, 'reject');
    await page.reload();
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    expect(errors).toEqual([]);
    await context.close();
  });

  test('the fields of a form, which stand in the place of its members', async () => {
    shop.set('/form', { body: '<h1>Shop</h1>' });
    const page = await shop.visit('/form');
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await until('the banner', () => dialog(page));
    await decide(page, 'accept');
    await page.evaluate(() => {
      const added = document.createElement('div');
      added.innerHTML = `<form data-category="marketing" data-src="x"><input name="getAttribute"><input name="matches"></form>`;
      const script = document.createElement('script');
      Object.assign(script, { type: 'text/plain' });
      Object.assign(script.dataset, { category: 'analytics', src: '/counter.js' });
      // In one batch, the form first.
      document.body.append(added.firstChild as Node, script);
    });
    await until('the script', () =>
      page.evaluate(() => (window as unknown as { ran?: string[] }).ran?.includes('/counter.js')),
    );
    await decide(page, 'reject');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('a form around a frame is no banner: the frame shows its own', async () => {
    const form = '<form id="Avow"><input name="getConsent"></form>';
    const frame = '<iframe src="/inside" width="800" height="600"></iframe>';
    shop.set('/around-inside', { snippet: '', body: form + frame });
    shop.set('/inside', { body: '<h1>Shop</h1>' });
    const page = await shop.visit('/around-inside');
    const inside = page.frames()[1] as ReturnType<Page['mainFrame']>;
    await inside.getByRole('dialog').waitFor();
    await page.context().close();
  });
});
