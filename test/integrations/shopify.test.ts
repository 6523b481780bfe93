import { join } from 'node:path';
import { Liquid } from 'liquidjs';
import type { BrowserContext, Page } from 'playwright-core';
import { ROOT } from '../../server/src/config/paths';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(60_000);

/** Shopify's part of a page: the API comes when it is asked for, and keeps what it is told in a cookie. */
const SHOPIFY = `<script>
  window.told = [];
  window.Shopify = { loadFeatures: (features, done) => {
    window.asked = features;
    setTimeout(() => {
      window.Shopify.customerPrivacy = {
        currentVisitorConsent: () => JSON.parse(localStorage.getItem('shopify') ?? '{}'),
        setTrackingConsent: (choice, done) => {
          window.told.push(choice);
          const words = Object.entries(choice).map(([name, is]) => [name, is ? 'yes' : 'no']);
          localStorage.setItem('shopify', JSON.stringify(Object.fromEntries(words)));
          done();
        },
      };
      done(null);
    }, 50);
  } };
</script>`;

describeInBrowser('the snippet for Shopify', () => {
  let shop: Shop;
  let context: BrowserContext;
  beforeAll(async () => {
    shop = await openShop();
    const { snippet } = await shop.publish();
    const liquid = new Liquid({
      root: join(ROOT, 'sdk/integrations/shopify/snippets'),
      extname: '.liquid',
    });
    const rendered = (call: string) => liquid.parseAndRenderSync(`{% render 'avow-consent'${call} %}`);
    shop.set('/', { snippet: snippet + rendered(''), head: SHOPIFY });
    shop.set('/other-keys', {
      snippet: snippet + rendered(", analytics: 'functional'"),
      head: SHOPIFY,
    });
    context = await shop.browser.newContext();
  });
  afterAll(() => shop.stop());

  const told = (page: Page): Promise<object[]> =>
    page.evaluate(() => (window as unknown as { told: object[] }).told);
  const untilTold = (page: Page, count: number) =>
    page.waitForFunction((n) => (window as unknown as { told: object[] }).told.length === n, count);

  test('nothing is told before a decision, each decision once, and not again on the next page', async () => {
    const page = await shop.visit('/', context);
    await page.getByRole('button', { name: 'Reject all', exact: true }).waitFor();
    expect(await told(page)).toEqual([]);
    await page.evaluate(() =>
      (window as unknown as { Avow: { save(of: object): void } }).Avow.save({ analytics: true }),
    );
    await untilTold(page, 1);
    expect(await told(page)).toEqual([
      { analytics: true, marketing: false, preferences: false, sale_of_data: false },
    ]);
    await page.reload();
    await page.waitForFunction(() => 'customerPrivacy' in (window as unknown as { Shopify: object }).Shopify);
    expect(await told(page)).toEqual([]);
    await page.evaluate(() => (window as unknown as { Avow: { accept(): void } }).Avow.accept());
    await untilTold(page, 1);
    expect(await told(page)).toEqual([
      { analytics: true, marketing: true, preferences: true, sale_of_data: true },
    ]);
  });

  test('where the visitor is asked again, what an earlier decision allowed is taken back', async () => {
    const page = await shop.visit('/', await shop.browser.newContext());
    await page.evaluate(() => (window as unknown as { Avow: { accept(): void } }).Avow.accept());
    await untilTold(page, 1);
    // As by a new policy version, or when the consent has expired.
    await page.evaluate(() => {
      const own = Object.keys(localStorage).find((key) => key.startsWith('avow:')) as string;
      localStorage.removeItem(own);
    });
    await page.reload();
    await untilTold(page, 1);
    expect(await told(page)).toEqual([
      { analytics: false, marketing: false, preferences: false, sale_of_data: false },
    ]);
    await page.context().close();
  });

  test('with rules by region, a choice is not taken back and told again on each page', async () => {
    const other = await openShop({ regions: { rules: 'law' } });
    try {
      const { snippet } = await other.publish();
      const liquid = new Liquid({
        root: join(ROOT, 'sdk/integrations/shopify/snippets'),
        extname: '.liquid',
      });
      other.set('/', {
        snippet: snippet + liquid.parseAndRenderSync("{% render 'avow-consent' %}"),
        head: SHOPIFY,
      });
      const mine = await other.browser.newContext({ timezoneId: 'America/Los_Angeles' });
      const page = await other.visit('/', mine);
      await page.locator('avow-banner').getByRole('dialog').waitFor();
      await page.evaluate(() =>
        (window as unknown as { Avow: { save(of: object): void } }).Avow.save({ analytics: true }),
      );
      await untilTold(page, 1);
      await page.reload();
      await page.waitForFunction(
        () => (window.Avow as unknown as { getConsent(): object | null }).getConsent() !== null,
      );
      await page.waitForFunction(
        () => 'customerPrivacy' in (window as unknown as { Shopify: object }).Shopify,
      );
      expect(await told(page)).toEqual([]);
      await mine.close();
    } finally {
      await other.stop();
    }
  });

  test('a theme may name other categories', async () => {
    const page = await shop.visit('/other-keys');
    await page.getByRole('button', { name: 'Reject all', exact: true }).waitFor();
    await page.evaluate(() =>
      (window as unknown as { Avow: { save(of: object): void } }).Avow.save({ functional: true }),
    );
    await untilTold(page, 1);
    expect(await told(page)).toEqual([
      { analytics: true, marketing: false, preferences: true, sale_of_data: false },
    ]);
  });
});
