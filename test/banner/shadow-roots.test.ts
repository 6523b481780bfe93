import type { Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const ran = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const push = (name: string): string => `(window.ran ??= []).push('${name}')`;
const blocked = (name: string): string =>
  `<script type="text/plain" data-category="analytics">${push(name)}</script>`;
const FILM =
  '<iframe title="Film" data-category="marketing" data-src="/film" width="480" height="270"></iframe>';

/** A component whose root holds a text: how it comes to it is what the tests are about. */
const component = (name: string, html: string, mode = 'open'): string => `
  customElements.define('${name}', class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: '${mode}' });
      root.innerHTML = ${JSON.stringify(html).replaceAll('<', '\\x3c')};
    }
  });`;

describeInBrowser('in shadow roots of the page', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
    shop.set('/film', { snippet: '', body: 'A film' });
  });
  afterAll(() => shop.stop());

  const MADE: [how: string, page: { head?: string; body: string }][] = [
    [
      'a component that is known before',
      { head: `<script>${component('x-part', blocked('part'))}</script>`, body: '<x-part></x-part>' },
    ],
    [
      'a component that is defined after its element',
      { body: `<x-part></x-part><script>${component('x-part', blocked('part'))}</script>` },
    ],
    [
      'a component in a component',
      {
        body: `<x-part></x-part><script>${component('x-inner', blocked('part'))}${component('x-part', '<p><x-inner></x-inner></p>')}</script>`,
      },
    ],
    [
      'a closed root',
      { body: `<x-part></x-part><script>${component('x-part', blocked('part'), 'closed')}</script>` },
    ],
    [
      'a root of the markup',
      {
        body: `<div><template shadowrootmode="open"><p>Part</p>${blocked('part')}</template></div><p>Next</p>`,
      },
    ],
    [
      'a root in a root of the markup',
      {
        body: `<div><template shadowrootmode="open"><div><template shadowrootmode="open">${blocked('part')}</template></div></template></div>`,
      },
    ],
  ];
  test.each(MADE)('a script in %s waits for consent, and then runs once', async (_, made) => {
    shop.set('/part', made);
    const page = await shop.visit('/part');
    await page.getByRole('dialog').waitFor();
    expect(await ran(page)).toEqual([]);
    await press(page, 'Accept all');
    await until('it ran', async () => (await ran(page)).length > 0);
    await page.reload();
    await until('it ran again', async () => (await ran(page)).length > 0);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await ran(page)).toEqual(['part']);
    await page.context().close();
  });

  test('with the asynchronous snippet, roots are found that were there before the script', async () => {
    const { snippet } = await shop.publish();
    shop.set('/before', {
      snippet,
      head: `<script>${component('x-part', blocked('part') + FILM)}</script>`,
      body: '<x-part></x-part>',
    });
    const context = await shop.browser.newContext();
    // The script comes when the page is done.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route(/\/bundles\/[^/]*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    const page = await context.newPage();
    await page.goto(`${shop.origin}/before`, { waitUntil: 'commit' });
    await until('the page is parsed', () => page.evaluate(() => document.readyState !== 'loading'));
    await page.locator('x-part iframe').waitFor({ state: 'attached' });
    release();
    await press(page, 'Accept all');
    await until('it ran', async () => (await ran(page)).length === 1);
    await page.frameLocator('x-part iframe').getByText('A film').waitFor();
    await context.close();
  });

  test('what comes into a root later is blocked or released like the rest', async () => {
    shop.set('/later', {
      head: `<script>${component('x-part', '<p>Part</p>')}</script>`,
      body: '<x-part></x-part>',
    });
    const page = await shop.visit('/later');
    await press(page, 'Settings');
    await page.getByRole('switch', { name: 'Analytics' }).check();
    await press(page, 'Save choice');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate(() => {
      const root = document.querySelector('x-part')?.shadowRoot as ShadowRoot;
      for (const category of ['marketing', 'analytics']) {
        const script = document.createElement('script');
        script.type = 'text/plain';
        script.dataset.category = category;
        script.text = `(window.ran ??= []).push('${category}')`;
        root.append(script);
      }
    });
    await until('it ran', async () => (await ran(page)).length > 0);
    expect(await ran(page)).toEqual(['analytics']);
    await page.context().close();
  });

  test('a script in the root of an element that the page inserts later runs then', async () => {
    const page = await shop.visit();
    await press(page, 'Accept all');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate((html) => {
      const host = document.createElement('div');
      host.attachShadow({ mode: 'open' }).innerHTML = html;
      Object.assign(window, { host });
    }, blocked('part'));
    // The banner has looked at it by then.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await ran(page)).toEqual([]);
    await page.evaluate(() => document.body.append((window as unknown as { host: Element }).host));
    await until('it ran', async () => (await ran(page)).length > 0);
    expect(await ran(page)).toEqual(['part']);
    await page.context().close();
  });

  test('a frame has its placeholder, whose button allows it, and is emptied upon withdrawal', async () => {
    shop.set('/frame', {
      head: `<script>${component('x-film', `<p>Look</p>${FILM}`)}</script>`,
      body: '<h1>Shop</h1><x-film></x-film>',
    });
    const before = shop.asked.length;
    const page = await shop.visit('/frame');
    await press(page, 'Reject all');
    const cover = page.locator('x-film avow-blocked');
    await cover.waitFor();
    expect(shop.asked.slice(before)).not.toContain('/film');
    const boxes = await page.evaluate(() =>
      ['iframe', 'avow-blocked'].map((name) => {
        const one = document.querySelector('x-film')?.shadowRoot?.querySelector(name) as Element;
        const { left, top, width, height } = one.getBoundingClientRect();
        return [left, top, width, height].map(Math.round);
      }),
    );
    expect(boxes[1]).toEqual(boxes[0]);
    await page.getByRole('group', { name: 'Film' }).getByRole('button').press('Enter');
    await page.frameLocator('x-film iframe').getByText('A film').waitFor();
    expect(await cover.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.localName)).toBe(
      'iframe',
    );
    expect(await consentOf(page)).toMatchObject({ method: 'placeholder', categories: { marketing: true } });
    await press(page, 'Privacy settings');
    await press(page, 'Reject all');
    await cover.waitFor();
    await until('the film is gone', async () =>
      page.frames().every((frame) => !frame.url().includes('/film')),
    );
    await page.context().close();
  });

  test('the page’s own use of shadow roots is as before', async () => {
    const page = await shop.visit();
    await page.getByRole('dialog').waitFor();
    const seen = await page.evaluate(() => {
      const host = document.createElement('div');
      const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
      const failures = [
        () => host.attachShadow({ mode: 'open' }),
        () => document.createElement('img').attachShadow({ mode: 'open' }),
      ];
      return {
        same: host.shadowRoot === root && root.delegatesFocus,
        length: Element.prototype.attachShadow.length,
        errors: failures.map((fail) => {
          try {
            return fail();
          } catch (error) {
            return (error as Error).name;
          }
        }),
      };
    });
    expect(seen).toEqual({ same: true, length: 1, errors: ['NotSupportedError', 'NotSupportedError'] });
    await page.context().close();
  });
});
