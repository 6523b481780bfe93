import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

interface Seen {
  told?: unknown[];
  Avow: AvowBanner;
}

const told = (page: Page): Promise<unknown[]> => page.evaluate(() => (window as unknown as Seen).told ?? []);
const tell = (what: string): string => `(window.told ??= []).push(${what})`;
const shown = (page: Page) => page.getByRole('dialog').waitFor();
const accept = (page: Page) => page.evaluate(() => (window as unknown as Seen).Avow.accept());
const reject = (page: Page) => page.evaluate(() => (window as unknown as Seen).Avow.reject());

describeInBrowser('what is refused or sent twice', () => {
  let shop: Shop;
  let snippet: string;
  let tracker: string;

  beforeAll(async () => {
    shop = await openShop();
    tracker = `http://tracker.localhost:${new URL(shop.origin).port}`;
    ({ snippet_pinned: snippet } = await shop.publish({
      auto_blocking: {
        enabled: true,
        unclassified: null,
        rules: [{ place: 'tracker.localhost', category: 'analytics' }],
      },
    }));
  });
  afterAll(() => shop?.stop());

  const open = async (page: { head?: string; body?: string }, context?: BrowserContext) => {
    shop.set('/page', { snippet, ...page });
    const before = shop.asked.length;
    const opened = await shop.visit('/page', context);
    return { page: opened, asked: () => shop.asked.slice(before) };
  };

  /** Tries again at once until a timer of the page has its turn, and an XMLHttpRequest from its own `onerror`. */
  const RETRIES = `(async (from) => {
    let isOver = false, tries = 0;
    setTimeout(() => { isOver = true; });
    while (!isOver && tries < 500) { tries += 1; try { await fetch(from + '/poll'); } catch {} }
    const again = (left, done) => {
      const x = new XMLHttpRequest(); let sent = false;
      x.open('GET', from + '/xhr');
      x.onerror = () => sent && left ? again(left - 1, done) : done(sent ? 'later' : 'at once');
      x.send(); sent = true;
    };
    return [isOver && tries < 500, await new Promise((done) => again(20, done))];
  })`;
  const retry = (page: Page) => page.evaluate(`${RETRIES}('${tracker}')`);

  test('what is tried again without a pause leaves the page its turn, after a refusal and on the next view', async () => {
    const { page, asked } = await open({ body: '<h1>Shop</h1>' });
    await shown(page);
    await reject(page);
    expect(await retry(page)).toEqual([true, 'later']);
    await page.reload();
    await until('the script is there', () =>
      page.evaluate(() => typeof (window as unknown as Seen).Avow?.held === 'function'),
    );
    expect(await retry(page)).toEqual([true, 'later']);
    // Firefox asks for the page's icon.
    expect(asked().filter((path) => path !== '/favicon.ico')).toEqual(['/page', '/page']);
    await page.context().close();
  });

  test('so it does beyond 200 requests that wait, and where the script does not come', async () => {
    const { page } = await open({ body: '<h1>Shop</h1>' });
    await shown(page);
    await page.evaluate((from) => {
      for (let at = 0; at < 200; at += 1) fetch(`${from}/${at}`).catch(() => undefined);
    }, tracker);
    expect(await retry(page)).toEqual([true, 'later']);
    await page.context().close();
    const context = await shop.browser.newContext();
    await context.route('**/api/bundles/**', (route) => route.abort());
    const without = await open({ body: '<h1>Shop</h1>' }, context);
    expect(await retry(without.page)).toEqual([true, 'later']);
    await context.close();
  });

  test('what is refused can be stopped until it has failed; a request that cannot wait fails at once', async () => {
    const { page } = await open({ body: '<h1>Shop</h1>' });
    await shown(page);
    await reject(page);
    const names = await page.evaluate(async (from) => {
      const stop = new AbortController();
      const failed = fetch(from, { signal: stop.signal }).catch((error) => error.name);
      stop.abort();
      const sync = new XMLHttpRequest();
      sync.open('GET', from, false);
      try {
        sync.send();
      } catch (error) {
        return [await failed, (error as Error).name];
      }
      return [await failed];
    }, `${tracker}/one`);
    expect(names).toEqual(['AbortError', 'NetworkError']);
    await page.context().close();
  });

  test('a request that is sent twice fails at once as it does natively, and keeps nothing else from being released', async () => {
    const body = `<h1>Shop</h1><script>
      const twice = (x) => { try { x.send(); ${tell(`'sent'`)}; } catch (error) { ${tell('error.name')}; } };
      const x = new XMLHttpRequest(); x.open('GET', '${tracker}/twice'); x.send(); twice(x);
      const stopped = new XMLHttpRequest(); stopped.open('GET', '${tracker}/stopped'); stopped.send(); stopped.abort(); twice(stopped);
      const only = new XMLHttpRequest(); only.open('GET', '${tracker}/only'); only.abort(); only.send();
      fetch('${tracker}/after', { mode: 'no-cors' });
    </script>`;
    const refused = await open({ body });
    await shown(refused.page);
    expect(await told(refused.page)).toEqual(['InvalidStateError', 'InvalidStateError']);
    await reject(refused.page);
    // What has failed is not sent by asking once more.
    const again = await refused.page.evaluate(
      (from) =>
        new Promise((done) => {
          const x = new XMLHttpRequest();
          x.open('GET', `${from}/again`);
          x.onloadend = () => {
            try {
              done(x.send());
            } catch (error) {
              done((error as Error).name);
            }
          };
          x.send();
        }),
      tracker,
    );
    expect(again).toBe('InvalidStateError');
    await refused.page.evaluate(() => fetch('/own'));
    expect(refused.asked()).toEqual(['/page', '/own']);
    await refused.page.context().close();
    const { page, asked } = await open({ body });
    await shown(page);
    await accept(page);
    await until('the others', async () =>
      ['/twice', '/only', '/after'].every((path) => asked().includes(path)),
    );
    expect(asked()).not.toContain('/stopped');
    await page.context().close();
  });

  test('a request that cannot be sent any more does not stop the others, nor elements', async () => {
    const { page, asked } = await open({
      body: `<h1>Shop</h1><script>
        navigator.sendBeacon('${tracker}/beacon', new ReadableStream());
        fetch('${tracker}/after', { mode: 'no-cors' });
        const made = document.createElement('script'); made.src = '${tracker}/made.js'; document.head.append(made);
      </script>`,
    });
    await shown(page);
    await accept(page);
    await until('both', async () => ['/after', '/made.js'].every((path) => asked().includes(path)));
    await page.context().close();
  });

  test('text that is written below what no document has is looked at, not all that is there', async () => {
    const context = await shop.browser.newContext();
    // Before the snippet, which searches by the browser's own method.
    await context.addInitScript(() => {
      for (const { prototype } of [Element, DocumentFragment]) {
        const { querySelectorAll } = prototype;
        prototype.querySelectorAll = function (this: ParentNode, selector: string) {
          (window as unknown as { searched: number }).searched += querySelectorAll.call(this, '*').length;
          return querySelectorAll.call(this, selector);
        } as never;
      }
    });
    const { page } = await open({ body: '<h1>Shop</h1>' }, context);
    await shown(page);
    const all = await page.evaluate((from) => {
      const loose = document.createElement('div');
      const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
      const shadow = root.appendChild(document.createElement('div'));
      return [loose, shadow].map((place) => {
        const add = (at: number): void =>
          place.insertAdjacentHTML('beforeend', `<i><img alt="" src="${from}/${at}.svg"></i>`);
        for (let at = 0; at < 50; at += 1) add(at);
        Object.assign(window, { searched: 0 });
        add(50);
        const { searched } = window as unknown as { searched: number };
        return [place.children.length, searched, / src=/.test(place.innerHTML)];
      });
    }, tracker);
    expect(all).toEqual([
      [51, 1, false],
      [51, 1, false],
    ]);
    await context.close();
  });
});
