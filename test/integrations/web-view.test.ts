import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../../server/src/config/paths';
import { openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';

jest.setTimeout(60_000);

const BRIDGE = readFileSync(join(ROOT, 'sdk/integrations/webview/bridge.js'), 'utf8');

/** What each kind of app gives its page. */
const APPS = {
  'WKWebView on iOS':
    'window.webkit = { messageHandlers: { avow: { postMessage: (text) => window.heard.push(text) } } };',
  'WebView on Android': 'window.avowApp = { onMessage: (text) => window.heard.push(text) };',
  'React Native': 'window.ReactNativeWebView = { postMessage: (text) => window.heard.push(text) };',
};

interface Message {
  avow: string;
  page: string;
  layer?: string;
  consent?: { decision: string } | null;
}

describeInBrowser('the bridge to an app', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  const heard = (page: Page): Promise<Message[]> =>
    page.evaluate(() => (window as unknown as { heard: string[] }).heard.map((text) => JSON.parse(text)));

  test.each(Object.entries(APPS))('%s hears of each decision and opens the settings', async (_name, app) => {
    const context = await shop.browser.newContext();
    await context.addInitScript(`window.heard = []; ${app} ${BRIDGE}`);
    const page = await shop.visit('/', context);
    await page.getByRole('button', { name: 'Reject all', exact: true }).click();
    await page.waitForFunction(() =>
      (window as unknown as { heard: string[] }).heard.some((text) => text.includes('"hide"')),
    );
    const first = await heard(page);
    expect(first.map(({ avow }) => avow)).toEqual(['ready', 'show', 'consent', 'hide']);
    expect(first[0]).toEqual({ avow: 'ready', page: shop.origin, consent: null });
    expect(first[2]?.consent).toMatchObject({ decision: 'reject_all', categories: { marketing: false } });
    await page.evaluate(() => (window as unknown as { avowOpenSettings(): void }).avowOpenSettings());
    await page.getByRole('switch').first().waitFor();
    expect((await heard(page)).at(-1)).toMatchObject({ avow: 'show', layer: 'settings' });
    // The next page tells the app what holds.
    await page.goto(`${shop.origin}/next`);
    await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.length === 2);
    const next = await heard(page);
    expect(next.map(({ avow, consent }) => [avow, consent?.decision])).toEqual([
      ['ready', 'reject_all'],
      ['consent', 'reject_all'],
    ]);
    await context.close();
  });

  test('in a browser without an app it does nothing', async () => {
    const context = await shop.browser.newContext();
    await context.addInitScript(BRIDGE);
    const page = await shop.visit('/', context);
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.getByRole('button', { name: 'Accept all', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  });
});
