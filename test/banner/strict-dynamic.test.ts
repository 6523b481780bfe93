import type { Page } from 'playwright-core';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const ran = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
const push = (name: string): string => `(window.ran ??= []).push('${name}')`;
const waiting = (rest: string, text = ''): string =>
  `<script type="text/plain" data-category="necessary" ${rest}>${text}</script>`;

/** What somebody might slip into the markup, without knowing the nonce. */
const SLIPPED = `${waiting('data-src="/slipped.js"')}${waiting('', push('inline'))}
  <script data-category="necessary" data-src="/other.js" nonce=""></script>`;

describeInBrowser('a page whose policy trusts what trusted scripts insert', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  test.each(["script-src 'nonce-abc' 'strict-dynamic'", "script-src 'nonce-abc' http:"])(
    'only scripts with the nonce of the banner are released: %s',
    async (policy) => {
      const { immutable_url } = await shop.publish();
      shop.set('/strict', {
        snippet: `<script nonce="abc" src="${immutable_url}"></script>`,
        body: `<div id="late"></div>${SLIPPED}${waiting('nonce="abc" data-src="/own.js"')}
          ${waiting('nonce="abc"', push('own inline'))}`,
        headers: { 'Content-Security-Policy': policy },
      });
      const page = await shop.visit('/strict');
      await page.evaluate((markup) => {
        (document.querySelector('#late') as HTMLElement).innerHTML = markup;
      }, SLIPPED + waiting('nonce="abc" data-src="/late.js"'));
      await until('the page’s own have run', async () => (await ran(page)).includes('/late.js'));
      expect(await ran(page)).toEqual(['/own.js', 'own inline', '/late.js']);
      await page.context().close();
    },
  );
});
