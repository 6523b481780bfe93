import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const DOMAIN = 'shop.localhost';
const COUNTER = '<script type="text/plain" data-category="analytics" data-src="/counter.js"></script>';
const NOTES = `<script>
  window.notes = [];
  for (const name of ['show', 'consent', 'change'])
    document.addEventListener('avow:' + name, ({ detail }) => notes.push([name, detail.decision, detail.withdrawn]));
</script>`;

describeInBrowser('what happens before a page knows its region', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ regions: { rules: 'law' } });
    shop.set('/', { head: NOTES, body: `<h1>Shop</h1>${COUNTER}` });
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner: { ...settings.banner, cookie: { domain: DOMAIN, days: 30 } } });
  });
  afterAll(() => shop.stop());

  const notes = (page: Page) =>
    page.evaluate(() => (window as unknown as { notes: [string, string?, string[]?][] }).notes);
  const ran = (page: Page) => page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
  /** A visitor in Germany, and on the blog in California, which a page there learns when it is told. */
  async function visitor(): Promise<{ context: BrowserContext; release: () => void }> {
    const context = await shop.browser.newContext();
    // However slow this machine is, the page waits.
    await context.addInitScript(() => {
      const { setTimeout: wait } = window;
      Object.assign(window, {
        setTimeout: (task: () => void, after?: number) => wait(task, after === 2000 ? 60_000 : after),
      });
    });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/region*', async (route) => {
      const isBlog = route.request().headers().referer?.includes('//blog.');
      if (isBlog) await held;
      await route.fulfill({
        json: { data: { region: isBlog ? 'US-CA' : 'DE' } },
        headers: { 'access-control-allow-origin': '*' },
      });
    });
    return { context, release };
  }
  async function visitBlog(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(shop.origin.replace(DOMAIN, `blog.${DOMAIN}`));
    await until('the banner has run', () => consentOf(page).then(() => true));
    return page;
  }

  test('a withdrawal under a newer policy version is told as one', async () => {
    const { context, release } = await visitor();
    const page = await shop.visit('/', context);
    await page.getByRole('button', { name: 'Accept all' }).click();
    const blog = await visitBlog(context);
    await until('the script', async () => (await ran(blog)).length > 0);
    await shop.publish({ policy_version: 'newer' });
    await page.goto(shop.origin);
    await page.getByRole('button', { name: 'Reject all' }).click();
    release();
    const told = await until('the withdrawal', async () => {
      const found = (await notes(blog)).find(([name]) => name === 'change');
      return found?.[2];
    });
    expect(told).toContain('analytics');
    expect(await consentOf(blog)).toMatchObject({ decision: 'reject_all', policy_version: 'newer' });
    expect((await notes(blog)).filter(([name]) => name === 'show')).toEqual([]);
    await context.close();
  });

  test('a refusal holds on in a page that clears its storage, as one does that logs people out', async () => {
    const { context, release } = await visitor();
    const page = await shop.visit('/', context);
    await page.getByRole('button', { name: 'Reject all' }).click();
    const blog = await visitBlog(context);
    expect(await consentOf(blog)).toMatchObject({ decision: 'reject_all' });
    await page.close();
    await blog.evaluate(() => localStorage.clear());
    await context.clearCookies();
    release();
    await blog.evaluate(
      () => new Promise((resolve) => (window.Avow as AvowBanner).on('rule', () => setTimeout(resolve, 300))),
    );
    expect(await ran(blog)).toEqual([]);
    expect(await consentOf(blog)).toMatchObject({ decision: 'reject_all' });
    await context.close();
  });

  test('one that comes back from the browser’s cache asks nobody before it knows the rule', async () => {
    const { context, release } = await visitor();
    const blog = await visitBlog(context);
    await blog.evaluate(async () => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    expect(await notes(blog)).toEqual([]);
    release();
    await blog.getByRole('button', { name: 'OK' }).waitFor();
    expect((await notes(blog)).filter(([name]) => name === 'show')).toHaveLength(1);
    await context.close();
  });
});
