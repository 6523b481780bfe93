import type { Page } from 'playwright-core';
import type { AvowBanner, AvowHeld } from '../../sdk/src/banner';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

interface Seen {
  told?: string[];
  Avow: AvowBanner;
}

const told = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as Seen).told ?? []);
const tell = (what: string): string => `(window.told ??= []).push(${what})`;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const shown = (page: Page) => page.getByRole('dialog').waitFor();
const accept = (page: Page) => page.evaluate(() => (window as unknown as Seen).Avow.accept());
const reject = (page: Page) => page.evaluate(() => (window as unknown as Seen).Avow.reject());
const save = (page: Page, choices: Record<string, boolean>) =>
  page.evaluate((all) => (window as unknown as Seen).Avow.save(all), choices);
const held = (page: Page) =>
  page.evaluate(() => (window as unknown as Seen).Avow.held?.() ?? []) as Promise<
    (AvowHeld & { released: boolean })[]
  >;
const cover = (page: Page, text: string) => page.locator('avow-blocked').getByText(text);
const film = (page: Page) => page.frameLocator('iframe[title=Film]');
const source = (page: Page) =>
  page.evaluate(() => document.querySelector('iframe[title=Film]')?.getAttribute('src'));
const setSource = (page: Page, to: string) =>
  page.evaluate((address) => {
    (document.querySelector('iframe[title=Film]') as HTMLIFrameElement).src = address;
  }, to);
const frame = (from: string): string =>
  `<iframe title="Film" width="480" height="270" src="${from}"></iframe>`;
/** A frame that a script makes: its address is not in the page's HTML. */
const made = (from: string): string => `<script>
  const f = document.createElement('iframe'); f.title = 'Film'; f.width = 480; f.height = 270; f.src = '${from}';
  document.body.append(f);
</script>`;

