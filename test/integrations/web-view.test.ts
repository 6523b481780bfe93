import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import ts from 'typescript';
import { ROOT } from '../../server/src/config/paths';
import { samplesIn } from '../docs/guide-files';
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
    expect(first[1]).toMatchObject({ avow: 'show', consent: null });
    expect(first[2]?.consent).toMatchObject({ decision: 'reject_all', categories: { marketing: false } });
    await page.evaluate(() => (window as unknown as { avowOpenSettings(): void }).avowOpenSettings());
    await page.getByRole('switch').first().waitFor();
    expect((await heard(page)).at(-1)).toMatchObject({
      ...{ avow: 'show', layer: 'settings', consent: { decision: 'reject_all' } },
    });
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

  /** What the guide's sample for React Native makes of messages: each call of `setStatistics`. */
  function sampleHears(messages: { data: string; url: string }[]): boolean[] {
    const sample = samplesIn('jsx').find(({ code }) => code.includes('setStatistics'))?.code ?? '';
    const { outputText } = ts.transpileModule(`result = ${sample}`, {
      compilerOptions: { jsx: ts.JsxEmit.React, jsxFactory: 'h', target: ts.ScriptTarget.ES2022 },
    });
    const set: boolean[] = [];
    const h = (_: unknown, props: object) => props;
    const code = `let result; ${outputText}; return result;`;
    const { onMessage } = new Function('h', 'WebView', 'bridge', 'setStatistics', code)(
      ...[h, null, '', (is: boolean) => set.push(is)],
    );
    for (const nativeEvent of messages) onMessage({ nativeEvent });
    return set;
  }

  test('what is in force no more is told while the banner asks again, and the guide’s app stops', async () => {
    const { policy_version } = (await shop.client.getEnvironment({ token: shop.token })).settings;
    const context = await shop.browser.newContext();
    await context.addInitScript(`window.heard = []; ${APPS['React Native']} ${BRIDGE}`);
    const page = await shop.visit('/', context);
    await page.getByRole('button', { name: 'Accept all', exact: true }).click();
    await page.waitForFunction(() =>
      (window as unknown as { heard: string[] }).heard.some((text) => text.includes('"hide"')),
    );
    const before = await heard(page);
    await shop.publish({ policy_version: 'after' });
    await page.goto(shop.origin);
    await page.getByRole('dialog').waitFor();
    const after = await heard(page);
    expect(after.map(({ avow, consent }) => [avow, consent])).toEqual([
      ['ready', null],
      ['show', null],
    ]);
    const own = 'https://shop.example.com';
    const sent = [...before, ...after].map((told) => ({ data: JSON.stringify({ ...told, page: own }) }));
    const at = (url: string) => sent.map(({ data }) => ({ data, url }));
    // Nothing while it asks, then the decision; at the end nothing again.
    expect(sampleHears(at(`${own}/`))).toEqual([false, false, true, true, false, false]);
    expect(sampleHears(at('https://shop.example.com.evil.example/'))).toEqual([]);
    const strange = ['hello', '', 'null', '7', '{}', `{"page":"${own}"}`, '{"avow":"consent"}'];
    expect(sampleHears(strange.map((data) => ({ data, url: `${own}/` })))).toEqual([]);
    await shop.publish({ policy_version });
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
