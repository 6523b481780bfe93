import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner, AvowHeld } from '../../sdk/src/banner';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

interface Seen {
  ran?: string[];
  told?: unknown[];
  Avow: AvowBanner;
}

const ran = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as Seen).ran ?? []);
const told = (page: Page): Promise<unknown[]> => page.evaluate(() => (window as unknown as Seen).told ?? []);
const push = (name: string): string => `(window.ran ??= []).push('${name}')`;
const tell = (what: string): string => `(window.told ??= []).push(${what})`;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const held = (page: Page) =>
  page.evaluate(() => (window as unknown as Seen).Avow.held?.() ?? []) as Promise<
    (AvowHeld & { released: boolean })[]
  >;
const shown = (page: Page) => page.getByRole('dialog').waitFor();

describeInBrowser('what nobody has marked up', () => {
  let shop: Shop;
  let snippet: string;
  let blocking: string;
  let hash: string;
  /** Other hosts of the same web server. */
  let tracker: string;
  let ads: string;
  let fine: string;

  beforeAll(async () => {
    shop = await openShop();
    const port = new URL(shop.origin).port;
    [tracker, ads, fine] = ['tracker', 'ads', 'fine'].map((name) => `http://${name}.localhost:${port}`) as [
      string,
      string,
      string,
    ];
    const bundle = await shop.publish({
      auto_blocking: {
        enabled: true,
        unclassified: null,
        rules: [
          { place: 'tracker.localhost', category: 'analytics' },
          { place: 'ads.localhost', category: 'marketing' },
          { place: 'tracker.localhost/free/', category: null },
          { place: 'fine.localhost/pixel/', category: 'marketing' },
        ],
      },
    });
    ({ snippet_pinned: snippet, snippet_blocking: blocking, snippet_csp_hash: hash } = bundle);
    shop.set('/film', { snippet: '', body: 'A film' });
  });
  afterAll(() => shop?.stop());

  const open = async (
    page: { head?: string; body?: string; headers?: Record<string, string>; snippet?: string },
    context?: BrowserContext,
  ) => {
    shop.set('/page', { snippet, ...page });
    const before = shop.asked.length;
    const opened = await shop.visit('/page', context);
    return { page: opened, asked: () => shop.asked.slice(before).filter((path) => path !== '/favicon.ico') };
  };

  test('scripts of the page’s markup wait, and run in the order of the document when their category is allowed', async () => {
    const { page } = await open({
      head: `<script src="${tracker}/one.js"></script><script>${push('own')}</script>
        <script src="${ads}/ads.js"></script><script src="${tracker}/two.js" defer></script>
        <script src="${tracker}/free/free.js"></script><script src="${fine}/fine.js"></script>
        <script src="${fine}/pixel/waits.js"></script><script src="/first.js"></script>`,
      body: `<h1>Shop</h1><script src="${tracker}/three.js"></script>`,
    });
    await shown(page);
    expect(await ran(page)).toEqual(['own', '/free/free.js', '/fine.js', '/first.js']);
    await press(page, 'Settings');
    await page.getByRole('switch', { name: 'Analytics' }).check();
    await press(page, 'Save choice');
    await until('the last has run', async () => (await ran(page)).includes('/three.js'));
    expect((await ran(page)).slice(4)).toEqual(['/one.js', '/two.js', '/three.js']);
    const all = await held(page);
    expect(all.map(({ url, category, released }) => [new URL(url).pathname, category, released])).toEqual([
      ['/one.js', 'analytics', true],
      ['/ads.js', 'marketing', false],
      ['/two.js', 'analytics', true],
      ['/pixel/waits.js', 'marketing', false],
      ['/three.js', 'analytics', true],
    ]);
    // On the next view what is allowed runs, and the rest waits.
    await page.reload();
    await until('the last has run', async () => (await ran(page)).includes('/three.js'));
    expect(await ran(page)).not.toContain('/ads.js');
    await page.evaluate(() => (window as unknown as Seen).Avow.accept());
    await until('the rest', async () => (await ran(page)).includes('/pixel/waits.js'));
    expect(await ran(page)).toContain('/ads.js');
    await page.context().close();
  });

  test('a refusal holds, also on the next view, until it is changed', async () => {
    const { page, asked } = await open({
      body: `<h1>Shop</h1><script>
        const made = document.createElement('script'); made.src = '${tracker}/made.js'; document.head.append(made);
      </script>`,
    });
    await press(page, 'Reject all');
    await page.reload();
    await until('the script is there', async () => (await held(page)).length === 1);
    expect(await ran(page)).toEqual([]);
    expect(asked()).toEqual(['/page', '/page']);
    await page.evaluate(() => (window as unknown as Seen).Avow.accept());
    await until('it ran', async () => (await ran(page)).includes('/made.js'));
    await page.context().close();
  });

  const MAKES: [string, (source: string) => string][] = [
    [
      'src, then appended',
      (source) =>
        `const s = document.createElement('script'); s.src = '${source}'; document.head.appendChild(s);`,
    ],
    [
      'type after src',
      (source) =>
        `const s = document.createElement('script'); s.src = '${source}'; s.type = 'text/javascript'; s.async = true; document.head.appendChild(s);`,
    ],
    [
      'appended, then src',
      (source) => `const s = document.createElement('script'); document.head.append(s); s.src = '${source}';`,
    ],
    [
      'setAttribute',
      (source) =>
        `const s = document.createElement('script'); s.setAttribute('SRC', '${source}'); document.body.prepend(s);`,
    ],
    [
      'insertBefore of the usual snippets',
      (source) =>
        `(function(d, t){const s = d.createElement(t), x = d.getElementsByTagName(t)[0]; s.async = 1; s.src = '${source}'; x.parentNode.insertBefore(s, x);})(document, 'script');`,
    ],
    [
      'a clone of a template',
      (source) =>
        `const t = document.getElementById('template'); t.content.firstChild.src = '${source}'; document.body.append(document.importNode(t.content, true));`,
    ],
    ['document.write', (source) => `document.write('<script src="${source}"><\\/script>');`],
    [
      'a fragment of text',
      (source) =>
        `document.body.append(document.createRange().createContextualFragment('<div><script src="${source}"><\\/script></div>'));`,
    ],
    [
      'insertAdjacentElement',
      (source) =>
        `const s = document.createElement('script'); s.src = '${source}'; document.body.insertAdjacentElement('beforeend', s);`,
    ],
  ];
  test.each(MAKES)('a script that the page makes waits: %s', async (_, make) => {
    const { page, asked } = await open({
      body: `<h1>Shop</h1><template id="template"><script async></script></template><script>${make(`${tracker}/made.js`)}</script><script src="/after.js"></script>`,
    });
    await shown(page);
    expect(await ran(page)).toEqual(['/after.js']);
    expect(asked()).not.toContain('/made.js');
    await press(page, 'Accept all');
    await until('it ran', async () => (await ran(page)).includes('/made.js'));
    expect((await ran(page)).filter((name) => name === '/made.js')).toHaveLength(1);
    // Once it is allowed, it needs no release.
    await page.evaluate((source) => {
      const script = document.createElement('script');
      script.src = source;
      document.head.append(script);
      (window as unknown as Seen).told = [script.dataset.category ?? 'plain'];
    }, `${tracker}/next.js`);
    await until('the next ran', async () => (await ran(page)).includes('/next.js'));
    expect(await told(page)).toEqual(['plain']);
    await page.context().close();
  });

  test('a page reads of its elements what it has set, and its handlers are called', async () => {
    const { page } = await open({
      body: `<h1>Shop</h1><script>
        const s = document.createElement('script');
        s.type = 'text/javascript'; s.src = '${tracker}/made.js';
        s.onload = () => ${tell(`'loaded'`)};
        s.addEventListener('load', () => ${tell(`'heard'`)});
        document.head.append(s);
        const f = document.createElement('iframe'); f.setAttribute('src', '${ads}/film'); f.title = 'Film';
        const i = new Image(); i.onload = () => ${tell(`'image'`)}; i.src = '${ads}/pixel.svg';
        const own = document.createElement('img'); own.src = '/own.svg';
        window.kept = [s, f, i];
        ${tell(`[s.src, s.getAttribute('src'), s.type, s.getAttribute('type'), f.src, f.getAttribute('src'), i.src, i.getAttribute('src'), own.src, own.getAttribute('type')].join(' ')`)};
        const other = document.createElement('script'); other.src = '${tracker}/no.js'; other.src = '/own.js';
        ${tell(`other.outerHTML`)};
        document.head.append(other);
      </script>`,
    });
    await shown(page);
    await until('its own script', async () => (await ran(page)).length === 1);
    expect(await ran(page)).toEqual(['/own.js']);
    expect(await told(page)).toEqual([
      [
        ...[`${tracker}/made.js`, `${tracker}/made.js`, 'text/javascript', 'text/javascript'],
        ...[`${ads}/film`, `${ads}/film`, `${ads}/pixel.svg`, `${ads}/pixel.svg`],
        ...[`${shop.origin}/own.svg`, ''],
      ].join(' '),
      '<script src="/own.js"></script>',
    ]);
    await press(page, 'Accept all');
    await until('all are called', async () => (await told(page)).length === 5);
    expect((await told(page)).slice(2).sort()).toEqual(['heard', 'image', 'loaded']);
    expect(
      await page.evaluate(() => {
        const [script, , image] = (
          window as unknown as { kept: [HTMLScriptElement, never, HTMLImageElement] }
        ).kept;
        return [script.isConnected, script.type, script.src, image.naturalWidth > 0];
      }),
    ).toEqual([true, 'text/javascript', `${tracker}/made.js`, true]);
    await page.context().close();
  });

  test('frames and images wait, with a placeholder for what would be seen, and go again upon withdrawal', async () => {
    const { page, asked } = await open({
      body: `<h1>Shop</h1><div id="one"></div><script>
        const f = document.createElement('iframe'); f.title = 'Film'; f.width = 480; f.height = 270; f.src = '${ads}/film';
        document.body.append(f);
        document.getElementById('one').innerHTML = '<p>Text</p><img alt="" src="${tracker}/inner.svg"><iframe src="${ads}/inner"></iframe>';
        document.body.insertAdjacentHTML('beforeend', '<img alt="" src="${tracker}/adjacent.svg">');
        document.write('<img alt="" src="${tracker}/written.svg">');
        document.body.attachShadow?.call(document.createElement('div'), { mode: 'open' });
      </script>`,
    });
    await page.locator('avow-blocked').first().waitFor();
    // Frames that are written as text may be asked for, once; images of `document.write`, too.
    expect(asked()).not.toContain('/film');
    expect(await page.locator('iframe[src],img[src]').count()).toBe(0);
    expect(await page.locator('#one').innerText()).toBe('Text');
    await page.getByRole('group', { name: 'Film' }).getByRole('button', { name: 'Allow' }).click();
    await page.frameLocator('iframe[title=Film]').getByText('A film').waitFor();
    await page.evaluate(() => (window as unknown as Seen).Avow.accept());
    await until('images', async () =>
      ['/inner.svg', '/adjacent.svg', '/written.svg', '/film', '/inner'].every((path) =>
        asked().includes(path),
      ),
    );
    await page.evaluate(() => (window as unknown as Seen).Avow.reject());
    await until('the frame is empty', async () => (await page.locator('iframe[src]').count()) === 0);
    await page.context().close();
  });

  test('what a page writes as text stays as it is, character for character', async () => {
    const { page } = await open({ body: '<h1>Shop</h1><div id="one"></div>' });
    await shown(page);
    const texts = [
      `<p title="<img src='${tracker}/c' alt=' autofocus tabindex=1 onfocus=alert(1) x='>">hi</p>`,
      `<div data-embed="<iframe src='${ads}/film' allowfullscreen></iframe>">x</div>`,
      `<iframe srcdoc="<img src='${ads}/in.svg'>"></iframe>`,
      `<template><img alt="" src="${tracker}/t.svg"></template>`,
    ];
    const read = await page.evaluate((all) => {
      const one = document.getElementById('one') as HTMLElement;
      return all.map((text) => {
        one.innerHTML = text;
        const set = one.innerHTML;
        const loose = document.createElement('div');
        loose.insertAdjacentHTML('beforeend', text);
        one.innerHTML = '<b></b>';
        (one.firstChild as Element).outerHTML = text;
        return [set, loose.innerHTML, one.innerHTML];
      });
    }, texts);
    // As the browser writes it, which escapes nothing of these but `<` and `>`, in some.
    const plain = (text: string): string => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>');
    expect(read.map((all) => all.map(plain))).toEqual(texts.map((text) => [text, text, text]));
    const written = await open({
      body: `<h1>Shop</h1><script>
        document.write('<p id="p" title="<img src=${tracker}/c x=>">hi</p><script>window.text = "<iframe src=${ads}/film></iframe>";<\\/script>');
        document.writeln('<b>', '</b>');
        document.write('<script>(window.ran ??= []).push("split");<\\/scr'); document.write('ipt><script src="${tracker}/made.js">'); document.write('<\\/script><i id="end"></i>');
      </script>`,
    });
    await shown(written.page);
    expect(await written.page.evaluate(() => (window as unknown as { text: string }).text)).toBe(
      `<iframe src=${ads}/film></iframe>`,
    );
    expect(await written.page.locator('#p').getAttribute('title')).toBe(`<img src=${tracker}/c x=>`);
    expect(await ran(written.page)).toEqual(['split']);
    expect(await written.page.locator('#end').count()).toBe(1);
    await press(written.page, 'Accept all');
    await until('it ran', async () => (await ran(written.page)).includes('/made.js'));
    await page.context().close();
    await written.page.context().close();
  });

  test('images that a page writes as text are not asked for, in whatever it writes', async () => {
    const { page, asked } = await open({ body: '<h1>Shop</h1><div id="one"></div>' });
    await shown(page);
    await page.evaluate((source) => {
      const image = (name: string): string => `<i><img alt="" src="${source}/${name}.svg"></i>`;
      const one = document.getElementById('one') as HTMLElement;
      one.innerHTML = image('inner');
      one.insertAdjacentHTML('afterend', image('after'));
      const loose = document.createElement('div');
      loose.innerHTML = image('loose');
      const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
      root.innerHTML = image('shadow');
      root.firstElementChild?.insertAdjacentHTML('beforebegin', image('inside'));
      return fetch('/own');
    }, tracker);
    await until('its own', async () => asked().includes('/own'));
    expect(asked()).toEqual(['/page', '/own']);
    await page.evaluate(() => (window as unknown as Seen).Avow.accept());
    await until('those of the page', async () =>
      ['inner', 'after', 'shadow', 'inside'].every((name) => asked().includes(`/${name}.svg`)),
    );
    await page.context().close();
  });

  test('a script that a page writes as text does not run, held or not, as without the banner', async () => {
    const { page } = await open({
      body: `<h1>Shop</h1><div id="one"></div><script>
        document.getElementById('one').innerHTML = '<script src="${tracker}/never.js"><\\/script>';
      </script><script src="${tracker}/marker.js"></script>`,
    });
    await press(page, 'Accept all');
    await until('the other ran', async () => (await ran(page)).includes('/marker.js'));
    expect(await ran(page)).toEqual(['/marker.js']);
    await page.context().close();
  });

  test('names that pages use themselves are theirs, and copies of what waits wait and are released', async () => {
    const { page, asked } = await open({
      body: `<h1>Shop</h1><iframe id="lazy" title="Film" width="480" height="270" data-src="${ads}/film"></iframe>
        <div id="one"></div><script>
        const lazy = document.getElementById('lazy');
        lazy.src = lazy.dataset.src; lazy.removeAttribute('data-src');
        const i = new Image(); i.id = 'thumb'; i.dataset.src = '/large.svg'; i.src = '${tracker}/small.svg'; document.body.append(i);
        const s = document.createElement('script'); s.type = 'text/javascript'; s.dataset.type = 'mine'; s.dataset.src = 'mine.js';
        s.src = '${tracker}/copied.js'; s.id = 'first'; document.body.append(s);
        const attributes = [...s.attributes];
        for (const all of [attributes, [...attributes].reverse()]) {
          const copy = document.createElement('script');
          for (const { name, value } of all) copy.setAttribute(name, value);
          document.body.append(copy);
        }
        document.body.append(lazy.cloneNode());
        const clone = s.cloneNode(); document.body.append(clone);
      </script>`,
    });
    await shown(page);
    expect(asked()).toEqual(['/page']);
    expect(await ran(page)).toEqual([]);
    expect(await page.locator('#thumb').getAttribute('data-src')).toBe('/large.svg');
    await press(page, 'Accept all');
    await until('all four ran', async () => (await ran(page)).length === 4);
    await until('both frames', async () => asked().filter((path) => path === '/film').length === 2);
    await until('the image', async () => asked().includes('/small.svg'));
    expect(asked()).not.toContain('/large.svg');
    expect(
      await page.evaluate(() => {
        const { type, src } = (document.getElementById('first') as HTMLElement).dataset;
        return [type, src];
      }),
    ).toEqual(['mine', 'mine.js']);
    await page.context().close();
  });

  test('a script that has run does not run again when the page moves it or inserts something before it', async () => {
    const { page } = await open({
      head: `<script id="parsed" src="${tracker}/parsed.js"></script>`,
      body: '<h1>Shop</h1><div id="one"></div>',
    });
    await press(page, 'Accept all');
    await until('it ran', async () => (await ran(page)).includes('/parsed.js'));
    await page.evaluate(async () => {
      const script = document.getElementById('parsed') as Element;
      document.body.append(...document.querySelectorAll('#parsed'));
      document.body.insertBefore(script, document.getElementById('one'));
      (window as unknown as Seen).Avow.reject();
      script.parentNode?.insertBefore(document.createElement('b'), script);
      (window as unknown as Seen).Avow.accept();
      const last = document.createElement('script');
      last.src = '/last.js';
      const done = new Promise((resolve) => last.addEventListener('load', resolve));
      document.body.append(last);
      await done;
    });
    expect(await ran(page)).toEqual(['/parsed.js', '/last.js']);
    await page.context().close();
  });

  test('fields of a form that are named as its members keep nothing from being held', async () => {
    const fields = ['matches', 'querySelectorAll', 'firstElementChild'];
    const form = `<form>${fields.map((name) => `<input type="hidden" name="${name}">`).join('')}`;
    const { page, asked } = await open({
      body: `<h1>Shop</h1>${form}</form><script>
        const f = document.createElement('div'); f.innerHTML = '${form}<iframe src="${ads}/film"></iframe></form>';
        document.body.append(f.firstChild);
        document.forms[0].innerHTML += '<img alt="" src="${tracker}/field.svg">';
      </script><script src="${tracker}/after.js"></script><script src="/own.js"></script>`,
    });
    await until('its own', async () => (await ran(page)).length > 0);
    expect(await ran(page)).toEqual(['/own.js']);
    expect(asked()).not.toContain('/film');
    expect(asked()).not.toContain('/field.svg');
    await page.context().close();
  });

  test('requests that wait can be stopped, time out, and read as failed; a dot after the host changes nothing', async () => {
    const { page, asked } = await open({
      body: `<h1>Shop</h1><script>
        const stop = new AbortController();
        fetch('${tracker}/one', { signal: stop.signal }).catch((error) => ${tell(`'fetch ' + error.name`)});
        fetch(new Request('${tracker}/two', { signal: stop.signal })).catch((error) => ${tell(`'request ' + error.name`)});
        stop.abort();
        const late = new XMLHttpRequest(); late.open('GET', '${tracker}/late'); late.timeout = 1;
        late.ontimeout = () => ${tell(`'timeout ' + late.readyState`)}; late.send();
        const x = new XMLHttpRequest(); x.open('GET', '${tracker.replace('.localhost', '.localhost.')}/refused');
        x.onreadystatechange = () => { if (x.readyState === 4) ${tell(`'state ' + x.status`)}; }; x.send();
      </script>`,
    });
    await until('three are told', async () => (await told(page)).length === 3);
    expect((await told(page)).map(String).sort()).toEqual([
      ...['fetch AbortError', 'request AbortError', 'timeout 4'],
    ]);
    await press(page, 'Reject all');
    await until('the last', async () => (await told(page)).length === 4);
    expect((await told(page))[3]).toBe('state 0');
    expect(asked()).toEqual(['/page']);
    await page.context().close();
  });

  test.each(['fails to load', 'never comes'])(
    'requests do not wait for ever where the script of the banner %s',
    async (how) => {
      const context = await shop.browser.newContext();
      if (how === 'fails to load') await context.route('**/api/bundles/**', (route) => route.abort());
      const { page, asked } = await open(
        {
          ...(how === 'never comes' && { snippet: snippet.slice(0, snippet.lastIndexOf('<script')) }),
          head: `<script>
          const later = setTimeout; window.setTimeout = (task, after, ...all) => later(task, after === 10000 ? 0 : after, ...all);
          fetch('${tracker}/one').catch((error) => ${tell('error.name')});
        </script>`,
        },
        context,
      );
      await until('it failed', async () => (await told(page)).length === 1);
      expect(await told(page)).toEqual(['TypeError']);
      expect(asked()).not.toContain('/one');
      await context.close();
    },
  );

  test('requests of the page’s scripts wait while nothing is decided, are sent when allowed, and fail when refused', async () => {
    const body = `<h1>Shop</h1><script>
      fetch('${tracker}/fetched', { mode: 'no-cors' }).then(() => ${tell(`'sent'`)}, (error) => ${tell(`'fetch ' + error.name`)});
      const x = new XMLHttpRequest(); x.open('POST', '${tracker}/xhr');
      x.onerror = () => ${tell(`'xhr failed'`)}; x.onloadend = () => ${tell(`'xhr ended'`)}; x.send('a');
      const sync = new XMLHttpRequest(); sync.open('GET', '${tracker}/sync', false);
      try { sync.send(); } catch (error) { ${tell(`error.name`)}; }
      ${tell(`navigator.sendBeacon('${ads}/beacon', 'b')`)};
      fetch('/own').then(() => ${push('own')});
      const stopped = new XMLHttpRequest(); stopped.open('GET', '${tracker}/stopped'); stopped.send(); stopped.abort();
    </script>`;
    const { page, asked } = await open({ body });
    await shown(page);
    await until('its own', async () => (await ran(page)).includes('own'));
    expect(await told(page)).toEqual(['NetworkError', true]);
    expect(asked()).toEqual(['/page', '/own']);
    await press(page, 'Settings');
    await page.getByRole('switch', { name: 'Analytics' }).check();
    await press(page, 'Save choice');
    await until('sent', async () => (await told(page)).includes('sent'));
    await until('xhr', async () => asked().includes('/xhr'));
    expect(asked()).not.toContain('/beacon');
    expect(asked()).not.toContain('/stopped');
    await page.context().close();
    const refused = await open({ body });
    await press(refused.page, 'Reject all');
    await until('all failed', async () => (await told(refused.page)).length === 5);
    expect((await told(refused.page)).map(String).sort()).toEqual([
      ...['NetworkError', 'fetch TypeError', 'true', 'xhr ended', 'xhr failed'],
    ]);
    expect(refused.asked()).toEqual(['/page', '/own']);
    await refused.page.context().close();
  });

  test('what is held is told to the page by an event and a call', async () => {
    const { page } = await open({
      head: `<script>Avow.push(['on', 'held', (one) => ${tell('one')}]);</script><script src="${tracker}/one.js?id=1"></script>`,
    });
    await shown(page);
    await page.evaluate((source) => {
      for (let at = 0; at < 3; at += 1) new Image().src = `${source}/pixel?visitor=${at}`;
    }, ads);
    const expected = [
      { kind: 'script', url: `${tracker}/one.js`, category: 'analytics' },
      { kind: 'img', url: `${ads}/pixel`, category: 'marketing' },
    ];
    expect(await told(page)).toEqual(expected);
    expect(await held(page)).toEqual(expected.map((one) => ({ ...one, released: false })));
    await page.context().close();
  });

  test('what a page marks up itself is as it says, and other types of scripts are let be', async () => {
    const { page } = await open({
      head: `<script type="text/plain" data-category="marketing" src="${tracker}/marked.js"></script>
        <script data-category="necessary" src="${tracker}/needed.js"></script>
        <script type="application/json" id="data" src="${tracker}/data.json">{"a":1}</script>`,
    });
    await shown(page);
    expect(await ran(page)).toEqual(['/needed.js']);
    expect(await page.locator('#data').getAttribute('type')).toBe('application/json');
    await press(page, 'Settings');
    await page.getByRole('switch', { name: 'Marketing' }).check();
    await press(page, 'Save choice');
    await until('it ran', async () => (await ran(page)).includes('/marked.js'));
    await page.context().close();
  });

  test('under a strict policy everything works, and nothing that it forbids runs', async () => {
    const page = await (async () => {
      const opened = await open({
        snippet: snippet
          .replace('<script>', '<script nonce="abc">')
          .replace('<script async', '<script nonce="abc" async'),
        headers: {
          'Content-Security-Policy': `script-src 'nonce-abc' 'strict-dynamic'; object-src 'none'; base-uri 'none'`,
        },
        head: `<script nonce="abc" src="${tracker}/parsed.js"></script><script src="${tracker}/forbidden.js"></script>
          <script nonce="abc">const s = document.createElement('script'); s.src = '${tracker}/made.js'; document.head.append(s);</script>`,
      });
      return opened.page;
    })();
    await shown(page);
    expect(await ran(page)).toEqual([]);
    await press(page, 'Accept all');
    await until('both ran', async () => (await ran(page)).length === 2);
    expect((await ran(page)).sort()).toEqual(['/made.js', '/parsed.js']);
    await page.context().close();
    const byHash = await open({
      headers: { 'Content-Security-Policy': `script-src '${hash}' ${shop.host} ${tracker} 'self'` },
      head: `<script src="${tracker}/parsed.js"></script><script src="/own.js"></script>`,
    });
    await shown(byHash.page);
    expect(await ran(byHash.page)).toEqual(['/own.js']);
    await press(byHash.page, 'Accept all');
    await until('it ran', async () => (await ran(byHash.page)).includes('/parsed.js'));
    await byHash.page.context().close();
  });

  test('marked-up scripts in HTML that the page has made run as without auto-blocking: with the nonce alone', async () => {
    const made = (nonce: string) => `<div><script type="text/plain" data-category="analytics" ${nonce}
      src="${tracker}/marked${nonce === '' ? '-without' : ''}.js"></script></div>`;
    const policy = `script-src 'nonce-abc' 'strict-dynamic'`;
    const withNonce = snippet
      .replace('<script>', '<script nonce="abc">')
      .replace('<script async', '<script nonce="abc" async');
    for (const headers of [{ 'Content-Security-Policy': policy }, {}]) {
      const { page } = await open({ snippet: withNonce, headers, body: '<h1>Shop</h1><main></main>' });
      await shown(page);
      await page.evaluate(
        ([strange, own]) => {
          const parse = (html: string) => new DOMParser().parseFromString(html, 'text/html').body;
          document.querySelector('main')?.append(...parse(strange as string).childNodes);
          // As React makes a script: what `innerHTML` made is moved into the page.
          const box = document.createElement('div');
          box.innerHTML = own as string;
          document.querySelector('main')?.append(box.firstChild as Node);
        },
        [made(''), made('nonce="abc"')],
      );
      await press(page, 'Accept all');
      await until('it has run', async () => (await ran(page)).includes('/marked.js'));
      expect(await ran(page)).not.toContain('/marked-without.js');
      await page.context().close();
    }
  });

  test('a script finds itself in the document when it runs', async () => {
    const context = await shop.browser.newContext();
    await context.route('**/self.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: tell(
          `document.currentScript.id + ' ' + document.currentScript.dataset.id + ' ' + document.currentScript.src`,
        ),
      }),
    );
    const { page } = await open(
      {
        body: `<h1>Shop</h1><div id="place"></div><script id="self" src="${tracker}/self.js" data-id="7"></script>`,
      },
      context,
    );
    await press(page, 'Accept all');
    await until('it ran', async () => (await told(page)).length === 1);
    expect(await told(page)).toEqual([`self 7 ${tracker}/self.js`]);
    await context.close();
  });

  test('the blocking snippet holds by itself, with the rules of the present bundle', async () => {
    const { page } = await open({
      snippet: blocking,
      head: `<script src="${tracker}/one.js"></script><script>${push('own')}</script>`,
    });
    await shown(page);
    expect(await ran(page)).toEqual(['own']);
    await press(page, 'Accept all');
    await until('it ran', async () => (await ran(page)).includes('/one.js'));
    await page.context().close();
  });

  test('an older snippet’s rules give way to those of the script', async () => {
    const older = snippet.replace('"tracker.localhost"', '"fine.localhost"');
    expect(older).not.toBe(snippet);
    const { page } = await open({
      snippet: older,
      head: `<script src="${fine}/fine.js"></script><script src="${fine}/pixel/waits.js"></script>`,
    });
    await shown(page);
    await until('what waits no more ran', async () => (await ran(page)).includes('/fine.js'));
    expect(await ran(page)).toEqual(['/fine.js']);
    await page.context().close();
  });

  test('without the script nothing is released, and the page goes on', async () => {
    const context = await shop.browser.newContext();
    await context.route('**/api/bundles/**', (route) => route.abort());
    const { page } = await open(
      { head: `<script src="${tracker}/one.js"></script><script>${push('own')}</script>` },
      context,
    );
    await page.getByRole('heading').waitFor();
    expect(await ran(page)).toEqual(['own']);
    await context.close();
  });

  test('what visitors of a site write with names of the banner stops nothing, and runs nothing', async () => {
    const { page } = await open({
      head: `<script src="${tracker}/one.js"></script>`,
      body: `<h1>Shop</h1><img alt="" data-avow-src="x"><iframe title="x" data-avow-src="javascript:ran=['bad']"></iframe>
        <script src="${tracker}/two.js"></script>`,
    });
    await shown(page);
    await page.evaluate(() =>
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img alt="" data-avow-src="y"><p data-avow-category></p>',
      ),
    );
    await press(page, 'Accept all');
    await until('all ran', async () => (await ran(page)).includes('/two.js'));
    expect(await ran(page)).toEqual(['/one.js', '/two.js']);
    await page.context().close();
  });

  test('once auto-blocking is switched off, the script lets go of all that the snippet of before holds', async () => {
    const one = await openShop();
    const from = tracker.replace(/\d+$/, new URL(one.origin).port);
    const auto_blocking = {
      enabled: true,
      unclassified: null,
      rules: [{ place: 'tracker.localhost', category: 'analytics' }],
    };
    const { snippet: before } = await one.publish({ auto_blocking } as never);
    await one.publish({ auto_blocking: null });
    one.set('/film', { snippet: '', body: 'A film' });
    one.set('/page', {
      snippet: before,
      head: `<script src="${from}/one.js"></script>`,
      body: `<h1>Shop</h1><iframe title="Film" src="${from}/film"></iframe>
        <script>fetch('${from}/answer', { mode: 'no-cors' }).then(() => { document.title = 'Sent'; }, () => { document.title = 'Refused'; });</script>`,
    });
    const loads = async (page: Page) => {
      await until('its script', async () => (await ran(page)).includes('/one.js'));
      await page.frameLocator('iframe[title=Film]').getByText('A film').waitFor();
      expect(await page.locator('avow-blocked').count()).toBe(0);
    };
    const sends = async (page: Page) => {
      await until('its request', async () => /Sent|Refused/.test(await page.title()));
      expect(await page.title()).toBe('Sent');
    };
    try {
      // Whether the visitor has decided or not.
      const page = await one.visit('/page');
      await shown(page);
      await loads(page);
      await press(page, 'Accept all');
      await sends(page);
      // Of whoever has accepted all of it goes on at once.
      await page.reload();
      await loads(page);
      await sends(page);
    } finally {
      await one.stop();
    }
  });

  test('known trackers wait without a rule of the owner, payment and libraries do not', async () => {
    const context = await shop.browser.newContext();
    const asked: string[] = [];
    for (const host of [
      'www.google-analytics.com',
      'connect.facebook.net',
      'js.stripe.com',
      'code.jquery.com',
    ])
      await context.route(`https://${host}/**`, (route) => {
        asked.push(host);
        return route.fulfill({ contentType: 'text/javascript', body: push(host) });
      });
    const add = (host: string) =>
      `const s = document.createElement('script'); s.async = false; s.src = 'https://${host}/a.js'; document.head.append(s);`;
    const hosts = ['www.google-analytics.com', 'js.stripe.com', 'connect.facebook.net', 'code.jquery.com'];
    const { page } = await open(
      { head: hosts.map((host) => `<script>{${add(host)}}</script>`).join('') },
      context,
    );
    await shown(page);
    await until('two ran', async () => (await ran(page)).length === 2);
    expect(await ran(page)).toEqual(['js.stripe.com', 'code.jquery.com']);
    expect(asked.sort()).toEqual(['code.jquery.com', 'js.stripe.com']);
    await press(page, 'Accept all');
    await until('all ran', async () => (await ran(page)).length === 4);
    await context.close();
  });

  test('what the parser inserts may be asked for, and does not run: as the guide says', async () => {
    const { page, asked } = await open({
      head: `<script src="${tracker}/scanned.js"></script>`,
      body: `<h1>Shop</h1><img alt="" src="${tracker}/parsed.svg" width="9" height="9"><iframe title="Film" src="${ads}/film" width="480" height="270"></iframe><script src="/own.js"></script><p>End</p>`,
    });
    await page.locator('avow-blocked').waitFor();
    expect(await ran(page)).toEqual(['/own.js']);
    // They show nothing of it.
    expect(await page.locator('iframe').getAttribute('data-avow-src')).toBe(`${ads}/film`);
    expect(asked()).toContain('/own.js');
    await press(page, 'Accept all');
    await page.frameLocator('iframe').getByText('A film').waitFor();
    await page.context().close();
  });
});
