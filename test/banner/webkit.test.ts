import { TCString } from '@iabtechlabtcf/core';
import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { openSite, type ShopSite } from '../helpers/banner/shop';
import { describeInWebKit, Key, startWebKit, type Visitor, type WebKit } from '../helpers/browser/webkit';
import { type ListHost, startListHost } from '../helpers/tcf/list';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const push = (name: string): string => `(window.ran ??= []).push('${name}')`;
const blocked = (category: string, rest: string, text = ''): string =>
  `<script type="text/plain" data-category="${category}" ${rest}>${text}</script>`;
const FILM =
  '<iframe title="Film" data-category="marketing" data-src="/film" width="480" height="270"></iframe>';

/** As content blockers do it: by a sheet that counts for more than any of the page. */
const HIDE = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':host(avow-banner),dialog{display:none!important}');
  const { shadowRoot } = document.querySelector('avow-banner');
  shadowRoot.adoptedStyleSheets = [...shadowRoot.adoptedStyleSheets, sheet];`;

const ran = (visitor: Visitor) => visitor.run<string[]>('return window.ran ?? []');
interface Consent {
  session_id: string;
  decision: string;
  categories: Record<string, boolean>;
}
const consentOf = (visitor: Visitor) => visitor.run<Consent | null>('return Avow.getConsent()');

// Safari's engine, as Debian has it; the suites beside this one run in Chromium, and in Firefox with TEST_ENGINE.
describeInWebKit('in WebKitGTK', () => {
  let webkit: WebKit;
  let shop: ShopSite;
  let list: ListHost;
  let visitor: Visitor;
  beforeAll(async () => {
    list = await startListHost();
    shop = await openSite({}, { TCF_CMP_ID: '300', TCF_LIST: list.place });
    shop.set('/film', { snippet: '', body: 'A film' });
    webkit = await startWebKit();
  });
  afterAll(async () => {
    await webkit?.stop();
    await shop?.stop();
    await list?.stop();
  });
  beforeEach(async () => {
    visitor = await webkit.visitor();
  });
  afterEach(() => visitor.close());

  const recordsOf = async (count: number) => {
    const { session_id } = (await consentOf(visitor)) as Consent;
    return until('the owner finds the records', async () => {
      const { items } = await shop.client.listConsents({ token: shop.token, session_id });
      return items.length >= count && items;
    });
  };
  const isAsked = async () => (await visitor.find('dialog[open]')) !== null;

  test.each([
    ['Accept all', 'accept_all', true],
    ['Reject all', 'reject_all', false],
  ])(
    '%s is chosen by keyboard and on record with its bundle; the next visit shows the control',
    async (name, decision, on) => {
      const { hash } = await shop.publish();
      await visitor.go(shop.origin);
      await visitor.see('dialog[open]');
      for (let step = 0; (await visitor.focus()) !== name; step += 1) {
        expect(step).toBeLessThan(12);
        await visitor.keys(Key.TAB);
      }
      await visitor.keys(Key.ENTER);
      await visitor.miss('dialog[open]');
      const [record] = await recordsOf(1);
      expect(record).toMatchObject({
        ...{ decision, method: 'banner', bundle_hash: hash, page_url: `${shop.origin}/` },
        categories: { functional: on, analytics: on, marketing: on },
      });
      await visitor.reload();
      await visitor.see('button', 'Privacy settings');
      expect(await isAsked()).toBe(false);
    },
  );

  test('nothing runs before a choice; then what is allowed runs in the order of the document', async () => {
    const head = [
      blocked('analytics', 'src="/slow.js"'),
      blocked('analytics', '', push('inline')),
      blocked('marketing', 'data-src="/ads.js"'),
      blocked('necessary', '', push('necessary')),
      blocked('analytics', 'src="/last.js"'),
    ].join('');
    shop.set('/scripts', { head });
    await visitor.go(`${shop.origin}/scripts`);
    await visitor.see('dialog[open]');
    expect(await ran(visitor)).toEqual(['necessary']);
    await visitor.press('Settings');
    await visitor.press('Analytics');
    await visitor.press('Save choice');
    await until('the last has run', async () => (await ran(visitor)).includes('/last.js'));
    expect(await ran(visitor)).toEqual(['necessary', '/slow.js', 'inline', '/last.js']);
    expect((await consentOf(visitor))?.categories).toMatchObject({ analytics: true, marketing: false });
    // A withdrawal is as easy.
    await visitor.press('Privacy settings');
    await visitor.press('Reject all');
    await visitor.reload();
    await visitor.see('button', 'Privacy settings');
    expect(await ran(visitor)).toEqual(['necessary']);
    expect((await recordsOf(2)).map(({ decision }) => decision)).toEqual(['reject_all', 'save_preferences']);
  });

  test('a frame waits behind its placeholder, whose button allows its category alone; also in a shadow root', async () => {
    const part = `<div><template shadowrootmode="open"><p>Part</p>${FILM}</template></div>`;
    shop.set('/films', { body: `<h1>Shop</h1>${FILM}${part}` });
    await visitor.go(`${shop.origin}/films`);
    await visitor.press('Reject all');
    await visitor.miss('dialog[open]');
    expect(shop.asked).not.toContain('/film');
    const groups = () =>
      visitor.run<number>(
        `const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
         return all(document).filter((one) => one.matches('[role=group][aria-label="Film"]')).length`,
      );
    expect(await groups()).toBe(2);
    const button = await visitor.see('[role=group][aria-label="Film"] button');
    await button.click();
    await until('both are gone', async () => (await groups()) === 0);
    expect(await visitor.inFrame('iframe', () => visitor.run('return document.body.textContent'))).toBe(
      'A film',
    );
    expect((await consentOf(visitor))?.categories).toMatchObject({ analytics: false, marketing: true });
    const [record] = await recordsOf(2);
    expect(record).toMatchObject({ decision: 'save_preferences', method: 'placeholder' });
  });

  test('the second press of a double press allows no film, a later one does', async () => {
    // What events say about their time: a slow machine makes no difference.
    const clock = `for (const name of ['pointerdown', 'pointerup', 'click'])
      addEventListener(name, (event) => Object.defineProperty(event, 'timeStamp', { value: window.now }), true);`;
    const body = `<button style="width: 480px; height: 270px" onclick='this.outerHTML = ${JSON.stringify(FILM)}'>Play</button>`;
    shop.set('/play', { head: `<script>window.now = 0; ${clock}</script>`, body });
    await visitor.go(`${shop.origin}/play`);
    await visitor.press('Reject all');
    await visitor.miss('dialog[open]');
    const pressAt = (now: number, name: string) =>
      visitor.run('window.now = arguments[0]', now).then(() => visitor.press(name));
    await pressAt(1_000, 'Play');
    await pressAt(1_450, 'Allow');
    expect((await consentOf(visitor))?.categories).toMatchObject({ marketing: false });
    await pressAt(2_200, 'Allow');
    expect((await consentOf(visitor))?.categories).toMatchObject({ marketing: true });
  });

  test('a modal layout that a blocker hides makes no page inert', async () => {
    await shop.publish(undefined, { layout: 'dialog' });
    shop.set('/hidden', { body: '<button onclick="window.pressed = true">Buy</button>' });
    await visitor.go(`${shop.origin}/hidden`);
    await visitor.see('dialog[open]');
    await visitor.run(HIDE);
    await until('the page can be used', async () => {
      await visitor.press('Buy').catch(() => undefined);
      return visitor.run<boolean>('return window.pressed ?? false');
    });
    await shop.publish(undefined, { layout: 'box' });
  });

  test('a modal layout holds the focus, and Settings can be left by Escape', async () => {
    await shop.publish(undefined, { layout: 'dialog' });
    await visitor.go(shop.origin);
    await visitor.see('dialog[open]');
    const seen = new Set<string>();
    for (let step = 0; step < 8; step += 1) {
      await visitor.keys(Key.TAB);
      seen.add(await visitor.focus());
    }
    expect([...seen]).toEqual(expect.arrayContaining(['Accept all', 'Reject all', 'Settings']));
    expect([...seen]).not.toContain('Next');
    await visitor.press('Settings');
    await visitor.see('button', 'Save choice');
    await visitor.keys(Key.ESCAPE);
    await visitor.miss('button', 'Save choice');
    expect(await consentOf(visitor)).toBeNull();
    await shop.publish(undefined, { layout: 'box' });
  });

  test('an old toJSON of a page’s library does not stop a decision', async () => {
    shop.set('/old', {
      head: '<script>Array.prototype.toJSON = function () { return JSON.stringify([...this]) }</script>',
    });
    await visitor.go(`${shop.origin}/old`);
    await visitor.press('Accept all');
    await visitor.miss('dialog[open]');
    expect((await recordsOf(1))[0]).toMatchObject({ decision: 'accept_all' });
  });

  test.each([
    [320, 400],
    [390, 844],
    [1280, 720],
  ])('at %d × %d every switch and button that has the focus is in sight', async (width, height) => {
    await visitor.size(width, height);
    await visitor.go(shop.origin);
    await visitor.press('Settings');
    await visitor.see('button', 'Save choice');
    for (let step = 0; step < 16; step += 1) {
      await visitor.keys(Key.TAB);
      // What lies at the middle of a focused control is the control, or inside of it.
      const hidden = await visitor.run<string | null>(`
        let root = document;
        while (root.activeElement?.shadowRoot) root = root.activeElement.shadowRoot;
        const one = root.activeElement;
        if (!one || one.matches('body,dialog')) return null;
        const box = one.getBoundingClientRect();
        const at = root.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return at === one || one.contains(at) || at?.contains(one) ? null : one.outerHTML.slice(0, 200);`);
      expect(hidden).toBeNull();
    }
  });

  test('with the stub nothing comes late: commands wait, scripts run, and Consent Mode starts denied', async () => {
    const { snippet_pinned } = await shop.publish();
    shop.set('/late', {
      snippet: snippet_pinned,
      head: `<script>window.first = dataLayer.length; Avow.push(['on', 'consent', () => ${push('command')}])</script>${blocked('analytics', 'src="/one.js"')}`,
    });
    await visitor.go(`${shop.origin}/late`);
    expect(await visitor.run('return window.first')).toBeGreaterThan(0);
    await visitor.press('Accept all');
    await until('it ran', async () => (await ran(visitor)).includes('/one.js'));
    expect((await ran(visitor)).sort()).toEqual(['/one.js', 'command']);
    const states = await visitor.run<string[]>(
      `return dataLayer.filter((item) => item[0] === 'consent').map((item) => item[1] + ' ' + item[2].analytics_storage)`,
    );
    expect([states[0], states.at(-1)]).toEqual(['default denied', 'update granted']);
  });

  test('a page that comes back obeys what was decided on the next one', async () => {
    shop.set('/first', { head: blocked('analytics', 'src="/one.js"'), body: '<a href="/next">Next</a>' });
    await visitor.go(`${shop.origin}/first`);
    await visitor.see('dialog[open]');
    await visitor.go(`${shop.origin}/next`);
    await visitor.press('Accept all');
    await visitor.miss('dialog[open]');
    await visitor.run('history.back()');
    await until('its script runs', async () =>
      (await ran(visitor).catch(() => [] as string[])).includes('/one.js'),
    );
    await visitor.miss('dialog[open]');
  });

  test('a cookie is shared by subdomains: a withdrawal on one holds on the other', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const { banner } = settings;
    await shop.publish({ banner: { ...banner, cookie: { domain: 'shop.localhost', days: 30 } } });
    try {
      await visitor.go(shop.origin);
      await visitor.press('Accept all');
      await visitor.miss('dialog[open]');
      await visitor.go(shop.origin.replace('shop.', 'blog.shop.'));
      await visitor.see('button', 'Privacy settings');
      expect(await isAsked()).toBe(false);
      expect((await consentOf(visitor))?.decision).toBe('accept_all');
      await visitor.run('Avow.reject()');
      await visitor.go(shop.origin);
      expect((await consentOf(visitor))?.decision).toBe('reject_all');
    } finally {
      await shop.publish({ banner });
    }
  });

  test('IAB’s framework: a string that IAB’s library reads, from the stub to the listener', async () => {
    await refreshVendorList(shop.server.service.context, new Date(), new AbortController().signal);
    const { snippet_pinned } = await shop.publish({ tcf: { publisher_country: 'DE', vendors: [2, 3, 8] } });
    try {
      shop.set('/tcf', {
        snippet: snippet_pinned,
        head: `<script>window.heard = []; __tcfapi('addEventListener', 2, (data) => heard.push([data.eventStatus, data.tcString]))</script>`,
      });
      await visitor.go(`${shop.origin}/tcf`);
      await visitor.press('Accept all');
      const heard = () => visitor.run<[string, string][]>('return heard');
      await until('the listener heard', async () =>
        (await heard()).some(([status]) => status === 'useractioncomplete'),
      );
      expect((await heard()).map(([status]) => status).slice(-2)).toEqual([
        'cmpuishown',
        'useractioncomplete',
      ]);
      const read = TCString.decode((await heard()).at(-1)?.[1] as string);
      expect([...read.vendorConsents].filter(([, on]) => on).map(([id]) => id)).toEqual([2, 3, 8]);
      expect(read.cmpId).toBe(300);
      expect((await recordsOf(1))[0]).toMatchObject({ tc_string: (await heard()).at(-1)?.[1] });
    } finally {
      await shop.publish({ tcf: null });
    }
  });
});
