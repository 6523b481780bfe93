import type { Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const LONG = `<p>Fine things.</p>`.repeat(80);
const TAGS = `<div id="part"><script type="text/plain" data-category="analytics" src="/one.js"></script>
  <script type="text/plain" data-category="analytics" id="two">(window.ran ??= []).push(document.currentScript.id)</script></div>`;
const ran = (page: Page) => page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.locator('avow-banner dialog');
const isModal = (page: Page) => dialog(page).evaluate((element) => element.matches(':modal'));
/** A rule that wins over the banner's own, as those of a visitor's style sheet do. */
const hide = (rule: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:host(avow-banner),dialog{${rule}!important}`);
  const root = document.querySelector('avow-banner')?.shadowRoot as ShadowRoot;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
};

describeInBrowser('pages of all kinds', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ privacy_policy_url: 'https://shop.example.com/privacy' });
  });
  afterAll(() => shop.stop());

  test('a released script stays the element that the page has, wherever it came from', async () => {
    shop.set('/kept', { body: TAGS });
    const page = await shop.visit('/kept');
    await dialog(page).waitFor();
    // What frameworks do: a script made by `innerHTML`, and a copy of a template.
    await page.evaluate(() => {
      const part = document.querySelector('#part') as Element;
      const made = document.createElement('div');
      const text = (name: string) =>
        `<script type="text/plain" data-category="analytics">(window.ran ??= []).push('${name}')</script>`;
      made.innerHTML = text('made');
      const template = document.createElement('template');
      template.innerHTML = text('copied');
      part.append(made.firstChild as Node, template.content.cloneNode(true));
      Object.assign(window, { kept: [...part.children] });
    });
    await press(page, 'Accept all');
    await until('all have run', async () => (await ran(page)).length === 4);
    expect(await ran(page)).toEqual(['/one.js', 'two', 'made', 'copied']);
    // Throws when the page's element is no longer there.
    await page.evaluate(() => {
      const part = document.querySelector('#part') as Element;
      for (const script of (window as unknown as { kept: Element[] }).kept) part.removeChild(script);
    });
    await page.context().close();
  });

  test('a released script that writes into the document does not wipe the page', async () => {
    shop.set('/write', {
      body: `<h1>Shop</h1><script type="text/plain" data-category="analytics">document.write('x');document.writeln('y');(window.ran ??= []).push('wrote')</script>`,
    });
    const page = await shop.visit('/write');
    await press(page, 'Accept all');
    await until('it ran', async () => (await ran(page)).length === 1);
    expect(await page.locator('h1').textContent()).toBe('Shop');
    expect(await page.evaluate(() => /native code/.test(String(document.write)))).toBe(true);
    await page.context().close();
  });

  test('libraries that give arrays a toJSON leave the choice working, and keep theirs', async () => {
    shop.set('/old', {
      head: `<script>Array.prototype.toJSON = function () { return '[' + this.join() + ']'; };</script>`,
    });
    const page = await shop.visit('/old');
    await press(page, 'Accept all');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    expect(await page.evaluate('typeof [].toJSON')).toBe('function');
    await page.context().close();
  });

  describe('the modal layout', () => {
    beforeAll(async () => {
      await shop.publish(undefined, { layout: 'dialog' });
      shop.set('/modal', { body: `<button onclick="window.hit = true">Buy</button>${LONG}` });
    });

    test.each(['display:none', 'visibility:hidden', 'pointer-events:none', 'translate:0 -999vh'])(
      'does not make the page inert when it is hidden by %s',
      async (rule) => {
        const page = await shop.visit('/modal');
        await dialog(page).waitFor();
        expect(await isModal(page)).toBe(true);
        await page.evaluate(hide, rule);
        await until('the page can be used', async () => {
          await page.mouse.click(20, 20);
          return page.evaluate(() => 'hit' in window);
        });
        await page.context().close();
      },
    );

    test('is not modal from the beginning when it was hidden before', async () => {
      const context = await shop.browser.newContext();
      await context.addInitScript(`new MutationObserver((_, observer) => {
        if (!document.querySelector('avow-banner')?.shadowRoot) return;
        observer.disconnect();
        (${hide})('display:none');
      }).observe(document, { childList: true, subtree: true })`);
      const page = await shop.visit('/modal', context);
      await dialog(page).waitFor({ state: 'attached' });
      await until('it is open', () => dialog(page).evaluate((element: HTMLDialogElement) => element.open));
      expect(await isModal(page)).toBe(false);
      await page.mouse.click(20, 20);
      expect(await page.evaluate(() => 'hit' in window)).toBe(true);
      await context.close();
    });

    test('keeps the page from scrolling while it is open', async () => {
      const page = await shop.visit('/modal');
      await dialog(page).waitFor();
      await page.mouse.move(20, 20);
      await page.mouse.wheel(0, 400);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await press(page, 'Reject all');
      await dialog(page).waitFor({ state: 'detached' });
      await page.mouse.wheel(0, 400);
      await until('it scrolls again', () => page.evaluate(() => scrollY > 0));
      await page.context().close();
    });
  });

  test.each(['box', 'dialog'])(
    'a modal dialog that the page opens first leaves the %s layout usable, and is usable after it',
    async (layout) => {
      await shop.publish(undefined, { layout });
      shop.set('/age', {
        head: `<script>addEventListener('DOMContentLoaded', () => age.showModal())</script>`,
        body: '<dialog id="age"><button onclick="age.close()">I am old enough</button></dialog>',
      });
      const page = await shop.visit('/age');
      await press(page, 'Reject all');
      await press(page, 'I am old enough');
      expect(await page.evaluate(() => document.querySelector('dialog')?.open)).toBe(false);
      await page.context().close();
    },
  );

  test('a transformed root element moves neither banner nor control', async () => {
    await shop.publish();
    shop.set('/moved', { head: '<style>html{transform:translateX(0)}</style>', body: LONG });
    const page = await shop.visit('/moved');
    const bottom = (selector: string) =>
      page.locator(selector).evaluate((element) => innerHeight - element.getBoundingClientRect().bottom);
    expect(await bottom('avow-banner dialog')).toBe(16);
    await press(page, 'Reject all');
    expect(await bottom('avow-banner .floating')).toBe(16);
    await page.context().close();
  });

  test('a frame of the same site has no banner of its own, and follows the choice', async () => {
    await shop.publish();
    shop.set('/around', { body: '<iframe title="Part" src="/inside" width="600" height="400"></iframe>' });
    shop.set('/inside', { body: TAGS });
    const page = await shop.visit('/around');
    await dialog(page).waitFor();
    await press(page, 'Accept all');
    const frame = page.frames()[1] as ReturnType<Page['mainFrame']>;
    await until('its scripts ran', () => frame.evaluate(() => 'ran' in window));
    expect(await frame.locator('avow-banner').count()).toBe(0);
    await page.context().close();
  });

  test('while the page is loading the banner stands where hydration of a whole document ignores it, and is first for the keyboard', async () => {
    // A picture that does not end keeps the page loading.
    const context = await shop.browser.newContext();
    await context.route('**/never.svg', () => undefined);
    shop.set('/loading', { body: '<a href="/next">Next</a><img src="/never.svg" alt="">' });
    const page = await context.newPage();
    await page.goto(`${shop.origin}/loading`, { waitUntil: 'commit' });
    await dialog(page).waitFor();
    const neighbours = () =>
      page.evaluate(() =>
        [document.head.nextElementSibling, document.body.lastElementChild].map((one) => one?.localName),
      );
    expect(await neighbours()).toEqual(['body', 'avow-banner']);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('avow-banner');
    expect(await neighbours()).toEqual(['avow-banner', 'img']);
    await context.close();
  });

  test.each(['box', 'dialog'])(
    'a framework that makes the whole document again gets the %s layout back, and the control too',
    async (layout) => {
      await shop.publish(undefined, { layout });
      const page = await shop.visit();
      const again = () =>
        page.evaluate(() => {
          const root = document.createElement('html');
          root.append(document.createElement('head'), document.createElement('body'));
          document.documentElement.remove();
          document.append(root);
        });
      await dialog(page).waitFor();
      await again();
      await dialog(page).waitFor();
      expect(await isModal(page)).toBe(layout === 'dialog');
      await press(page, 'Accept all');
      await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
      expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
      await again();
      await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
      await page.context().close();
    },
  );

  test('what always removes the banner is not fought for ever', async () => {
    const page = await shop.visit('/', await shop.browser.newContext());
    await dialog(page).waitFor();
    await page.evaluate(() => {
      Object.assign(window, { removed: 0 });
      new MutationObserver(() => {
        const found = document.querySelector('avow-banner');
        if (found) (window as unknown as { removed: number }).removed += 1;
        found?.remove();
      }).observe(document, { childList: true, subtree: true });
      document.body.append('x');
    });
    await until('it gives up', async () => (await dialog(page).count()) === 0);
    expect(await page.evaluate('removed')).toBeLessThan(10);
    await page.context().close();
  });
});
