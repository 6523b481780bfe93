import type { Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

/** What ran, in order. */
const ran = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
const push = (name: string): string => `(window.ran ??= []).push('${name}')`;
const blocked = (category: string, rest: string, text = ''): string =>
  `<script type="text/plain" data-category="${category}" ${rest}>${text}</script>`;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describeInBrowser('what needs consent', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  const HEAD = [
    blocked('analytics', 'src="/slow.js"'),
    blocked('analytics', '', push('inline')),
    blocked('marketing', 'data-src="/ads.js"'),
    blocked('analytics', 'async src="/async.js"'),
    blocked('analytics', 'data-type="module"', push('module')),
    blocked('necessary', '', push('necessary')),
    blocked('nothing_known', '', push('unknown')),
    blocked('analytics marketing', '', push('both')),
    blocked('analytics', 'src="/last.js"'),
  ].join('\n');

  test('nothing runs before a choice but what is necessary; then the allowed scripts run in document order', async () => {
    shop.set('/scripts', { head: HEAD });
    const page = await shop.visit('/scripts');
    await page.getByRole('dialog').waitFor();
    expect(await ran(page)).toEqual(['necessary']);
    await press(page, 'Settings');
    await page.getByRole('switch', { name: 'Analytics' }).check();
    await press(page, 'Save choice');
    const order = await until('the last has run', async () => {
      const all = await ran(page);
      return all.includes('/last.js') && all.includes('/async.js') && all.includes('module') && all;
    });
    // async and modules run when they are there; the others wait for the one before.
    expect(order.filter((name) => !['/async.js', 'module'].includes(name))).toEqual([
      'necessary',
      '/slow.js',
      'inline',
      '/last.js',
    ]);
    await page.evaluate(() => (window.Avow as unknown as { accept(): void }).accept());
    await until('the rest has run', async () => (await ran(page)).includes('both'));
    expect(await ran(page)).toContain('/ads.js');
    expect(await ran(page)).not.toContain('unknown');
    // On the next visit at once, in the order of the document, each once.
    await page.reload();
    const again = await until('all have run', async () => {
      const all = await ran(page);
      return all.length === 8 && all;
    });
    expect(again.filter((name) => !['/async.js', 'module', 'necessary'].includes(name))).toEqual([
      '/slow.js',
      'inline',
      '/ads.js',
      'both',
      '/last.js',
    ]);
    await page.context().close();
  });

  test('attributes are kept: nonce, async, crossorigin, module, id', async () => {
    const csp = `script-src 'nonce-abc' ${shop.host}; style-src 'self'`;
    shop.set('/nonce', {
      head: `${blocked('analytics', 'nonce="abc" id="with"', push('with nonce'))}${blocked('analytics', 'id="without"', push('without nonce'))}
        ${blocked('analytics', 'nonce="abc" id="module" data-type="module" crossorigin="anonymous" src="/module.js"')}`,
      headers: { 'Content-Security-Policy': csp },
    });
    const page = await shop.visit('/nonce');
    await press(page, 'Accept all');
    await until('they ran', async () => (await ran(page)).length === 2);
    expect(await ran(page)).toEqual(['with nonce', '/module.js']);
    const kept = await page.evaluate(() => {
      const { type, nonce, crossOrigin, async } = document.querySelector('#module') as HTMLScriptElement;
      return { type, nonce, crossOrigin, async };
    });
    expect(kept).toEqual({ type: 'module', nonce: 'abc', crossOrigin: 'anonymous', async: false });
    await page.context().close();
  });

  test('a script that cannot be loaded does not hold up the others', async () => {
    shop.set('/broken', {
      head: `${blocked('analytics', 'src="http://127.0.0.1:9/dead.js"')}${blocked('analytics', '', push('after'))}`,
    });
    const page = await shop.visit('/broken');
    await press(page, 'Accept all');
    await until('the next ran', async () => (await ran(page)).includes('after'));
    await page.context().close();
  });

  test('a script that arrives in pieces runs whole', async () => {
    const page = await shop.visit();
    await press(page, 'Accept all');
    const long = `/*${'x'.repeat(200_000)}*/${push('whole')}`;
    shop.set('/long', {
      body: `<p>a</p>${blocked('analytics', '', long)}<p>b</p>`,
      head: blocked('analytics', '', push('head')),
    });
    await page.goto(`${shop.origin}/long`);
    await until('it ran', async () => (await ran(page)).length === 2);
    expect(await ran(page)).toEqual(['head', 'whole']);
    await page.context().close();
  });

  const MEDIA = `<iframe title="Film" data-category="marketing" data-src="ELSEWHERE/film" width="480" height="270"></iframe>
    <img alt="" data-category="analytics" data-src="/pixel.svg" data-srcset="/pixel.svg 2x" width="10" height="10">
    <h1>Shop</h1>`;
  const STYLE = '<link rel="stylesheet" data-category="functional" data-href="/fonts.css">';
  const state = (page: Page) =>
    page.evaluate(() => ({
      frame: document.querySelector('iframe')?.getAttribute('src') ?? null,
      image: document.querySelector('img')?.getAttribute('src') ?? null,
      colour: getComputedStyle(document.querySelector('h1') as Element).color,
    }));

  test('frames, images and style sheets are loaded upon consent, and taken back upon withdrawal', async () => {
    shop.set('/media', { head: STYLE, body: MEDIA.replace('ELSEWHERE', shop.elsewhere) });
    shop.set('/film', { body: 'A film', snippet: '' });
    const before = shop.asked.length;
    const page = await shop.visit('/media');
    await page.locator('avow-blocked').waitFor();
    expect(await state(page)).toEqual({ frame: null, image: null, colour: 'rgb(0, 0, 0)' });
    expect(shop.asked.slice(before).filter((path) => path !== '/favicon.ico')).toEqual(['/media']);
    await press(page, 'Accept all');
    await page.frameLocator('iframe').getByText('A film').waitFor();
    await until('the style is there', async () => (await state(page)).colour === 'rgb(1, 2, 3)');
    expect(await page.locator('avow-blocked').count()).toBe(0);
    expect(await state(page)).toMatchObject({ frame: `${shop.elsewhere}/film`, image: '/pixel.svg' });
    const entries = await page.evaluate(() => history.length);
    await press(page, 'Privacy settings');
    await press(page, 'Reject all');
    await page.locator('avow-blocked').waitFor();
    await until('the style is gone', async () => (await state(page)).colour === 'rgb(0, 0, 0)');
    expect(await state(page)).toEqual({ frame: null, image: null, colour: 'rgb(0, 0, 0)' });
    await until('the film is gone', async () =>
      page.frames().every((frame) => !frame.url().includes('/film')),
    );
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await page.context().close();
  });

  test('the placeholder covers its frame exactly, names the category, and allows that one alone', async () => {
    const page = await shop.visit('/media');
    await press(page, 'Reject all');
    const cover = page.locator('avow-blocked');
    await cover.waitFor();
    const boxes = await page.evaluate(() =>
      ['iframe', 'avow-blocked'].map((name) => {
        const { left, top, width, height } = (
          document.querySelector(name) as Element
        ).getBoundingClientRect();
        return [left, top, width, height].map(Math.round);
      }),
    );
    expect(boxes[1]).toEqual(boxes[0]);
    expect(await cover.textContent()).toBe('');
    await page.getByRole('group', { name: 'Film' }).getByText('Marketing').waitFor();
    await page.getByRole('group', { name: 'Film' }).getByRole('button').press('Enter');
    await page.frameLocator('iframe').getByText('A film').waitFor();
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('iframe');
    expect((await state(page)).image).toBeNull();
    // The record says where it was decided.
    const session_id = (await consentOf(page))?.session_id as string;
    const [latest] = await until('the decision arrived', async () => {
      const { items } = await shop.client.listConsents({ token: shop.token, session_id });
      return items.length === 2 && items;
    });
    expect(latest).toMatchObject({
      ...{ decision: 'save_preferences', method: 'placeholder' },
      categories: { functional: false, analytics: false, marketing: true },
    });
    await page.context().close();
  });

  test('an address that is a script stays out: a comment of a visitor may have it in a data- attribute', async () => {
    const code = ['javascript:ran=[1]', ' JavaScript:ran=[1]', 'java&#10;script:ran=[1]'];
    const links = code.map((address) => `<a data-category="necessary" data-href="${address}">x</a>`);
    const frame = '<iframe data-category="necessary" data-src="javascript:parent.ran=[1]"></iframe>';
    shop.set('/comments', {
      body: `${links.join('')}${frame}<a id="last" data-category="necessary" data-href="/next">next</a>`,
    });
    const page = await shop.visit('/comments');
    await page.locator('#last[href="/next"]').waitFor();
    // The placeholders and frames come last.
    await press(page, 'Reject all');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator(':is(a,iframe):is([href],[src])').count()).toBe(1);
    expect(await ran(page)).toEqual([]);
    await page.context().close();
  });

  test('what is added later is blocked or released like the rest', async () => {
    const page = await shop.visit();
    await press(page, 'Settings');
    await page.getByRole('switch', { name: 'Analytics' }).check();
    await press(page, 'Save choice');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate(() => {
      for (const category of ['analytics', 'marketing']) {
        const script = document.createElement('script');
        script.type = 'text/plain';
        script.dataset.category = category;
        script.text = `(window.ran ??= []).push('${category}')`;
        const box = document.createElement('div');
        box.append(script);
        document.body.append(box);
      }
    });
    await until('it ran', async () => (await ran(page)).length > 0);
    expect(await ran(page)).toEqual(['analytics']);
    await page.context().close();
  });

  test('known cookies of the site are deleted upon withdrawal, under every domain and path; others stay', async () => {
    const cookie = (name: string, category: string) => ({ name, category, max_age_seconds: 3600 });
    const vendor = {
      id: 1,
      name: 'Counter',
      purposes: [],
      leg_int_purposes: [],
      categories: ['analytics'],
      urls: [],
      cookies: [cookie('_ga', 'analytics'), cookie('_ga_*', 'analytics'), cookie('theme', 'functional')],
    };
    await shop.client.replaceVendors({ token: shop.token, body: { vendors: [vendor] } });
    const bundle = await shop.publish();
    const { config } = await shop.client.getBundleRecord({ token: shop.token, hash: bundle.hash });
    expect(config.categories.find(({ key }) => key === 'analytics')?.cookies).toEqual(
      expect.arrayContaining(['_ga', '_ga_*']),
    );
    shop.set('/deep/page', {});
    const page = await shop.visit('/deep/page');
    await press(page, 'Accept all');
    const names = () =>
      page
        .context()
        .cookies()
        .then((all) => all.map(({ name }) => name).sort());
    await page.evaluate(() => {
      const cookies = [
        '_ga=1',
        '_ga_ABC=1;path=/',
        '_ga_DEEP=1;path=/deep',
        '_ga=2;domain=shop.localhost;path=/',
        'theme=dark;path=/',
        'cart=1;path=/',
      ];
      // biome-ignore lint/suspicious/noDocumentCookie: as the scripts of a page do it.
      for (const text of cookies) document.cookie = text;
    });
    expect(await names()).toEqual(['_ga', '_ga', '_ga_ABC', '_ga_DEEP', 'cart', 'theme']);
    await press(page, 'Privacy settings');
    await page.getByRole('switch', { name: 'Analytics' }).uncheck();
    await press(page, 'Save choice');
    await until('they are gone', async () => (await names()).length === 2);
    expect(await names()).toEqual(['cart', 'theme']);
    await page.context().close();
  });

  test('an address with thousands of steps does not keep the page busy when cookies are deleted', async () => {
    const page = await shop.visit(`/${'x/'.repeat(3_000)}`);
    await press(page, 'Accept all');
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: as the scripts of a page do it.
      document.cookie = '_ga=1;path=/';
      const { set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') as PropertyDescriptor;
      const seen = window as unknown as { written: number };
      seen.written = 0;
      Object.defineProperty(Document.prototype, 'cookie', {
        get: () => '_ga=1',
        set: (text: string) => {
          seen.written += 1;
          set?.call(document, text);
        },
      });
    });
    await press(page, 'Privacy settings');
    await page.getByRole('switch', { name: 'Analytics' }).uncheck();
    await press(page, 'Save choice');
    const written = () => page.evaluate(() => (window as unknown as { written: number }).written);
    await until('it is deleted', async () => (await page.context().cookies()).length === 0);
    expect(await written()).toBeLessThan(500);
    await page.context().close();
  });
});
