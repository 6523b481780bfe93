import type { BrowserContext, Page, Route } from 'playwright-core';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

type Item = Record<number, unknown> & { event?: string };
interface Seen {
  ran?: string[];
  first?: number;
  dataLayer?: Item[];
}

const push = (name: string): string => `(window.ran ??= []).push('${name}')`;
const blocked = (category: string, rest: string, text = ''): string =>
  `<script type="text/plain" data-category="${category}" ${rest}>${text}</script>`;
const ran = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as Seen).ran ?? []);
/** The commands of Consent Mode so far, each with what it says of analytics. */
const commands = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    ((window as unknown as Seen).dataLayer ?? [])
      .filter((item) => item[0] === 'consent')
      .map((item) => `${item[1]} ${(item[2] as Record<string, string>).analytics_storage}`),
  );
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const painted = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);

describeInBrowser('a page with the stub, whose script comes later', () => {
  let shop: Shop;
  let snippet: string;
  let hash: string;
  /** What does not wait for the snippet's script: frames, images and scripts of each kind, in one order. */
  const head = [
    `<script>window.first = dataLayer.length; ${push('tag')}</script>`,
    blocked('analytics', 'src="/one.js"'),
    blocked('analytics', '', push('inline')),
    blocked('necessary', '', push('necessary')),
    blocked('marketing', '', push('marketing')),
  ].join('');
  const body = `<h1>Shop</h1><p>Fine things.</p><div id="later"></div>
    <iframe title="Film" data-category="analytics" data-src="/film" width="300" height="200"></iframe>
    <img alt="" data-category="analytics" data-src="/pixel.svg" width="9" height="9">
    ${blocked('analytics', 'src="/last.js"')}`;

  beforeAll(async () => {
    shop = await openShop();
    ({ snippet_pinned: snippet, snippet_csp_hash: hash } = await shop.publish());
    shop.set('/late', { snippet, head, body });
    shop.set('/film', { snippet: '', body: 'A film' });
  });
  afterAll(() => shop.stop());

  /** A visitor whose network holds the script back until `arrive` is called; `goto` does not wait for it. */
  const held = async (context?: BrowserContext) => {
    const own = context ?? (await shop.browser.newContext());
    const waiting: Route[] = [];
    let here = false;
    await own.route('**/api/bundles/**', (route) => (here ? route.continue() : void waiting.push(route)));
    const page = await own.newPage();
    page.setDefaultTimeout(10_000);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    const goto = (path: string) => page.goto(shop.origin + path, { waitUntil: 'domcontentloaded' });
    const arrive = async () => {
      here = true;
      for (const route of waiting.splice(0)) await route.continue();
    };
    const fail = async () => {
      await until('it is asked for', () => waiting.length > 0);
      for (const route of waiting.splice(0)) await route.abort();
    };
    return { context: own, page, errors, goto, arrive, fail };
  };
  /** Another script and another frame, as a framework adds them. */
  const addLater = (page: Page) =>
    page.evaluate(
      (markup) => {
        const box = document.querySelector('#later') as HTMLElement;
        box.innerHTML = markup;
        const script = document.createElement('script');
        Object.assign(script.dataset, { category: 'analytics' });
        script.type = 'text/plain';
        script.text = "(window.ran ??= []).push('made')";
        box.append(script);
      },
      blocked('analytics', '', push('innerHTML')),
    );
  const WAITING = ['/one.js', '/last.js', '/film', '/pixel.svg'];
  const askedFor = (from: number): string[] =>
    shop.asked.slice(from).filter((path) => WAITING.includes(path));

  test('is painted, has denied everything first, and lets nothing run before the script is there', async () => {
    const { context, page, goto, arrive } = await held();
    const before = shop.asked.length;
    await goto('/late');
    await until('the page is painted', async () => (await painted(page)) === 1);
    await addLater(page);
    expect(await ran(page)).toEqual(['tag']);
    expect(await commands(page)).toEqual(['default denied']);
    expect(await page.evaluate(() => (window as unknown as Seen).first)).toBe(1);
    const states = await page.evaluate(() => (window as unknown as Seen).dataLayer?.[0]?.[2]);
    expect(states).toEqual({
      ...{ ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' },
      ...{ analytics_storage: 'denied', functionality_storage: 'denied', personalization_storage: 'denied' },
      ...{ security_storage: 'denied', wait_for_update: 2000 },
    });
    await arrive();
    await page.getByRole('dialog').waitFor();
    expect(await ran(page)).toEqual(['tag', 'necessary']);
    expect(await commands(page)).toEqual(['default denied', 'update denied']);
    const granted = await page.evaluate(
      () => (window as unknown as Seen).dataLayer?.[1]?.[2] as Record<string, string>,
    );
    expect(granted).toMatchObject({ security_storage: 'granted', ad_storage: 'denied' });
    expect(askedFor(before)).toEqual([]);
    await press(page, 'Settings');
    await page.getByRole('switch', { name: 'Analytics' }).check();
    await press(page, 'Save choice');
    await until('the last has run', async () => (await ran(page)).includes('/last.js'));
    expect(await ran(page)).toEqual([
      'tag',
      'necessary',
      '/one.js',
      'inline',
      'innerHTML',
      'made',
      '/last.js',
    ]);
    await page.frameLocator('iframe').getByText('A film').waitFor();
    expect(await commands(page)).toEqual(['default denied', 'update denied', 'update granted']);
    await context.close();
  });

  test('the decision of an earlier visit is in force when the script comes, in document order, and adds no element', async () => {
    const { context, page, goto, arrive } = await held();
    await arrive();
    await goto('/late');
    await press(page, 'Accept all');
    await until('all have run', async () => (await ran(page)).includes('/last.js'));
    await page.close();
    await context.unrouteAll();
    const again = await held(context);
    await again.goto('/late');
    await until('the page is painted', async () => (await painted(again.page)) === 1);
    expect(await ran(again.page)).toEqual(['tag']);
    const elements = () =>
      again.page.evaluate(() => document.querySelectorAll('head *, body > :not(avow-banner)').length);
    const count = await elements();
    await again.arrive();
    await until('all have run', async () => (await ran(again.page)).includes('/last.js'));
    expect(await ran(again.page)).toEqual(['tag', '/one.js', 'inline', 'necessary', 'marketing', '/last.js']);
    expect(await commands(again.page)).toEqual(['default denied', 'update granted']);
    expect(await elements()).toBe(count);
    await context.close();
  });

  test.each(['refused', 'silent'])(
    'a script that never comes (%s) releases nothing, on a first visit and after an acceptance, and breaks nothing',
    async (how) => {
      const context = await shop.browser.newContext();
      const first = await shop.visit('/late', context);
      await press(first, 'Accept all');
      await until('all have run', async () => (await ran(first)).includes('/last.js'));
      await first.close();
      for (const visitor of [await shop.browser.newContext(), context]) {
        const { page, errors, goto, fail } = await held(visitor);
        const before = shop.asked.length;
        await goto('/late');
        if (how === 'refused') {
          await fail();
          await page.waitForLoadState('load');
        }
        await until('the page is painted', async () => (await painted(page)) === 1);
        await addLater(page);
        await page.evaluate(() => {
          const calls = window.Avow as unknown as unknown[][];
          calls.push(['on', 'consent', () => undefined], ['show']);
        });
        expect(await ran(page)).toEqual(['tag']);
        expect(await commands(page)).toEqual(['default denied']);
        expect(askedFor(before)).toEqual([]);
        expect(await page.locator('h1').textContent()).toBe('Shop');
        expect(errors).toEqual([]);
        await visitor.close();
      }
    },
  );

  test('calls made before the script has come are done when it comes', async () => {
    shop.set('/calls', {
      snippet,
      head: `<script>
        window.heard = [];
        Avow.push(['on', 'ready', () => heard.push('ready')], ['on', 'consent', ({ decision }) => heard.push(decision)]);
        Avow.push(['accept']);
      </script>`,
    });
    const { context, page, goto, arrive } = await held();
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    await goto('/calls');
    expect(await heard()).toEqual([]);
    await arrive();
    await until('both are heard', async () => (await heard()).length === 2);
    expect((await heard()).sort()).toEqual(['accept_all', 'ready']);
    await context.close();
  });

  test.each([
    ['the stub twice', (pinned: string) => pinned + pinned],
    ['a blocking script before it', (pinned: string, blocking: string) => blocking + pinned],
    ['a blocking script after it', (pinned: string, blocking: string) => pinned + blocking],
    [
      'calls before it',
      (pinned: string) => `<script>(window.Avow ||= []).push(['on','ready',()=>{}])</script>${pinned}`,
    ],
    [
      'an element named Avow',
      (pinned: string) => `${pinned}<form id="Avow"><input name="getConsent"></form>`,
    ],
  ])('%s: one banner, one default', async (_, order) => {
    const { immutable_url } = await shop.publish();
    shop.set('/twice', { snippet: order(snippet, `<script src="${immutable_url}"></script>`) });
    const page = await shop.visit('/twice');
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('avow-banner').count()).toBe(1);
    await press(page, 'Accept all');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await commands(page)).filter((command) => command.startsWith('default'))).toHaveLength(1);
    expect((await commands(page)).at(-1)).toBe('update granted');
    await page.context().close();
  });

  test.each([
    ['the hash', (text: string) => text, () => `script-src '${hash}' ${shop.host}`],
    [
      'a nonce',
      (text: string) => text.replaceAll('<script', '<script nonce="abc"'),
      () => `script-src 'nonce-abc' 'strict-dynamic'`,
    ],
  ])('a policy that trusts no inline script allows the snippet by %s', async (_, change, policy) => {
    shop.set('/policy', {
      snippet: change(snippet),
      body: `<h1>Shop</h1><script>${push('foreign')}</script>`,
      headers: { 'Content-Security-Policy': `${policy()}; style-src 'self'` },
    });
    const context = await shop.browser.newContext();
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    await page.goto(`${shop.origin}/policy`);
    await page.getByRole('dialog').waitFor();
    expect(await commands(page)).toEqual(['default denied', 'update denied']);
    // The page's own inline script is refused, and nothing else.
    expect(await ran(page)).toEqual([]);
    expect(refused).toHaveLength(1);
    await context.close();
  });

  test('without Consent Mode the stub tells Google nothing; turned off later, what it has denied is still updated', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const off = await shop.publish({ banner: { ...settings.banner, google_consent_mode: false } });
    expect(off.snippet_csp_hash).not.toBe(hash);
    shop.set('/off', { snippet: off.snippet_pinned });
    const page = await shop.visit('/off');
    await press(page, 'Accept all');
    expect(await page.evaluate(() => (window as unknown as Seen).dataLayer === undefined)).toBe(true);
    await page.context().close();
    const [stub = ''] = snippet.split('</script>');
    shop.set('/turned-off', {
      snippet: `${stub}</script><script async src="${off.immutable_url}"></script>`,
    });
    const old = await shop.visit('/turned-off');
    await press(old, 'Accept all');
    expect(await commands(old)).toEqual(['default denied', 'update denied', 'update granted']);
    await old.context().close();
    await shop.publish({ banner: settings.banner });
  });
});
