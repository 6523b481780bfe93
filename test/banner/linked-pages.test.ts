import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import {
  confirmed,
  gate,
  isAsked,
  type LinkedShop,
  lead,
  linkedTo,
  openLinkedShop,
  taken,
} from '../helpers/banner/linked';
import { consentOf, memoryOf } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { launchBrowser } from '../helpers/browser/chromium';
import { engine } from '../helpers/browser/engine';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

interface Seen {
  events?: string[];
  hashes?: string[];
  clicks?: number;
}

/** What the page was told, and by which address. */
const HEAD = `<script>
  document.addEventListener('avow:consent', ({ detail }) => (window.events ??= []).push(detail.method));
  for (const name of ['popstate', 'hashchange'])
    addEventListener(name, ({ type }) => (window.hashes ??= []).push(type + location.hash));
</script>`;
const eventsOf = (page: Page) => page.evaluate(() => (window as unknown as Seen).events ?? []);
const hrefOf = (page: Page, selector = '#out') => page.locator(selector).getAttribute('href');

describeInBrowser('links between the domains of a site', () => {
  let shop: LinkedShop;
  beforeAll(async () => {
    shop = await openLinkedShop();
  });
  afterAll(() => shop?.stop());

  /** A visitor who has accepted, on a page with this body. */
  async function on(body: string, context?: BrowserContext | object): Promise<Page> {
    const page = await shop.decided('accept', context);
    shop.set('/page', { body });
    shop.set('/', { head: HEAD, body: `<h1>Shop</h1><p><a id="out" href="${shop.books}/">Books</a></p>` });
    await page.goto(`${shop.origin}/page`);
    await taken(page);
    return page;
  }
  /** What is true of every page that has taken the choice over. */
  async function expectTaken(page: Page, session: string, address = `${shop.books}/`): Promise<void> {
    await taken(page);
    expect(await page.evaluate(() => location.href)).toBe(address);
    expect(await consentOf(page)).toMatchObject({
      ...{ decision: 'accept_all', method: 'link', session_id: session },
      categories: { necessary: true, analytics: true, marketing: true },
    });
    expect(await memoryOf(page, shop.token)).toMatchObject({ method: 'link', unsent: [] });
    expect(await page.getByRole('dialog').count()).toBe(0);
  }
  const sessionOf = async (page: Page) => (await consentOf(page))?.session_id as string;

  test('a click takes the choice along: nobody is asked, and the record says from which it was taken', async () => {
    const page = await shop.decided();
    const session = await sessionOf(page);
    shop.set('/', { head: HEAD, body: `<a id="out" href="${shop.books}/">Books</a>` });
    await page.reload();
    await page.locator('#out').hover();
    await page.locator('#out').click();
    await page.waitForURL(`${shop.books}/**`);
    await expectTaken(page, session);
    await until('the event', async () => (await eventsOf(page)).length > 0);
    const [record, source] = await shop.records(session);
    expect(record).toMatchObject({ method: 'link', linked_from: source?.consent_id, decision: 'accept_all' });
    expect(record?.page_url).toBe(`${shop.books}/`);
    // It ends when the first one does.
    expect(record?.expires_at).toBe(source?.expires_at);
    // Once, also on the next view, where it is a stored decision like any other.
    await page.reload();
    await taken(page);
    await until('the event', async () => (await eventsOf(page)).length > 0);
    expect(await eventsOf(page)).toEqual(['link']);
    expect((await shop.records(session)).length).toBe(2);
    await page.context().close();
  });

  test('a press without a hover waits for the token, and the page’s own handlers run once', async () => {
    const page = await on(`<a id="out" href="${shop.books}/">Books</a><script>
      out.addEventListener('click', () => sessionStorage.clicks = 1 + +(sessionStorage.clicks ?? 0));
      document.addEventListener('click', () => sessionStorage.seen = 1 + +(sessionStorage.seen ?? 0));
    </script>`);
    const session = await sessionOf(page);
    await page.locator('#out').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shop.books}/**`);
    await expectTaken(page, session);
    await page.goto(`${shop.origin}/page`);
    expect(await page.evaluate(() => [sessionStorage.clicks, sessionStorage.seen])).toEqual(['1', '1']);
    await page.context().close();
  });

  test('a second press while the first one waits is no second click', async () => {
    const page = await on(`<a id="out" href="${shop.books}/">Books</a><script>
      out.addEventListener('click', () => sessionStorage.clicks = 1 + +(sessionStorage.clicks ?? 0));
    </script>`);
    // Without an answer both wait.
    await page.route(/\/link$/, () => undefined);
    await page.locator('#out').dblclick();
    await page.waitForURL(`${shop.books}/**`);
    await page.goto(`${shop.origin}/page`);
    expect(await page.evaluate(() => sessionStorage.clicks)).toBe('1');
    await page.context().close();
  });

  test.each([
    ['another link of the page', (page: Page) => page.locator('#part').click(), '/page#there'],
    ['a link that a script of the page follows', (page: Page) => page.locator('#routed').click(), '/routed'],
    ['a navigation of the page', (page: Page) => page.evaluate(() => void location.assign('/left')), '/left'],
  ])('a press that waits is dropped for what comes next: %s', async (_where, next, address) => {
    const page = await on(`<a id="out" href="${shop.books}/">Books</a> <a id="part" href="#there">Part</a>
      <a id="routed" href="/routed">Routed</a><script>
      out.addEventListener('click', () => (sessionStorage.clicked = 'out'));
      routed.addEventListener('click', (event) => {
        event.preventDefault();
        history.pushState(null, '', '/routed');
      });
    </script>`);
    const late = gate();
    await page.route(/\/link$/, async (route) => {
      await late.opened;
      await route.continue().catch(() => undefined);
    });
    // The press waits as long as this test does.
    await page.evaluate(() => {
      const wait = window.setTimeout;
      const never = (run: () => void, after?: number) => (after === 300 ? 0 : wait(run, after));
      Object.assign(window, { setTimeout: never });
    });
    await page.locator('#out').focus();
    await page.keyboard.press('Enter');
    await next(page);
    await page.waitForURL(shop.origin + address);
    late.open();
    // What a press after it does is done behind it.
    await linkedTo(page, `${shop.books}/`);
    expect(page.url()).toBe(shop.origin + address);
    expect(await page.evaluate(() => sessionStorage.clicked)).toBeUndefined();
    await page.context().close();
  });

  test('a press that waits is made where it was made: what stands inside the link may want no navigation', async () => {
    const page = await on(`<a id="out" href="${shop.books}/">Books <b id="menu">Menu</b></a><script>
      menu.addEventListener('click', (event) => {
        event.preventDefault();
        event.stopPropagation();
        window.pressed = [event.detail, event.clientX > 0, out.href.includes('#avow=')];
      });
      out.addEventListener('click', () => (window.pressed = 'the link'));
    </script>`);
    await page.locator('#menu').click();
    await until('the press', () => page.evaluate(() => 'pressed' in window));
    expect(await page.evaluate(() => (window as unknown as { pressed: unknown }).pressed)).toEqual([
      1,
      true,
      true,
    ]);
    expect(page.url()).toBe(`${shop.origin}/page`);
    await until('the address', async () => (await hrefOf(page)) === `${shop.books}/`);
    // What was pressed may be gone by then.
    await page.route(/\/link$/, () => undefined);
    await page.reload();
    await taken(page);
    await page.evaluate(() => {
      const menu = document.getElementById('menu');
      menu?.addEventListener('mouseup', () => void setTimeout(() => menu.remove()));
    });
    await page.locator('#menu').click();
    await page.waitForURL(`${shop.books}/**`);
    await page.context().close();
  });

  test('what the page makes of the link while the press waits, or after, gets no token', async () => {
    const page = await on(`<a id="out" target="other" href="${shop.books}/">Books</a><script>
      document.addEventListener('click', (event) => event.preventDefault());
      out.addEventListener('click', () => (window.seen = out.href = window.next?.(out.href) ?? out.href));
    </script>`);
    const press = async (next: string, during: string) => {
      await page.evaluate(
        ([then, now, books]) => {
          const out = document.querySelector('#out') as HTMLAnchorElement;
          out.setAttribute('href', `${books}/`);
          Object.assign(window, { next: new Function('href', `return ${then}`), seen: undefined });
          const { fetch } = window;
          // The press waits for this.
          window.fetch = (...args) => {
            window.fetch = fetch;
            if (now) out.href = now;
            return fetch(...args);
          };
        },
        [next, during, shop.books],
      );
      await page.locator('#out').focus();
      await page.keyboard.press('Enter');
      await until('the press', () => page.evaluate(() => !!(window as { seen?: string }).seen));
      const seen = await page.evaluate(() => (window as { seen?: string }).seen);
      // After the timer that restores it.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      return { seen, left: await hrefOf(page) };
    };
    const none = await press('href', `${shop.elsewhere}/`);
    expect(none).toEqual({ seen: `${shop.elsewhere}/`, left: `${shop.elsewhere}/` });
    const added = await press("href.replace('/#', '/?utm=1#')", '');
    expect(added.seen).toMatch(/\/\?utm=1#avow=[\w-]{32}$/);
    expect(added.left).toBe(`${shop.books}/?utm=1`);
    const wrapped = await press(`'${shop.elsewhere}/?to=' + encodeURIComponent(href)`, '');
    expect(wrapped.seen).toMatch(/avow%3D[\w-]{32}$/);
    expect(wrapped.left).toMatch(/avow%3D$/);
    await page.context().close();
  });

  test('a pointer that only passes asks for nothing', async () => {
    const page = await on(`<a id="out" href="${shop.books}/">Books</a><p id="aside">Aside</p>`);
    const asked = await page.evaluate(() => {
      const timers = new Map<number, [() => void, number | undefined]>();
      const { fetch } = window;
      let asks = 0;
      Object.assign(window, {
        setTimeout: (run: () => void, after?: number) => timers.set(timers.size + 1, [run, after]).size,
        clearTimeout: (id: number) => timers.delete(id),
        fetch: (...args: Parameters<typeof fetch>) => {
          asks += 1;
          return fetch(...args);
        },
      });
      const over = (id: string, name = 'pointerover') =>
        document.getElementById(id)?.dispatchEvent(new PointerEvent(name, { bubbles: true }));
      const seen: unknown[] = [];
      over('out');
      seen.push(
        [...timers.values()].map(([, after]) => after),
        asks,
      );
      over('aside');
      seen.push(timers.size);
      over('out');
      for (const [run] of timers.values()) run();
      seen.push(asks);
      return seen;
    });
    expect(asked).toEqual([[65], 0, 0, 1]);
    await page.context().close();
  });

  test.each([
    ['in a new tab', 'target="_blank"', {}],
    ['in a new tab without an opener', 'target="_blank" rel="noopener"', {}],
    ['by the middle button', '', { button: 'middle' as const }],
    ['with a modifier', '', { modifiers: ['ControlOrMeta' as const] }],
  ])('a page that is opened %s has it, too', async (_how, attributes, options) => {
    // Without windows Chromium opens no tab for these.
    const browser = engine === 'chromium' ? await launchBrowser() : shop.browser;
    const page = await on(
      `<a id="out" ${attributes} href="${shop.books}/">Books</a>`,
      await browser.newContext(),
    );
    const session = await sessionOf(page);
    const given = page.waitForResponse((answer) => answer.url().endsWith('/link'));
    await page.locator('#out').hover();
    await given;
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.locator('#out').click(options),
    ]);
    // By what the server has: Firefox's driver may lose sight of a tab in the background.
    await until('the record', async () => (await shop.records(session))[0]?.method === 'link');
    if (engine === 'chromium') await expectTaken(other, session);
    expect(await hrefOf(page)).toBe(`${shop.books}/`);
    await page.context().close();
    if (browser !== shop.browser) await browser.close();
  });

  test('a script takes it along by Avow.link, which never fails', async () => {
    const page = await on('<p>Nothing</p>');
    const session = await sessionOf(page);
    const url = await linkedTo(page, `${shop.books}/?a=1#b`);
    expect(url.replace(/[\w-]{32}$/, '')).toBe(`${shop.books}/?a=1#b&avow=`);
    // Two at once have one each.
    const two = await page.evaluate(
      (to) => Promise.all([1, 2].map(() => (window.Avow as AvowBanner).link?.(to))),
      `${shop.books}/`,
    );
    expect(new Set(two).size).toBe(2);
    expect(two.join(' ')).toMatch(/^\S+#avow=[\w-]{32} \S+#avow=[\w-]{32}$/);
    for (const other of [
      `${shop.origin}/x`,
      '/y',
      'https://elsewhere.example/',
      'https://[',
      'mailto:a@b.example',
    ])
      expect(await linkedTo(page, other)).toBe(other);
    // One that stands there is another's.
    expect((await linkedTo(page, `${shop.books}/#c&avow=${'t'.repeat(32)}`)).replace(/[\w-]{32}$/, '')).toBe(
      `${shop.books}/#c&avow=`,
    );
    await lead(page, url);
    await expectTaken(page, session, `${shop.books}/?a=1#b`);
    await page.context().close();
  });

  test.each(['#part', '#a%20b&c=%C3%A9', '#/route?x=1&y', '#avow=short', '#'])(
    'the page’s own %s stays as it is',
    async (hash) => {
      const page = await on(`<a id="out" href="${shop.books}/?q=%20#${hash.slice(1)}">Books</a>`);
      const session = await sessionOf(page);
      await page.locator('#out').click();
      await page.waitForURL(`${shop.books}/**`);
      await expectTaken(page, session, `${shop.books}/?q=%20${hash.length > 1 ? hash : ''}`);
      await page.context().close();
    },
  );

  test('what the address pointed at is seen, and who has read the address reads it again', async () => {
    const page = await on(`<a id="out" href="${shop.books}/long#far">Books</a>`);
    shop.set('/long', {
      snippet: '',
      head: `<script>window.first = location.hash; history.replaceState({ mine: 1 }, '')</script>${HEAD}`,
      body: `<div style="height:5000px">Long</div><h2 id="far">Far</h2><div style="height:5000px"></div>
        <script src="${(await shop.publish()).immutable_url}"></script>`,
    });
    await page.locator('#out').click();
    await page.waitForURL(`${shop.books}/**`);
    await taken(page);
    await until('the place', () => page.evaluate(() => scrollY > 1000));
    const seen = await page.evaluate(() => [
      (window as unknown as { first: string }).first.replace(/[\w-]{32}$/, ''),
      (window as unknown as Seen).hashes,
      history.state,
      location.hash,
    ]);
    expect(seen).toEqual(['#far&avow=', ['popstate#far', 'hashchange#far'], { mine: 1 }, '#far']);
    await page.context().close();
  });

  test('a text to scroll to keeps its place at the end', async () => {
    const page = await on(`<a id="out" href="${shop.books}/long#:~:text=Far">Books</a>`);
    shop.set('/long', {
      body: '<div style="height:5000px">Long</div><h2>Far</h2><div style="height:5000px"></div>',
    });
    const session = await sessionOf(page);
    await page.locator('#out').click();
    await page.waitForURL(`${shop.books}/**`);
    await taken(page);
    expect(await consentOf(page)).toMatchObject({ method: 'link', session_id: session });
    expect(await page.evaluate(() => location.href)).toBe(`${shop.books}/long`);
    if (engine === 'chromium') await until('the text', () => page.evaluate(() => scrollY > 1000));
    await page.context().close();
  });

  test('links in open shadow roots take it along', async () => {
    const page = await on(`<div id="host"></div><script>
      host.attachShadow({ mode: 'open' }).innerHTML = '<a href="${shop.books}/"><b>Books</b></a>';
    </script>`);
    const session = await sessionOf(page);
    await page.locator('#host b').click();
    await page.waitForURL(`${shop.books}/**`);
    await expectTaken(page, session);
    await page.context().close();
  });

  test('other links are left alone, and nothing is asked for them', async () => {
    const page = await on(
      [
        `<a id="own" href="/there">Own</a>`,
        `<a id="elsewhere" href="${shop.elsewhere}/">Elsewhere</a>`,
        `<a id="under" href="${shop.books.replace('books', 'old.books')}/">Under</a>`,
        `<a id="like" href="${shop.books.replace('books', 'notbooks')}/">Like</a>`,
        `<a id="unreferred" rel="noreferrer" href="${shop.books}/">Unreferred</a>`,
        ...['no-referrer', 'same-origin'].map(
          (one) => `<a id="${one}" referrerpolicy="${one}" href="${shop.books}/">${one}</a>`,
        ),
        `<a id="file" download href="${shop.books}/file">File</a>`,
        `<a id="mail" href="mailto:a@books.localhost">Mail</a>`,
      ].join('<br>'),
    );
    const asked: string[] = [];
    page.on('request', (request) => void (request.url().endsWith('/link') && asked.push(request.url())));
    await page.evaluate(() => {
      addEventListener('click', (event) => {
        event.preventDefault();
        const seen = window as unknown as { hrefs?: string[] };
        seen.hrefs = [...(seen.hrefs ?? []), (event.target as HTMLAnchorElement).href];
      });
    });
    const ids = [
      'own',
      'elsewhere',
      'under',
      'like',
      'unreferred',
      'no-referrer',
      'same-origin',
      'file',
      'mail',
    ];
    for (const id of ids) {
      await page.locator(`#${id}`).hover();
      await page.locator(`#${id}`).click();
    }
    const hrefs = await page.evaluate(() => (window as unknown as { hrefs: string[] }).hrefs);
    expect(hrefs).toHaveLength(ids.length);
    expect(hrefs.join()).not.toContain('avow=');
    expect(asked).toEqual([]);
    await page.context().close();
  });

  test('who has not decided takes nothing along, and no token that somebody else has put into a link', async () => {
    const other = await shop.decided();
    const foreign = await linkedTo(other, `${shop.books}/#part`);
    expect(foreign).toContain('#part&avow=');
    shop.set('/posted', { body: `<a id="out" href="${foreign}">Books</a>` });
    const page = await shop.visit('/posted');
    await page.getByRole('dialog').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => void (/\/link/.test(request.url()) && asked.push(request.url())));
    expect(await linkedTo(page, foreign)).toBe(`${shop.books}/#part`);
    await page.locator('#out').click({ force: true });
    await page.waitForURL(`${shop.books}/**`);
    expect(page.url()).toBe(`${shop.books}/#part`);
    expect(await isAsked(page)).toBe(true);
    expect(asked).toEqual([]);
    await other.context().close();
    await page.context().close();
  });

  test('a page of another bundle, without linked domains, knows nothing of it', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const page = await shop.decided();
    const url = await linkedTo(page, `${shop.books}/plain`);
    const { immutable_url } = await shop.publish({ linked_domains: null });
    shop.set('/plain', { snippet: `<script src="${immutable_url}"></script>` });
    await lead(page, url);
    expect(await isAsked(page)).toBe(true);
    expect(page.url()).toBe(url);
    expect(await page.evaluate(() => 'link' in (window.Avow as object))).toBe(false);
    await page.evaluate(() => (window.Avow as AvowBanner).reject());
    await confirmed(page, shop.token);
    await shop.publish({ linked_domains: settings.linked_domains });
    await page.context().close();
  });
});
