import type { BrowserContext, Page } from 'playwright-core';
import { readReport } from '../../server/console/src/pages/diagnostics/read-report';
import { CLIPBOARD, openPanel, panel, reportOf } from '../helpers/banner/diagnostics';
import { AXE, picture, violations } from '../helpers/banner/looks';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describeInBrowser('the diagnostics view', () => {
  let shop: Shop;
  let snippet: string;
  let ads: string;
  let tracker: string;
  let strange: string;

  beforeAll(async () => {
    shop = await openShop();
    const port = new URL(shop.origin).port;
    const at = (name: string): string => `http://${name}.localhost:${port}`;
    [ads, tracker, strange] = ['ads', 'tracker', 'strange'].map(at) as [string, string, string];
    const bundle = await shop.publish({
      auto_blocking: {
        enabled: true,
        unclassified: null,
        rules: [
          { place: 'tracker.localhost', category: 'analytics' },
          { place: 'ads.localhost', category: 'marketing' },
          { place: 'tracker.localhost/free/', category: null },
        ],
      },
    });
    snippet = bundle.snippet_pinned;
  });
  afterAll(() => shop?.stop());

  const open = async (
    one: { head?: string; body?: string; headers?: Record<string, string>; snippet?: string },
    context?: BrowserContext,
  ): Promise<Page> => {
    shop.set('/page', { snippet, ...one });
    const own = context ?? (await shop.browser.newContext());
    await own.addInitScript(CLIPBOARD);
    const page = await shop.visit('/page?person=secret#secret', own);
    await until('the banner runs', () => page.evaluate(() => !Array.isArray(window.Avow) && !!window.Avow));
    return page;
  };
  const start = (page: Page) => openPanel(page, shop.host);
  const report = reportOf;
  const loads = async (page: Page) =>
    (await report(page)).loads.map(({ url, kind, categories, by, verdict }) => [
      new URL(url).host.split('.')[0] + new URL(url).pathname,
      kind,
      categories.join(' '),
      by,
      verdict,
    ]);
  const loaded = (page: Page, path: string) =>
    until(`${path} is seen`, async () => (await loads(page)).some(([url]) => url?.endsWith(path)));

  test('says what was loaded before consent, what after it, and what still waits', async () => {
    const page = await open({
      // Held too late: it was there before the snippet.
      snippet: `<script src="${ads}/early.js"></script>${snippet}`,
      head: `<script src="${tracker}/count.js?id=secret"></script><script src="${tracker}/free/lib.js"></script>
        <script src="${strange}/what.js"></script>
        <script type="text/plain" data-category="marketing" src="/own-ads.js"></script>
        <script type="text/plain" data-category="marketing">window.inline = true</script>`,
      body: `<h1>Shop</h1><iframe title="Film" data-category="marketing" data-src="${strange}/film"></iframe>`,
    });
    await start(page);
    await loaded(page, '/early.js');
    await loaded(page, '/what.js');
    const before = await report(page);
    expect(before.states).toMatchObject([
      { ms: 0, decision: null, categories: { necessary: true, analytics: false, marketing: false } },
    ]);
    expect(await loads(page)).toEqual(
      expect.arrayContaining([
        ['ads/early.js', 'script', 'marketing', 'rule', 'before'],
        ['tracker/free/lib.js', 'script', '', 'rule', 'passed'],
        ['strange/what.js', 'script', '', 'nobody', 'unknown'],
      ]),
    );
    expect(before.held).toEqual(
      expect.arrayContaining([
        { kind: 'script', url: `${tracker}/count.js`, categories: ['analytics'], by: 'rule' },
        { kind: 'script', url: `${shop.origin}/own-ads.js`, categories: ['marketing'], by: 'markup' },
        { kind: 'script', url: '', categories: ['marketing'], by: 'markup' },
        { kind: 'iframe', url: `${strange}/film`, categories: ['marketing'], by: 'markup' },
      ]),
    );
    // One category alone: what waits for the others goes on waiting.
    await page.evaluate(() => (window.Avow as { save(all: object): void }).save({ marketing: true }));
    await loaded(page, '/own-ads.js');
    await loaded(page, '/film');
    const after = await report(page);
    expect(after.states.map(({ decision, method, earlier }) => [decision, method, earlier])).toEqual([
      [null, null, false],
      ['save_preferences', 'api', false],
    ]);
    const made = after.states[1]?.ms as number;
    const timed = (name: string) => after.loads.find(({ url }) => url.endsWith(name));
    expect(timed('/early.js')).toMatchObject({ verdict: 'before' });
    expect(timed('/early.js')?.ms).toBeLessThan(made);
    expect(timed('/own-ads.js')).toMatchObject({ verdict: 'allowed', by: 'markup' });
    expect(timed('/film')).toMatchObject({ verdict: 'allowed', by: 'markup', kind: 'iframe' });
    expect(after.held.map(({ url }) => url)).toEqual([`${tracker}/count.js`]);
    expect(
      await panel(page)
        .getByRole('row', { name: /early\.js/ })
        .innerText(),
    ).toContain('Loaded before consent');
    // No query, no fragment, and nobody's session.
    const text = JSON.stringify(after);
    // The console takes all of it as it is.
    expect(readReport(text)).toEqual(after);
    expect(text).not.toContain('secret');
    const session = await page.evaluate(
      () => (window.Avow as { getConsent(): { session_id: string } | null }).getConsent()?.session_id,
    );
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    expect(text).not.toContain(session);
    await page.context().close();
  });

  test('opened late, it tells what was decided on this page view, and what was before it', async () => {
    const late = `<script>
      window.load = (source) => document.head.append(Object.assign(document.createElement('script'), { src: source }));
      window.after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    </script>`;
    const page = await open({ head: late });
    await page.evaluate(`(async () => {
      load('${strange}/_before.js');
      await after(50);
      Avow.accept();
      await after(50);
      load('${ads}/wanted.js');
      await after(50);
      Avow.reject();
      await after(50);
      // What no rule can hold: another host's script by an import.
      await import('${ads}/unwanted.js').catch(() => undefined);
    })()`);
    await start(page);
    await loaded(page, '/unwanted.js');
    const { states } = await report(page);
    expect(states.map(({ decision }) => decision)).toEqual([null, 'accept_all', 'reject_all']);
    const found = Object.fromEntries((await loads(page)).map(([url, , , , verdict]) => [url, verdict]));
    expect(found).toMatchObject({ 'ads/wanted.js': 'allowed', 'ads/unwanted.js': 'refused' });
    // On the next view the refusal was there from the beginning.
    await page.goto(`${shop.origin}/page`);
    await page.evaluate(`import('${ads}/unwanted.js').catch(() => undefined)`);
    await start(page);
    await loaded(page, '/unwanted.js');
    const next = await report(page);
    expect(next.states).toMatchObject([{ ms: 0, earlier: true, decision: 'reject_all' }]);
    expect(next.now.kept).toEqual(['local_storage']);
    expect(next.loads.find(({ url }) => url.endsWith('/unwanted.js'))?.verdict).toBe('refused');
    await page.context().close();
  });

  test('shows the order of Consent Mode, and a tag that came ahead of it', async () => {
    const gtag = `function gtag(){(window.dataLayer ??= []).push(arguments)}`;
    const good = await open({
      head: `<script>${gtag};gtag('js', new Date());gtag('config', 'G-TEST')</script>`,
    });
    await start(good);
    // By mouse: the panel does not lie over the banner.
    await press(good, 'Accept all');
    const { layer } = await report(good);
    const commands = layer.filter(({ what }) => /^(consent|js|config)/.test(what));
    expect(commands.map(({ what }) => what)).toEqual([
      'consent default',
      'js',
      'config G-TEST',
      'consent update',
      'consent update',
    ]);
    expect(commands[0]?.more).toMatchObject({ ad_storage: 'denied', wait_for_update: '2000' });
    expect(commands.at(-1)?.more).toMatchObject({ ad_storage: 'granted' });
    expect(layer.map(({ n }) => n)).toEqual([...layer.map(({ n }) => n)].sort((a, b) => a - b));
    const ahead = 'A tag of Google was told something before the default of Consent Mode';
    expect(await panel(good).getByText(ahead).count()).toBe(0);
    await good.context().close();
    const late = await open({ snippet: `<script>${gtag};gtag('config', 'G-TEST')</script>${snippet}` });
    await start(late);
    await panel(late).getByText(ahead).waitFor();
    await late.context().close();
  });

  test('shows what was told to Microsoft', async () => {
    const page = await open({
      head: `<script>
        window.uetq = []; uetq.push('consent', 'default', { ad_storage: 'denied' });
        window.clarity = function () { (clarity.q ??= []).push(arguments) };
        clarity('consentv2', { ad_Storage: 'denied', analytics_Storage: 'granted' });
      </script>`,
    });
    await start(page);
    expect((await report(page)).signals).toEqual([
      { to: 'Microsoft Advertising (UET)', what: 'consent default ad_storage denied' },
      { to: 'Microsoft Clarity', what: 'consentv2 ad_Storage denied, analytics_Storage granted' },
    ]);
    await page.context().close();
  });

  test('works by keyboard, closes, comes back, and has no fault that axe finds', async () => {
    const page = await open({ body: '<main><h1>Shop</h1><button id="first">Buy</button></main>' });
    await page.locator('#first').focus();
    await start(page);
    await page.keyboard.press('Escape');
    expect(await panel(page).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('first');
    // Its own keys are not the page's.
    await page.evaluate(() => {
      document.addEventListener('keydown', () => {
        (window as unknown as { heard: boolean }).heard = true;
      });
      (window as unknown as { avowDebug(): void }).avowDebug();
    });
    await panel(page).waitFor();
    const active = () =>
      page.evaluate(() => {
        const inside = document.activeElement?.shadowRoot?.activeElement;
        return inside?.getAttribute('aria-label') ?? inside?.textContent?.slice(0, 20);
      });
    const stops: (string | undefined)[] = [];
    for (let stop = 0; stop < 5; stop += 1) {
      await page.keyboard.press('Tab');
      stops.push(await active());
    }
    expect(stops).toEqual(['Move', 'Refresh', 'Copy report', 'Close', 'What was found']);
    expect(await page.evaluate(() => 'heard' in window)).toBe(false);
    await page.addScriptTag({ path: AXE });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
      await picture(page, `diagnostics-${colorScheme}.png`);
    }
    const top = () => panel(page).evaluate((one) => one.getBoundingClientRect().top);
    expect(await top()).toBe(0);
    await panel(page).getByRole('button', { name: 'Move' }).click();
    expect(await top()).toBeGreaterThan(0);
    await panel(page).getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Enter');
    expect(await panel(page).count()).toBe(0);
    // The banner is there as before.
    await press(page, 'Accept all');
    await page.context().close();
  });

  test('can be used over a modal dialog, and lets go of it', async () => {
    const page = await open({});
    await page.evaluate(() => (window.Avow as { show(layer: string): void }).show('settings'));
    await page.getByRole('dialog', { name: 'Privacy settings' }).waitFor();
    await start(page);
    await page.keyboard.press('Escape');
    await press(page, 'Save choice');
    await page.context().close();
  });

  test('a strict policy that allows the banner allows the view', async () => {
    const bundle = await shop.publish();
    const policy = `default-src 'none'; script-src '${bundle.snippet_csp_hash}' ${shop.host}; connect-src ${shop.host}`;
    const page = await open({
      snippet: bundle.snippet,
      headers: {
        'Content-Security-Policy': `${policy}; require-trusted-types-for 'script'; trusted-types avow`,
      },
    });
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    await start(page);
    expect(await panel(page).evaluate((one) => getComputedStyle(one).position)).toBe('fixed');
    expect(refused).toEqual([]);
    await page.context().close();
  });

  test('nothing of a page becomes markup, and much of it is cut and said so', async () => {
    const page = await open({
      head: `<script>
        window.dataLayer ??= [];
        dataLayer.push({ 0: 'config', 1: '<img src=x onerror="window.bad = true">' });
        dataLayer.push({ event: 'avow:consent', get avow() { throw new Error('trap') } });
        for (let at = 0; at < 6000; at += 1) dataLayer.push({ event: 'own' });
        for (let at = 0; at < 300; at += 1) new Image().src = '${strange}/' + at + '.svg';
      </script>`,
    });
    await start(page);
    await panel(page).getByText('<img src=x onerror').waitFor();
    expect(await page.evaluate(() => 'bad' in window)).toBe(false);
    expect((await report(page)).cut).toEqual(
      expect.arrayContaining(['Entries of the data layer after the first 5000']),
    );
    await page.context().close();
  });

  test('visitors load nothing of it, and it stores nothing', async () => {
    const page = await open({});
    const names = () =>
      page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie]);
    expect(await page.evaluate(() => 'avowDebug' in window)).toBe(false);
    const before = await names();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await start(page);
    expect(await names()).toEqual(before);
    // What a shown banner counts is not the view's.
    const own = sent.filter((one) => !one.includes('/impressions/'));
    expect(new Set(own.map((one) => one.replace(/bundles\/.*/, 'bundles/')))).toEqual(
      new Set(['GET /debug.js', 'GET /api/bundles/']),
    );
    await page.context().close();
  });
});
