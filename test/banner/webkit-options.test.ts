import type { AvowHeld } from '../../sdk/src/banner';
import { LOGOS } from '../helpers/banner/logos';
import { openSite, type ShopSite } from '../helpers/banner/shop';
import { describeInWebKit, startWebKit, type Visitor, type WebKit } from '../helpers/browser/webkit';
import { decoded } from '../helpers/gpp/decoded';
import { testOf } from '../helpers/site/two-banners';
import { vendor } from '../helpers/site/vendors';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const GPP = {
  ...{ sections: 'us_states', sale: true, sharing: true, targeted_advertising: true, notices: true },
};
const DO_NOT_SELL = 'Do not sell or share my personal information';
const push = (name: string): string => `(window.ran ??= []).push('${name}')`;
const ran = (visitor: Visitor) => visitor.run<string[]>('return window.ran ?? []');

// What sites can switch on; `webkit.test.ts` has what every site has.
describeInWebKit('in WebKitGTK, in the United States', () => {
  let webkit: WebKit;
  let shop: ShopSite;
  let visitor: Visitor;
  beforeAll(async () => {
    shop = await openSite();
    webkit = await startWebKit({ TZ: 'America/Los_Angeles' });
  });
  afterAll(async () => {
    await webkit?.stop();
    await shop?.stop();
  });
  beforeEach(async () => {
    visitor = await webkit.visitor();
  });
  afterEach(() => visitor.close());

  const recordOf = async (count = 1) => {
    const session = await until('a session', () =>
      visitor.run<string | undefined>('return Avow.getConsent()?.session_id'),
    );
    return until('the record', async () => {
      const { items } = await shop.client.listConsents({ token: shop.token, session_id: session });
      return items.length >= count && items[0];
    });
  };

  test('what nobody has marked up waits, however a page makes it, and runs in order when it is allowed', async () => {
    const tracker = `http://tracker.localhost:${new URL(shop.origin).port}`;
    const { snippet_pinned: snippet } = await shop.publish({
      auto_blocking: {
        ...{ enabled: true, unclassified: null },
        rules: [{ place: 'tracker.localhost', category: 'analytics' }],
      },
    });
    shop.set('/film', { snippet: '', body: 'A film' });
    shop.set('/held', {
      snippet,
      head: `<script src="${tracker}/one.js"></script><script>${push('own')}</script>`,
      body: `<h1>Shop</h1><iframe title="Film" src="${tracker}/film"></iframe><script>
        const made = document.createElement('script');
        made.async = false;
        made.src = '${tracker}/made.js';
        document.head.append(made);
        window.pixel = new Image();
        pixel.src = '${tracker}/pixel.svg';
        fetch('${tracker}/sent.js').catch(() => ${push('refused')});
      </script>`,
    });
    const before = shop.asked.length;
    const asked = () => shop.asked.slice(before);
    try {
      await visitor.go(`${shop.origin}/held`);
      await visitor.press('Reject all');
      await visitor.miss('dialog[open]');
      const held = await visitor.run<AvowHeld[]>('return Avow.held()');
      expect(held.map(({ url }) => new URL(url).pathname).sort()).toEqual(
        ['/film', '/made.js', '/one.js', '/pixel.svg', '/sent.js'].sort(),
      );
      // What stands in the page's own HTML may be fetched ahead of any script; what runs and is shown is held.
      for (const path of ['/pixel.svg', '/made.js', '/sent.js']) expect(asked()).not.toContain(path);
      expect(await ran(visitor)).toEqual(expect.arrayContaining(['own']));
      expect(await ran(visitor)).not.toContain('/one.js');
      await visitor.run('Avow.accept()');
      await until('all ran', async () => (await ran(visitor)).includes('/made.js'));
      expect((await ran(visitor)).filter((name) => name.startsWith('/'))).toEqual(['/one.js', '/made.js']);
      await until('the image', async () => asked().includes('/pixel.svg'));
      expect(await visitor.inFrame('iframe', () => visitor.run('return document.body.textContent'))).toBe(
        'A film',
      );
    } finally {
      await shop.publish({ auto_blocking: null });
    }
  });

  test('both versions of an A/B test are shown, and a decision names the one that was seen', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const { hash, snippet_pinned: snippet } = await shop.publish({ banner_test: testOf(settings) });
    try {
      const { config } = await shop.client.getBundleRecord({ token: shop.token, hash });
      const hashes = { a: hash, b: config.test?.b?.hash };
      shop.set('/test', { snippet });
      const seen = new Set<string>();
      for (let views = 0; views < 40 && seen.size < 2; views += 1) {
        await visitor.go(`${shop.origin}/test`);
        await visitor.see('dialog[open]');
        const version = (await visitor.find('dialog.bar')) ? 'b' : 'a';
        if (seen.has(version)) continue;
        seen.add(version);
        await visitor.press('Reject all');
        await visitor.miss('dialog[open]');
        expect(await recordOf()).toMatchObject({ decision: 'reject_all', bundle_hash: hashes[version] });
        await visitor.run('localStorage.clear()');
      }
      expect([...seen].sort()).toEqual(['a', 'b']);
    } finally {
      await shop.publish({ banner_test: null });
    }
  });

  test('a design is applied, with its logo, and both answers look alike', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const { banner } = settings;
    const design = {
      ...{ font: 'serif' as const, font_size: 18, radius: 20, button_radius: 24, parts: true },
      ...{ spacing: 'roomy' as const, elevation: 'high' as const, control_position: 'top_right' as const },
      logo: { image: LOGOS.png, width: 120, height: 40, alt: 'Example shop' },
    };
    const { snippet_pinned: snippet } = await shop.publish({ banner: { ...banner, design } });
    try {
      shop.set('/design', { snippet, head: '<style>avow-banner::part(accept){letter-spacing:3px}</style>' });
      await visitor.go(`${shop.origin}/design`);
      await visitor.see('dialog[open]');
      await visitor.see('canvas', 'Example shop');
      const looks = await visitor.run<string[][]>(`
        const root = document.querySelector('avow-banner').shadowRoot;
        const css = (one, ...names) => names.map((name) => getComputedStyle(one)[name]);
        const [first] = root.querySelectorAll('dialog[open]');
        return [css(first, 'borderTopLeftRadius', 'fontSize'),
          ...[...first.querySelectorAll('.answer')].slice(0, 2).map((one) => css(one, 'borderTopLeftRadius', 'fontFamily', 'backgroundColor', 'color'))]`);
      expect(looks[0]).toEqual(['20px', '18px']);
      expect(looks[1]).toEqual(looks[2]);
      expect(looks[1]?.[0]).toBe('24px');
      await visitor.press('Accept all');
      await visitor.miss('dialog[open]');
      const control = await visitor.see('button', 'Privacy settings');
      const { x, y } = await control.getRect();
      expect([x > 500, y < 200]).toEqual([true, true]);
    } finally {
      await shop.publish({ banner });
    }
  });

  test('a choice by vendor: one of a category is refused, and its script waits', async () => {
    await shop.client.replaceVendors({
      token: shop.token,
      body: { vendors: [vendor(1, 'Counter'), vendor(2, 'Meter')] },
    });
    await shop.publish({ choice_by_vendor: true });
    const blocked = (id: number) =>
      `<script type="text/plain" data-category="analytics" data-vendor="${id}">${push(`vendor ${id}`)}</script>`;
    try {
      shop.set('/vendors', { head: blocked(1) + blocked(2) });
      await visitor.go(`${shop.origin}/vendors`);
      await visitor.press('Settings');
      await visitor.press('Analytics');
      await visitor.press('Meter');
      await visitor.press('Save choice');
      await visitor.miss('dialog[open]');
      await until('it runs', async () => (await ran(visitor)).length > 0);
      expect(await ran(visitor)).toEqual(['vendor 1']);
      expect(await recordOf()).toMatchObject({ vendors: { 1: true, 2: false } });
    } finally {
      await shop.publish({ choice_by_vendor: false });
    }
  });

  test('the IAB’s Global Privacy Platform: the stub answers first, and an objection is in the string and on record', async () => {
    // Rules by region stay: it is the last of the suite.
    const { snippet_pinned: snippet } = await shop.publish({ regions: { rules: 'law' }, gpp: GPP });
    shop.set('/gpp', {
      snippet,
      head: `<script>window.heard = []; __gpp('ping', (data) => { window.early = data.cmpStatus });
          __gpp('addEventListener', (event) => heard.push([event.eventName, event.data]))</script>`,
    });
    await visitor.go(`${shop.origin}/gpp`);
    expect(await visitor.run('return window.early')).toBe('stub');
    const ping = () =>
      visitor.run<{ signalStatus: string; gppString: string }>(
        'let found; __gpp("ping", (data) => { found = data }); return found',
      );
    await until('the signal', async () => (await ping()).signalStatus === 'ready');
    expect(decoded((await ping()).gppString)).toMatchObject({ usnat: { SaleOptOut: 2, SharingOptOut: 2 } });
    await visitor.press(DO_NOT_SELL);
    await until('the objection', async () => {
      const { usnat } = decoded((await ping()).gppString);
      return usnat?.SaleOptOut === 1;
    });
    const { gppString } = await ping();
    expect(await recordOf()).toMatchObject({ region: 'US', rule: 'opt_out', gpp_string: gppString });
    expect(await visitor.run('return heard.map(([name]) => name)')).toContain('sectionChange');
  });
});
