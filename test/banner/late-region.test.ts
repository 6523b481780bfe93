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
  /**
   * A visitor who is in Germany on the shop, and on other hosts in California, or where they are said to be. A page of the
   * blog learns that when it is told.
   */
  async function visitor(elsewhere = 'US-CA'): Promise<{ context: BrowserContext; release: () => void }> {
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
      const { referer = '' } = route.request().headers();
      if (referer.includes('//blog.')) await held;
      await route.fulfill({
        json: { data: { region: /\/\/(blog|news)\./.test(referer) ? elsewhere : 'DE' } },
        headers: { 'access-control-allow-origin': '*' },
      });
    });
    return { context, release };
  }
  async function visitBlog(context: BrowserContext, host = 'blog'): Promise<Page> {
    const page = await context.newPage();
    await page.goto(shop.origin.replace(DOMAIN, `${host}.${DOMAIN}`));
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

  test('what a page decides itself meanwhile is told once', async () => {
    const { context, release } = await visitor('DE');
    const blog = await visitBlog(context);
    await blog.evaluate(() => (window.Avow as AvowBanner).accept());
    release();
    await blog.evaluate(
      () => new Promise((resolve) => (window.Avow as AvowBanner).on('rule', () => setTimeout(resolve, 300))),
    );
    expect((await notes(blog)).filter(([name]) => name === 'consent')).toHaveLength(1);
    await context.close();
  });

  test('a withdrawal is followed where the visitor is asked first', async () => {
    const { context, release } = await visitor('DE');
    const page = await shop.visit('/', context);
    await page.getByRole('button', { name: 'Accept all' }).click();
    const blog = await visitBlog(context);
    await until('the script', async () => (await ran(blog)).length > 0);
    await page.evaluate(() => (window.Avow as AvowBanner).reject());
    release();
    const told = await until('the withdrawal', async () => {
      const found = (await notes(blog)).find(([name]) => name === 'change');
      return found?.[2];
    });
    expect(told).toContain('analytics');
    expect(await consentOf(blog)).toMatchObject({ decision: 'reject_all' });
    await context.close();
  });

  test('what a rule lets in that is not known yet is in force when it is', async () => {
    const { context, release } = await visitor();
    const blog = await visitBlog(context);
    const news = await visitBlog(context, 'news');
    await until('the rule', () =>
      news.evaluate(
        () => new Promise<true>((resolve) => (window.Avow as AvowBanner).on('rule', () => resolve(true))),
      ),
    );
    await news.evaluate(() => (window.Avow as AvowBanner).accept());
    await blog.evaluate(() => dispatchEvent(new Event('focus')));
    const copy = await until('it is followed', async () => (await consentOf(blog)) ?? undefined);
    expect(copy.categories).toMatchObject({ analytics: false });
    release();
    await until('it is in force', async () => (await consentOf(blog))?.categories.analytics);
    expect(await consentOf(blog)).toMatchObject({ decision: 'accept_all' });
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
