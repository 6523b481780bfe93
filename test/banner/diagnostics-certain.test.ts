import type { BrowserContext, Page } from 'playwright-core';
import type { Load } from '../../sdk/banner/src/debug/report';
import { CLIPBOARD, openPanel, panel, reportOf } from '../helpers/banner/diagnostics';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const category = (key: string, required = false) => ({
  key,
  name: key,
  description: `About ${key}.`,
  required,
});
const NECESSARY = category('necessary', true);
const GTAG = 'https://www.googletagmanager.com/gtag/js';
const LIBRARY = 'https://cdn.jsdelivr.net/npm/lib.js';
const CLARITY = 'https://www.clarity.ms/tag/abc';

/** A verdict that accuses is given only where it is certain. */
describeInBrowser('the verdicts of the diagnostics view', () => {
  let shop: Shop;
  let strange: string;

  beforeAll(async () => {
    shop = await openShop();
    strange = `http://strange.localhost:${new URL(shop.origin).port}`;
  });
  afterAll(() => shop?.stop());

  /** A visitor, for whom the hosts of others answer. */
  const visitor = async (): Promise<BrowserContext> => {
    const context = await shop.browser.newContext();
    await context.addInitScript(CLIPBOARD);
    await context.route(/^https:\/\//, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: '',
        headers: { 'Access-Control-Allow-Origin': '*' },
      }),
    );
    return context;
  };
  const open = async (
    one: { head?: string; body?: string; headers?: Record<string, string>; snippet?: string },
    context?: BrowserContext,
  ): Promise<Page> => {
    shop.set('/page', one);
    const page = await shop.visit('/page', context ?? (await visitor()));
    await until('the banner runs', () => page.evaluate(() => !Array.isArray(window.Avow) && !!window.Avow));
    return page;
  };
  const run = (page: Page, work: 'accept' | 'reject') => page.evaluate(`Avow.${work}()`);
  const add = (page: Page, ...sources: string[]) =>
    page.evaluate(
      (all) =>
        Promise.all(
          all.map(
            (src) =>
              new Promise((done) => {
                const script = Object.assign(document.createElement('script'), { src });
                script.onload = script.onerror = done;
                document.head.append(script);
              }),
          ),
        ),
      sources,
    );
  /** Each that was loaded, once so many are seen. */
  const loads = async (page: Page, ...ends: string[]): Promise<Load[]> => {
    const find = async () => {
      const all = (await reportOf(page)).loads;
      return ends.map((end) => all.find(({ url }) => url.endsWith(end)) as Load);
    };
    await until(`${ends} are seen`, async () => (await find()).every(Boolean));
    return find();
  };
  const verdicts = async (page: Page, ...ends: string[]) =>
    (await loads(page, ...ends)).map(({ verdict, categories }) => [verdict, ...categories].join(' '));
  const URLS = [GTAG, CLARITY, LIBRARY] as const;

  test.each([
    [
      'has no category for a class',
      ['analytics', 'marketing'],
      ['allowed analytics', 'allowed analytics', 'unknown'],
    ],
    ['has keys of its own', ['statistics', 'ads'], ['unknown', 'unknown', 'unknown']],
    [
      'has one for libraries',
      ['functional', 'analytics'],
      ['allowed analytics', 'allowed analytics', 'unknown'],
    ],
  ])('a site that %s is not accused of what it has consent for', async (_, keys, expected) => {
    await shop.publish({ categories: [NECESSARY, ...keys.map((key) => category(key))] });
    const page = await open({});
    await run(page, 'accept');
    await add(page, ...URLS);
    await openPanel(page, shop.host);
    expect(await verdicts(page, ...URLS)).toEqual(expected);
    // Libraries pass without consent, too.
    await run(page, 'reject');
    await add(page, `${LIBRARY}2`);
    expect(await verdicts(page, `${LIBRARY}2`)).toEqual(['unknown']);
    await page.context().close();
  });

  test('without the settings, only what the decision itself names is judged', async () => {
    const keys = ['statistics', 'marketing'].map((key) => category(key));
    await shop.publish({ categories: [category('essential', true), ...keys] });
    const policy = `connect-src 'none'`;
    const page = await open({
      headers: { 'Content-Security-Policy': policy },
      head: `<script data-category="essential" src="${strange}/cart.js"></script>`,
    });
    await add(page, GTAG);
    await openPanel(page, shop.host);
    expect((await reportOf(page)).banner).toMatchObject({ bundle: null });
    expect(await verdicts(page, GTAG, '/cart.js')).toEqual(['unclear analytics', 'unclear essential']);
    await run(page, 'reject');
    await add(page, CLARITY, 'https://connect.facebook.net/sdk.js');
    expect(await verdicts(page, CLARITY, '/sdk.js')).toEqual(['unclear analytics', 'refused marketing']);
    await page.context().close();
  });

  test('mark-up counts for whole addresses, and several marks of one only where they agree', async () => {
    await shop.publish({ categories: [NECESSARY, category('analytics'), category('marketing')] });
    const two = `${strange}/two.js`;
    const page = await open({
      head: `<script type="text/plain" data-category="analytics" data-src="${GTAG}?id=G-1"></script>
        <script type="text/plain" data-category="marketing" data-src="${GTAG}?id=AW-2"></script>
        <script type="text/plain" data-category="analytics" data-src="${two}#a"></script>
        <script type="text/plain" data-category="marketing" data-src="${two}"></script>
        <script type="text/plain" data-category="necessary" data-src="${CLARITY}?id=2"></script>`,
    });
    await add(page, `${CLARITY}?id=1`);
    await page.evaluate(() => (window.Avow as { save(all: object): void }).save({ analytics: true }));
    await openPanel(page, shop.host);
    expect(await verdicts(page, GTAG, two)).toEqual(['allowed analytics', 'unclear analytics marketing']);
    const found = (await reportOf(page)).loads.filter(({ url }) => url === CLARITY);
    expect(found.map(({ verdict }) => verdict).sort()).toEqual(['before', 'free']);
    expect(JSON.stringify(await reportOf(page))).not.toMatch(/G-1|AW-2|id=/);
    await page.context().close();
  });

  test('mark-up is what the banner takes, by keys that the site has', async () => {
    await shop.publish({ categories: [NECESSARY, category('analytics'), category('marketing')] });
    const page = await open({
      body: `<img alt="" src="${strange}/shoe.svg" data-category="shoes"><img alt="" src="${strange}/ad.svg" data-category="marketing">
        <img alt="" src="${strange}/dots.svg" data-src="${strange}/real.svg" data-category="marketing">
        <script src="${strange}/shoes.js" data-category="shoes"></script>
        <script src="${strange}/forgotten.js" data-category="marketing"></script>`,
    });
    await openPanel(page, shop.host);
    const names = ['/shoe.svg', '/ad.svg', '/dots.svg', '/shoes.js', '/forgotten.js'];
    expect(await verdicts(page, ...names)).toEqual([
      ...['unknown', 'unknown', 'unknown', 'unknown', 'before marketing'],
    ]);
    await run(page, 'accept');
    expect(await verdicts(page, '/real.svg')).toEqual(['allowed marketing']);
    await page.context().close();
  });

  test('without a data layer, what an earlier decision allowed is not called loaded before consent', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const off = { banner: { ...settings.banner, google_consent_mode: false } };
    await shop.publish({ ...off, categories: [NECESSARY, category('analytics'), category('marketing')] });
    const context = await visitor();
    const first = await open({}, context);
    await run(first, 'accept');
    await first.close();
    const page = await open({}, context);
    await add(page, GTAG);
    await openPanel(page, shop.host);
    expect(await verdicts(page, GTAG)).toEqual(['allowed analytics']);
    await run(page, 'reject');
    await add(page, CLARITY);
    expect(await verdicts(page, GTAG, CLARITY)).toEqual(['allowed analytics', 'refused analytics']);
    await page.close();
    // Opened after another decision on the page: nobody knows what was there at first.
    const late = await open({}, context);
    await add(late, GTAG);
    await run(late, 'accept');
    await openPanel(late, shop.host);
    expect(await verdicts(late, GTAG)).toEqual(['unclear analytics']);
    await context.close();
    await shop.publish({ banner: settings.banner });
  });

  test('what a page writes badly takes nothing else with it, and sessions in paths stay on the page', async () => {
    const page = await open({
      head: `<script>
          (window.dataLayer ??= []).push({ 0: 'consent', 1: 'default', 2: { region: [Object.create(null), 'DE'] } });
          dataLayer.push({ event: 'avow:change', avow: { granted: [Object.create(null)], withdrawn: { slice: 1 } } });
        </script>`,
      body: `<iframe title="Film" data-category="marketing" data-src="https://"></iframe>
        <script src="${strange}/shop.js;jsessionid=SECRET"></script><script src="${strange}/b.js%3Bsid=SECRET"></script>`,
    });
    await openPanel(page, shop.host);
    await loads(page, '/shop.js', '/b.js');
    const report = await reportOf(page);
    expect(JSON.stringify(report)).not.toContain('SECRET');
    expect(report.held).toMatchObject([{ kind: 'iframe', url: '', categories: ['marketing'] }]);
    expect(report.layer).toEqual(
      expect.arrayContaining([expect.objectContaining({ what: 'consent default', more: { region: 'DE' } })]),
    );
    await panel(page).getByText('Waiting now').waitFor();
    await page.context().close();
  });

  test('where the banner comes by the site’s own host, what is marked up there is listed', async () => {
    await shop.publish({ categories: [NECESSARY, category('analytics'), category('marketing')] });
    const context = await visitor();
    await context.route(`${shop.origin}/privacy/**`, async (route) => {
      const url = route.request().url().replace(`${shop.origin}/privacy`, shop.host);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    const bundle = await shop.client.generateBundle({ token: shop.token, body: {} });
    const own = bundle.immutable_url.replace(shop.host, `${shop.origin}/privacy`);
    const page = await open(
      {
        snippet: `<script src="${own}"></script>`,
        head: `<script type="text/plain" data-category="analytics" data-src="/own.js"></script>
          <script src="/plain.js"></script>`,
      },
      context,
    );
    await run(page, 'accept');
    await openPanel(page, `${shop.origin}/privacy`);
    expect(await verdicts(page, `${shop.origin}/own.js`)).toEqual(['allowed analytics']);
    const listed = (await reportOf(page)).loads.map(({ url }) => url);
    expect(listed.filter((url) => url.startsWith(shop.origin))).toEqual([`${shop.origin}/own.js`]);
    await context.close();
  });
});
