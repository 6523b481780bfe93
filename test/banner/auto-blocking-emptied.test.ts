import type { Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

interface Seen {
  Avow: AvowBanner;
}

const shown = (page: Page) => page.getByRole('dialog').waitFor();
const accept = (page: Page) => page.evaluate(() => (window as unknown as Seen).Avow.accept());
const reject = (page: Page) => page.evaluate(() => (window as unknown as Seen).Avow.reject());
const cover = (page: Page) => page.locator('avow-blocked');
const film = (page: Page) => page.frameLocator('iframe[title=Film]');
/** What the page reads of a frame or image, and what it has. */
const sources = (page: Page, selector: string) =>
  page.evaluate((which) => {
    const [one] = document.querySelectorAll(which) as unknown as [HTMLIFrameElement | HTMLImageElement];
    return [one.getAttribute('src'), one.src, one.hasAttribute('data-avow-src')];
  }, selector);
const EMPTY = [null, '', false];
const empty = (page: Page, ...selectors: string[]) =>
  page.evaluate((all) => {
    for (const one of all) document.querySelector(one)?.removeAttribute('src');
  }, selectors);
/** Has the banner look at all of the page: it is done when this is loaded. */
const insert = (page: Page, asked: () => string[]) => {
  const own = `/own.svg?${Math.random()}`;
  return page
    .evaluate((address) => {
      const div = document.createElement('div');
      div.innerHTML = `<img alt="" data-category="necessary" data-src="${address}">`;
      document.body.append(div);
    }, own)
    .then(() => until('the page is looked at', async () => asked().includes(own)));
};
/** Makes elements like new HTML, as Turbo, Livewire and others do: by attributes, the surplus from behind. */
const morph = (page: Page, html: string) =>
  page.evaluate((text) => {
    const from = document.querySelector('[title=Film]') as Element;
    const to = new DOMParser().parseFromString(text, 'text/html').querySelector('[title]') as Element;
    for (const { name, value } of to.attributes)
      if (from.getAttribute(name) !== value) from.setAttribute(name, value);
    for (let at = from.attributes.length - 1; at >= 0; at -= 1) {
      const { name } = from.attributes[at] as Attr;
      if (!to.hasAttribute(name)) from.removeAttribute(name);
    }
  }, html);

describeInBrowser('what the page takes from what is held, or was', () => {
  let shop: Shop;
  let snippet: string;
  let [tracker, ads] = ['', ''];

  beforeAll(async () => {
    shop = await openShop();
    const port = new URL(shop.origin).port;
    [tracker, ads] = ['tracker', 'ads'].map((name) => `http://${name}.localhost:${port}`) as [string, string];
    ({ snippet_pinned: snippet } = await shop.publish({
      auto_blocking: {
        enabled: true,
        unclassified: null,
        rules: [
          { place: 'tracker.localhost', category: 'analytics' },
          { place: 'ads.localhost', category: 'marketing' },
        ],
      },
    }));
    for (const path of ['/film', '/film?2']) shop.set(path, { snippet: '', body: 'A film' });
  });
  afterAll(() => shop?.stop());

  const open = async (body = '') => {
    shop.set('/page', { snippet, body: `<h1>Shop</h1><div id="box"></div>${body}` });
    const before = shop.asked.length;
    const page = await shop.visit('/page');
    await shown(page);
    return { page, asked: () => shop.asked.slice(before) };
  };
  const times = (asked: string[], path: string): number => asked.filter((one) => one === path).length;
  const frame = () => `<iframe title="Film" width="480" height="270" src="${tracker}/film"></iframe>`;
  const add = (page: Page) =>
    page.evaluate((from) => {
      const one = document.createElement('iframe');
      Object.assign(one, { title: 'Film', width: 480, height: 270, src: `${from}/film` });
      const image = new Image();
      image.src = `${from}/picture.svg`;
      document.getElementById('box')?.append(one, image);
    }, tracker);

  test('a player that the page has closed stays closed, whatever comes, moves or is decided', async () => {
    const { page, asked } = await open();
    await accept(page);
    await add(page);
    await film(page).getByText('A film').waitFor();
    await until('the image', async () => asked().includes('/picture.svg'));
    await empty(page, 'iframe', '#box img');
    await insert(page, asked);
    await page.evaluate(() => {
      const next = document.createElement('div');
      document.body.append(next);
      next.append(document.getElementById('box') as Element);
    });
    await insert(page, asked);
    await accept(page);
    await insert(page, asked);
    expect(await sources(page, 'iframe')).toEqual(EMPTY);
    expect(await sources(page, '#box img')).toEqual(EMPTY);
    expect([times(asked(), '/film'), times(asked(), '/picture.svg')]).toEqual([1, 1]);
    // Opened again, it is loaded, and waits after a withdrawal.
    await page.evaluate((from) => {
      (document.querySelector('iframe') as HTMLIFrameElement).src = `${from}/film?2`;
    }, tracker);
    await film(page).getByText('A film').waitFor();
    await reject(page);
    await cover(page).waitFor();
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await page.context().close();
  });

  test.each([
    ['that waits for a decision', false],
    ['that waits after a withdrawal', true],
  ])('a frame %s and that the page has emptied is not loaded, and shows nothing', async (_, withdrawn) => {
    const { page, asked } = await open();
    if (withdrawn) await accept(page);
    await add(page);
    if (withdrawn) {
      await film(page).getByText('A film').waitFor();
      await reject(page);
    }
    await cover(page).waitFor();
    await empty(page, 'iframe', '#box img');
    expect(await sources(page, 'iframe')).toEqual(EMPTY);
    await cover(page).waitFor({ state: 'detached' });
    await accept(page);
    await insert(page, asked);
    expect(await sources(page, 'iframe')).toEqual(EMPTY);
    expect(await sources(page, '#box img')).toEqual(EMPTY);
    expect(times(asked(), '/film')).toBe(withdrawn ? 1 : 0);
    await page.context().close();
  });

  test('a script that waits and loses its source runs nothing', async () => {
    const { page, asked } = await open(
      `<script>const s = document.createElement('script'); s.id = 's'; s.text = 'document.title = 1';
        s.type = 'module'; s.src = '${tracker}/one.js'; document.body.append(s); s.removeAttribute('src');</script>`,
    );
    expect(
      await page.evaluate(() => [...document.querySelectorAll('#s')].map((one) => one.outerHTML)),
    ).toEqual(['<script id="s" type="module">document.title = 1</script>']);
    await accept(page);
    await insert(page, asked);
    expect(await page.title()).not.toBe('1');
    expect(asked()).not.toContain('/one.js');
    await page.context().close();
  });

  test('a script that loses its type before it is inserted waits all the same', async () => {
    const { page, asked } = await open(
      `<script>const s = document.createElement('script'); s.src = '${tracker}/one.js';
        s.removeAttribute('type'); document.body.append(s);</script>`,
    );
    await insert(page, asked);
    expect(asked()).not.toContain('/one.js');
    await accept(page);
    await until('it is loaded', async () => asked().includes('/one.js'));
    await page.context().close();
  });

  test('what waits goes on to wait when its HTML is written over it, and is loaded once it is allowed', async () => {
    const { page, asked } = await open();
    await add(page);
    await cover(page).waitFor();
    await morph(page, frame().replace('Film"', 'Film" class="next"'));
    await insert(page, asked);
    await cover(page).waitFor();
    expect((await sources(page, 'iframe.next'))[2]).toBe(true);
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await accept(page);
    await film(page).getByText('A film').waitFor({ state: 'visible' });
    // With other HTML it is as that says.
    await reject(page);
    await cover(page).waitFor();
    await morph(page, '<iframe title="Film" src="/film?2"></iframe>');
    await film(page).getByText('A film').waitFor({ state: 'visible' });
    expect((await sources(page, 'iframe'))[2]).toBe(false);
    await page.context().close();
  });

  test('a script that waits runs once it is allowed, also after its HTML was written over it', async () => {
    const { page } = await open(`<script title="Film" src="${tracker}/one.js"></script>`);
    await morph(page, `<script class="next" title="Film" src="${tracker}/one.js"></script>`);
    await accept(page);
    const ran = () => page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
    await until('it has run', async () => (await ran()).length > 0);
    expect(await ran()).toEqual(['/one.js']);
    await page.context().close();
  });

  test('what is allowed goes upon withdrawal also after its HTML was written over it', async () => {
    const { page } = await open();
    await accept(page);
    await add(page);
    await film(page).getByText('A film').waitFor();
    await morph(page, frame());
    await reject(page);
    await cover(page).waitFor();
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await page.context().close();
  });

  test.each([
    ['waits', false],
    ['is allowed', true],
  ])('a page that takes all attributes from what %s comes to an end', async (_, allowed) => {
    const { page, asked } = await open();
    if (allowed) await accept(page);
    await add(page);
    await (allowed ? film(page).getByText('A film') : cover(page)).waitFor();
    const left = await page.evaluate(() => {
      const { attributes } = document.querySelector('iframe') as Element;
      let turns = 0;
      for (; attributes[0] && turns < 50; turns += 1)
        attributes[0].ownerElement?.removeAttribute(attributes[0].name);
      return attributes.length;
    });
    expect(left).toBe(0);
    await insert(page, asked);
    await accept(page);
    await insert(page, asked);
    expect(await page.locator('iframe[src]').count()).toBe(0);
    expect(times(asked(), '/film')).toBe(allowed ? 1 : 0);
    await page.context().close();
  });

  test('the placeholder keeps the focus while its frame waits for the same', async () => {
    const { page, asked } = await open();
    await add(page);
    await cover(page).getByRole('button').focus();
    const focused = () =>
      page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.localName ?? null);
    const set = (to: string) =>
      page.evaluate((address) => {
        (document.querySelector('iframe') as HTMLIFrameElement).src = address;
      }, to);
    expect(await focused()).toBe('button');
    await set(`${tracker}/film?2`);
    await insert(page, asked);
    expect(await focused()).toBe('button');
    await set(`${ads}/film`);
    await cover(page).getByText('Marketing').waitFor();
    await page.context().close();
  });

  test('what is let go keeps what the page has by names of its own, and other pages keep all of theirs', async () => {
    await shop.publish({ auto_blocking: null });
    const { snippet_pinned: present } = await shop.client.generateBundle({ token: shop.token });
    const at = (text: string): number => text.lastIndexOf('<script');
    const body = `<h1>Shop</h1><div id="box"></div><script>document.getElementById('box').innerHTML =
      '<img alt="" src="${ads}/picture.svg" data-srcset="/big.svg 2x" data-href="/big">';</script>`;
    // The rules of the script no longer name what the older snippet holds.
    shop.set('/let-go', { snippet: snippet.slice(0, at(snippet)) + present.slice(at(present)), body });
    const page = await shop.visit('/let-go');
    await shown(page);
    await page.locator('#box img[src]').waitFor();
    expect(await page.locator('#box img').evaluate((one) => one.getAttributeNames().sort())).toEqual([
      'alt',
      'data-href',
      'data-srcset',
      'src',
    ]);
    shop.set('/new', { snippet: present, body });
    const other = await shop.visit('/new');
    await shown(other);
    expect(
      await other.evaluate(() =>
        [
          window.fetch,
          Element.prototype.setAttribute,
          Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')?.set,
        ].map((one) => /native code/.test(`${one}`)),
      ),
    ).toEqual([true, true, true]);
    await page.context().close();
    await other.context().close();
  });
});
