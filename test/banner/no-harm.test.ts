import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { engine } from '../helpers/browser/engine';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const KIB = 1024;
/** The script with the texts of one language, its styles and settings, compressed. */
const MOST_BYTES = 12 * KIB;

/** Notes what the browser refuses, from before the first script. */
const OBSERVE = () => {
  const violations: string[] = [];
  Object.assign(window, { violations });
  document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(`${event.violatedDirective} ${event.blockedURI}`),
  );
};
const violations = (page: Page) =>
  page.evaluate(() => (window as unknown as { violations: string[] }).violations);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('the size', () => {
  test('the program alone leaves room for texts and settings', () => {
    const runtime = readFileSync(join(__dirname, '../../dist/banner/runtime.js'));
    const size = gzipSync(runtime, { level: 9 }).length;
    console.info(`FIGURE program: ${runtime.length} bytes, ${size} gzip`);
    // The largest language takes 1,489 more, and a usual site’s settings 442.
    expect(size).toBeLessThanOrEqual(MOST_BYTES - 1_489 - 443);
  });
});

describeInBrowser('no harm', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({
      privacy_policy_url: 'https://shop.example.com/privacy',
      imprint_url: 'https://shop.example.com/imprint',
    });
    shop.set('/film', { snippet: '', body: 'A film' });
  });
  afterAll(() => shop.stop());

  test('a bundle with one language travels in at most 12 KB', async () => {
    const { bytes, gzip_bytes, hash } = await shop.publish();
    console.info(`FIGURE bundle ${hash}: ${bytes} bytes, ${gzip_bytes} gzip`);
    expect(gzip_bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  test('before the first paint there is no banner, and nothing is asked of any other host', async () => {
    await shop.publish();
    shop.set('/paint', {
      head: `<script>
        // When the frame's callbacks are over and the next task runs, the frame is out.
        document.addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(() => {
          window.inFirstFrame = document.querySelector('avow-banner') !== null;
        })));
      </script>`,
    });
    const context = await shop.browser.newContext();
    const hosts = new Set<string>();
    context.on('request', (request) => hosts.add(new URL(request.url()).origin));
    const page = await shop.visit('/paint', context);
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(() => (window as unknown as { inFirstFrame: boolean }).inFirstFrame)).toBe(
      false,
    );
    await press(page, 'Accept all');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([...hosts].sort()).toEqual([shop.host, shop.origin].sort());
    await context.close();
  });

  test('a strict Content-Security-Policy and integrity are enough for everything', async () => {
    const { immutable_url, integrity } = await shop.publish();
    const policy = `default-src 'none'; script-src 'self' ${shop.host}; style-src 'self'; connect-src ${shop.host}; frame-src 'self'`;
    shop.set('/strict', {
      snippet: `<script src="${immutable_url}" integrity="${integrity}" crossorigin="anonymous"></script>`,
      body: '<iframe title="Film" data-category="marketing" data-src="/film" width="480" height="270"></iframe><script type="text/plain" data-category="analytics" src="/analytics.js"></script>',
      headers: { 'Content-Security-Policy': policy },
    });
    const context = await shop.browser.newContext();
    await context.addInitScript(OBSERVE);
    const page = await shop.visit('/strict', context);
    const dialog = page.locator('avow-banner dialog');
    expect(await dialog.evaluate((element) => getComputedStyle(element).position)).toBe('fixed');
    await press(page, 'Settings');
    await press(page, 'Accept all');
    await page.frameLocator('iframe').getByText('A film').waitFor();
    await until('the script ran', () => page.evaluate(() => 'ran' in window));
    const session_id = (await consentOf(page))?.session_id as string;
    await until(
      'the decision arrived',
      async () => (await shop.client.listConsents({ token: shop.token, session_id })).items.length === 1,
    );
    expect(await violations(page)).toEqual([]);
    await context.close();
  });

  test('a script that is not what the integrity says does not run', async () => {
    const { immutable_url } = await shop.publish();
    shop.set('/tampered', {
      snippet: `<script src="${immutable_url}" integrity="sha384-${'A'.repeat(64)}" crossorigin="anonymous"></script>`,
    });
    const page = await shop.visit('/tampered');
    expect(await page.evaluate(() => window.Avow === undefined)).toBe(true);
    await page.context().close();
  });

  test('styles reach browsers without constructed style sheets', async () => {
    const context = await shop.browser.newContext();
    await context.addInitScript(() => {
      Reflect.deleteProperty(CSSStyleSheet.prototype, 'replaceSync');
    });
    const page = await shop.visit('/', context);
    const look = await page.locator('avow-banner dialog').evaluate((element) => {
      const { position, borderRadius } = getComputedStyle(element);
      return { position, borderRadius };
    });
    expect(look).toEqual({ position: 'fixed', borderRadius: '12px' });
    await context.close();
  });

  // The hash of nothing: what is inserted is an empty element, whose rules come through the CSSOM.
  const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
  test.each([
    ['stays without them, and works', "'self'", 'absolute', ['style-src-elem inline']],
    ['gets them when it allows an empty style element', `'self' ${EMPTY_STYLE}`, 'fixed', []],
  ])(
    'without constructed style sheets, the banner of a page whose policy forbids inline styles %s',
    async (_, styles, position, refused) => {
      shop.set('/old', { headers: { 'Content-Security-Policy': `style-src ${styles}` } });
      const context = await shop.browser.newContext();
      await context.addInitScript(OBSERVE);
      await context.addInitScript(() => {
        Reflect.deleteProperty(CSSStyleSheet.prototype, 'replaceSync');
      });
      const page = await shop.visit('/old', context);
      const dialog = page.locator('avow-banner dialog');
      expect(await dialog.evaluate((element) => getComputedStyle(element).position)).toBe(position);
      expect(await violations(page)).toEqual(refused);
      await press(page, 'Reject all');
      expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
      await context.close();
    },
  );

  const TYPED = "require-trusted-types-for 'script'";
  const waiting = (rest: string, text = ''): string =>
    `<script type="text/plain" data-category="analytics" ${rest}>${text}</script>`;
  const TYPED_BODY = [
    waiting('src="/a.js" onload="ran.push(\'onload\')"'),
    waiting('data-src="/b.js"'),
    waiting('', "(window.ran ??= []).push('inline')"),
    '<iframe title="Film" data-category="marketing" data-src="/film" width="480" height="270"></iframe>',
  ].join('');
  const DEFAULT = `<script>
    const same = (text) => text;
    trustedTypes.createPolicy('default', { createScript: same, createScriptURL: same });
  </script>`;
  test.each([
    ['alone', TYPED, ''],
    ['and our policy’s name', `${TYPED}; trusted-types avow`, ''],
    ['and a default policy', `${TYPED}; trusted-types default`, DEFAULT],
  ])('with Trusted Types %s, the banner works and released scripts run', async (_, policy, head) => {
    shop.set('/typed', { head, body: TYPED_BODY, headers: { 'Content-Security-Policy': policy } });
    const context = await shop.browser.newContext();
    await context.addInitScript(OBSERVE);
    const page = await shop.visit('/typed', context);
    await press(page, 'Accept all');
    await page.frameLocator('iframe').getByText('A film').waitFor();
    const ran = () => page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
    await until('all have run', async () => (await ran()).length === 4);
    expect(await ran()).toEqual(['/a.js', 'onload', '/b.js', 'inline']);
    expect(await violations(page)).toEqual([]);
    await context.close();
  });

  test('with Trusted Types that allow neither, scripts stay blocked, and everything else works', async () => {
    const policy = `${TYPED}; trusted-types theirs`;
    shop.set('/typed', { body: TYPED_BODY, headers: { 'Content-Security-Policy': policy } });
    const page = await shop.visit('/typed');
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await press(page, 'Accept all');
    await page.frameLocator('iframe').getByText('A film').waitFor();
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each([
    '<p id="Avow">x</p>',
    '<a id="Avow">x</a><a id="Avow" name="getConsent">x</a>',
    '<form id="Avow"><input name="getConsent"></form>',
    '<object id="Avow">x</object><object id="Avow" name="getConsent">x</object>',
  ])(
    'a page that carries the script twice, and elements named like it, gets one banner: %s',
    async (named) => {
      const { immutable_url } = await shop.publish();
      const tag = `<script src="${immutable_url}"></script>`;
      shop.set('/twice', { snippet: '', body: `${named}${tag}${tag}` });
      const page = await shop.visit('/twice');
      await page.getByRole('dialog').waitFor();
      expect(await page.locator('avow-banner').count()).toBe(1);
      expect(await page.getByRole('dialog').count()).toBe(1);
      await press(page, 'Accept all');
      expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
      await page.context().close();
    },
  );

  test('markup of visitors that takes the name of the running script is not asked for the address of the server', async () => {
    const { immutable_url } = await shop.publish();
    const image =
      '<img name="currentScript" data-server="https://evil.invalid" src="https://evil.invalid/x.js">';
    shop.set('/named', { snippet: '', body: `${image}<script src="${immutable_url}"></script>` });
    const context = await shop.browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    await context.route('https://evil.invalid/**', (route) => {
      asked.push(new URL(route.request().url()).pathname);
      return route.abort();
    });
    await page.goto(`${shop.origin}/named`);
    const [decision] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'POST' && !sent.url().includes('impression')),
      press(page, 'Accept all'),
    ]);
    expect(new URL(decision.url()).host).toBe(new URL(immutable_url).host);
    // The image itself, and nothing else.
    expect(asked).toEqual(['/x.js']);
    await context.close();
  });

  test('what the page has dropped is not kept, and is blocked again as long as the page has it', async () => {
    if (engine !== 'chromium') return;
    const image = '<img alt="" data-category="analytics" data-src="/x.svg">';
    shop.set('/views', { body: `<main>${image.repeat(20)}</main>` });
    const page = await shop.visit('/views');
    await press(page, 'Accept all');
    await until('all are loaded', async () => (await page.locator('img[src]').count()) === 20);
    // As an application does that shows another view, and keeps one element for later.
    await page.evaluate(() => {
      const all = [...document.querySelectorAll('img')];
      const kept = all.pop();
      kept?.remove();
      document.querySelector('main')?.remove();
      Object.assign(window, { kept, dropped: all.map((one) => new WeakRef(one)) });
    });
    const devtools = await page.context().newCDPSession(page);
    await until('they are gone', async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      return page.evaluate(() =>
        (window as unknown as { dropped: WeakRef<Element>[] }).dropped.every((one) => !one.deref()),
      );
    });
    await page.evaluate(() => (window.Avow as { reject(): void }).reject());
    const source = () =>
      page.evaluate(() => (window as unknown as { kept: Element }).kept.getAttribute('src'));
    await until('the one that is kept is blocked', async () => (await source()) === null);
    await page.context().close();
  });

  test('a dead server neither blocks the page nor hides the choice', async () => {
    const context = await shop.browser.newContext();
    const page = await context.newPage();
    await page.goto(shop.origin);
    await page.getByRole('dialog').waitFor();
    // Everything of the server but the script itself, which the browser has by now.
    await context.route(`${shop.host}/api/{v,impressions}/**`, (route) => route.abort());
    await context.route(`${shop.host}/api/bundles/*/*/{texts,vendors}/**`, (route) => route.abort());
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.reload();
    await press(page, 'Settings');
    await press(page, 'Reject all');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    expect(errors).toEqual([]);
    await context.close();
  });
});