describeInBrowser('what is held, afterwards', () => {
  let shop: Shop;
  let snippet: string;
  let blocking: string;
  let [tracker, ads, fine] = ['', '', ''];
  /** What tracker.localhost waits for in the present rules. */
  const publish = (category: string | null) =>
    shop.publish({
      auto_blocking: {
        enabled: true,
        unclassified: null,
        rules: [
          { place: 'tracker.localhost', category },
          { place: 'ads.localhost', category: 'marketing' },
        ],
      },
    });

  beforeAll(async () => {
    shop = await openShop();
    const port = new URL(shop.origin).port;
    [tracker, ads, fine] = ['tracker', 'ads', 'fine'].map((name) => `http://${name}.localhost:${port}`) as [
      string,
      string,
      string,
    ];
    ({ snippet_pinned: snippet, snippet_blocking: blocking } = await publish('analytics'));
    shop.set('/film', { snippet: '', body: 'A film' });
    shop.set('/next-film', { snippet: '', body: 'Another film' });
    shop.set('/own', { snippet: '', body: 'A page of the shop' });
  });
  afterAll(() => shop?.stop());

  const open = async (page: { head?: string; body?: string; snippet?: string }) => {
    shop.set('/page', { snippet, ...page });
    const before = shop.asked.length;
    const opened = await shop.visit('/page');
    return { page: opened, asked: () => shop.asked.slice(before) };
  };
  /** The script of the present rules after the rules of the older snippet. */
  const older = async (category: string | null) => {
    const { snippet_pinned: present } = await publish(category);
    const at = (text: string): number => text.lastIndexOf('<script');
    return snippet.slice(0, at(snippet)) + present.slice(at(present));
  };
  const REQUESTS = `<script>
    fetch('${'$'}/fetched', { mode: 'no-cors' }).then(() => ${tell(`'fetched'`)}, (error) => ${tell('error.name')});
    const x = new XMLHttpRequest(); x.open('POST', '${'$'}/xhr'); x.onerror = () => ${tell(`'xhr'`)}; x.send('a');
    navigator.sendBeacon('${'$'}/beacon', 'b');
  </script>`;

  test('what an older snippet holds and the present rules let pass is released, requests included', async () => {
    const { page, asked } = await open({
      snippet: await older(null),
      head: REQUESTS.replaceAll('$', tracker),
      body: `<h1>Shop</h1>${made(`${tracker}/film`)}`,
    });
    await shown(page);
    await film(page).getByText('A film').waitFor();
    await until('all are sent', async () =>
      ['/fetched', '/xhr', '/beacon'].every((path) => asked().includes(path)),
    );
    await until('the page is told', async () => (await told(page)).includes('fetched'));
    await press(page, 'Reject all');
    expect((await held(page)).map(({ kind, released }) => [kind, released])).toEqual([
      ...[
        ['fetch', true],
        ['xhr', true],
        ['beacon', true],
        ['iframe', true],
      ],
    ]);
    expect(await film(page).getByText('A film').count()).toBe(1);
    expect(await told(page)).not.toContain('TypeError');
    await page.context().close();
  });

  test('what an older snippet holds for another category waits for the present one', async () => {
    const { page, asked } = await open({
      snippet: await older('marketing'),
      head: REQUESTS.replaceAll('$', tracker),
      body: `<h1>Shop</h1><div id="in"></div>${made(`${tracker}/film`)}
        <script>
          const inner = document.getElementById('in').attachShadow({ mode: 'open' });
          const g = f.cloneNode(); g.title = 'Inner'; inner.append(g);
        </script>`,
    });
    await page.locator('avow-blocked').nth(1).waitFor();
    await cover(page, 'Marketing').first().waitFor();
    expect(await cover(page, 'Analytics').count()).toBe(0);
    await save(page, { analytics: true });
    await until('they have failed', async () => (await told(page)).length === 2);
    expect((await told(page)).sort()).toEqual(['TypeError', 'xhr']);
    expect((await held(page)).map(({ category, released }) => [category, released])).toEqual(
      Array.from({ length: 4 }, () => ['marketing', false]),
    );
    await page.getByRole('group', { name: 'Film' }).getByRole('button', { name: 'Allow' }).click();
    await film(page).getByText('A film').waitFor();
    expect((await consentOf(page))?.categories).toMatchObject({ analytics: true, marketing: true });
    await until('both', async () => asked().filter((path) => path === '/film').length === 2);
    expect(await page.locator('avow-blocked').count()).toBe(0);
    expect(asked()).not.toContain('/fetched');
    const allowed = await open({
      snippet: await older('marketing'),
      head: REQUESTS.replaceAll('$', tracker),
    });
    await shown(allowed.page);
    await save(allowed.page, { marketing: true });
    await until('all are sent', async () =>
      ['/fetched', '/xhr', '/beacon'].every((path) => allowed.asked().includes(path)),
    );
    await page.context().close();
    await allowed.page.context().close();
  });

  const LATER = `const f = document.createElement('iframe'); f.title = 'Film'; f.width = 480; f.height = 270;`;
  const CAME: [string, (from: string) => string][] = [
    ['by its source', (from) => `${LATER} f.src = '${from}'; document.body.append(f);`],
    ['inserted, then its source', (from) => `${LATER} document.body.append(f); f.src = '${from}';`],
    ['by text', (from) => `document.body.insertAdjacentHTML('beforeend', '${frame(from)}');`],
    [
      'by a template',
      (from) =>
        `const t = document.createElement('template'); t.innerHTML = '${frame(from)}'; document.body.append(t.content.cloneNode(true));`,
    ],
  ];
  test.each(CAME)('a frame that came while it was allowed goes upon withdrawal: %s', async (_, make) => {
    const { page, asked } = await open({ body: '<h1>Shop</h1>' });
    await shown(page);
    await accept(page);
    await page.evaluate(make(`${tracker}/film`));
    await film(page).getByText('A film').waitFor();
    await reject(page);
    await cover(page, 'Analytics').first().waitFor();
    expect(await source(page)).toBe(`${tracker}/film`);
    expect(await page.locator('iframe[src]').count()).toBe(0);
    // Firefox's driver gives a frame that has loaded nothing no address.
    expect(page.frames()[1]?.url() || 'about:blank').toBe('about:blank');
    expect(asked().filter((path) => path === '/film')).toHaveLength(1);
    await accept(page);
    await film(page).getByText('A film').waitFor();
    expect(await page.locator('avow-blocked').count()).toBe(0);
    await page.context().close();
  });

  test('what is in the HTML of a return visit is loaded once, and goes upon withdrawal', async () => {
    await publish('analytics');
    const { page, asked } = await open({
      snippet: blocking,
      body: `<h1>Shop</h1>${frame(`${tracker}/film`)}<img alt="" src="${tracker}/parsed.svg">`,
    });
    await shown(page);
    await accept(page);
    await film(page).getByText('A film').waitFor();
    const before = asked().length;
    await page.reload();
    await film(page).getByText('A film').waitFor();
    await page.evaluate(() => (window as unknown as Seen).Avow.getConsent());
    expect(
      asked()
        .slice(before)
        .filter((path) => path === '/film'),
    ).toHaveLength(1);
    await reject(page);
    await cover(page, 'Analytics').waitFor();
    expect(await page.locator('iframe[src],img[src]').count()).toBe(0);
    // Inserted again, it waits.
    await page.evaluate(() => {
      const [one] = document.getElementsByTagName('iframe') as unknown as [HTMLIFrameElement];
      one.remove();
      document.body.append(one);
    });
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await page.context().close();
  });

  test('a frame that was removed while it was allowed waits when it comes back', async () => {
    const { page, asked } = await open({ body: '<h1>Shop</h1>' });
    await shown(page);
    await accept(page);
    await page.evaluate(CAME[0]?.[1](`${tracker}/film`) as string);
    await film(page).getByText('A film').waitFor();
    await page.evaluate(() => {
      const one = document.getElementsByTagName('iframe')[0] as HTMLIFrameElement;
      Object.assign(window, { one, copy: one.cloneNode() });
      one.remove();
    });
    await reject(page);
    const before = asked().length;
    await page.evaluate(() => {
      const { one, copy } = window as unknown as Record<'one' | 'copy', Element>;
      document.body.append(one, copy);
    });
    await page.locator('avow-blocked').nth(1).waitFor();
    expect(await page.locator('iframe[src]').count()).toBe(0);
    expect(asked().slice(before)).toEqual([]);
    await page.context().close();
  });

  test('a frame of a held place shows what the page puts there instead', async () => {
    const { page } = await open({ body: `<h1>Shop</h1>${made(`${tracker}/film`)}` });
    await cover(page, 'Analytics').waitFor();
    await setSource(page, '/own');
    await film(page).getByText('A page of the shop').waitFor({ state: 'visible' });
    expect(await page.locator('avow-blocked').count()).toBe(0);
    // And the other way round, to a place that is known already.
    await setSource(page, `${tracker}/film`);
    await cover(page, 'Analytics').waitFor();
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await setSource(page, `${ads}/film`);
    await cover(page, 'Marketing').waitFor();
    expect(await cover(page, 'Analytics').count()).toBe(0);
    await setSource(page, `${tracker}/film`);
    await cover(page, 'Analytics').waitFor();
    await press(page, 'Accept all');
    await film(page).getByText('A film').waitFor({ state: 'visible' });
    await page.context().close();
  });

  test('a released frame waits when the page gives it a place that is not allowed, and is loaded once it is', async () => {
    const { page, asked } = await open({
      body: `<h1>Shop</h1>${made(`${tracker}/film`)}<script>new Image().src = '${ads}/next-film';
        const other = f.cloneNode(); other.title = 'Other'; other.src = '${ads}/next-film'; document.body.append(other);</script>`,
    });
    await shown(page);
    await save(page, { analytics: true });
    await film(page).getByText('A film').waitFor();
    await setSource(page, `${ads}/next-film`);
    await cover(page, 'Marketing').nth(1).waitFor();
    expect(page.frames().filter((one) => !['', 'about:blank'].includes(one.url()))).toHaveLength(1);
    expect(asked()).not.toContain('/next-film');
    await accept(page);
    await film(page).getByText('Another film').waitFor({ state: 'visible' });
    await setSource(page, `${tracker}/next-film?2`);
    await until('it is asked for', async () => asked().includes('/next-film?2'));
    await film(page).getByText('Another film').waitFor({ state: 'visible' });
    await reject(page);
    await cover(page, 'Analytics').waitFor();
    expect(await source(page)).toBe(`${tracker}/next-film?2`);
    expect(await page.locator('iframe[src]').count()).toBe(0);
    await page.context().close();
  });

  test('an image that no document has is loaded once, also when the page has given it another source meanwhile', async () => {
    const { page, asked } = await open({
      body: `<h1>Shop</h1><script>
        window.pixel = new Image(); pixel.src = '${ads}/one.svg';
        window.other = new Image(); other.src = '${ads}/two.svg';</script>`,
    });
    await shown(page);
    await save(page, { analytics: true });
    await page.evaluate(
      ([own, next]) => {
        const { pixel, other } = window as unknown as Record<string, HTMLImageElement>;
        Object.assign(pixel as object, { src: own });
        Object.assign(other as object, { src: next });
      },
      [`${fine}/own.svg`, `${tracker}/next.svg`],
    );
    await accept(page);
    await until('both', async () => asked().includes('/next.svg'));
    await page.evaluate(() => (window as unknown as Seen).Avow.getConsent());
    expect(
      asked()
        .filter((path) => path.endsWith('.svg'))
        .sort(),
    ).toEqual(['/next.svg', '/own.svg']);
    await page.context().close();
  });

  test('what is allowed costs nothing more for what is there: no pass over the page for each new image', async () => {
    const { page } = await open({ body: '<h1>Shop</h1>' });
    await shown(page);
    await accept(page);
    const passes = await page.evaluate(async (from) => {
      const { querySelectorAll } = Document.prototype;
      let count = 0;
      Document.prototype.querySelectorAll = function (this: Document, selector: string) {
        if (selector.includes('data-avow')) count += 1;
        return querySelectorAll.call(this, selector);
      } as never;
      for (let at = 0; at < 20; at += 1) {
        const image = document.createElement('img');
        image.src = `${from}/pixel.svg?${at}`;
        document.body.append(image);
        image.src = `${from}/other.svg?${at}`;
        await new Promise((resolve) => setTimeout(resolve));
      }
      return count;
    }, tracker);
    expect(passes).toBe(0);
    await page.context().close();
  });
});
