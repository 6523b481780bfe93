import type { Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { code, part, permissions, scenarios } from '../helpers/integrations/tag-manager';

jest.setTimeout(60_000);

const ADDRESS = 'https://consent.example.com/api/bundles/env_0123456789abcdefghijAB.js';

/** Runs the template as its editor does: its sandbox has only what the template asks for by `require`. */
function run(scenario: string, setup: string): Map<string, unknown[][]> {
  const calls = new Map<string, unknown[][]>();
  const mocks = new Map<string, unknown>();
  const api =
    (name: string) =>
    (...args: unknown[]): unknown => {
      calls.set(name, [...(calls.get(name) ?? []), args]);
      const mock = mocks.get(name);
      return typeof mock === 'function' ? mock(...args) : mock;
    };
  mocks.set('makeNumber', Number);
  const runCode = (data: object): void => {
    const all = { ...data, gtmOnSuccess: api('gtmOnSuccess'), gtmOnFailure: api('gtmOnFailure') };
    new Function('require', 'data', code())(api, all);
  };
  const assertApi = (name: string) => ({
    wasCalled: () => expect([name, calls.has(name)]).toEqual([name, true]),
    wasNotCalled: () => expect([name, calls.has(name)]).toEqual([name, false]),
    wasCalledWith: (...args: unknown[]) => expect(calls.get(name)).toContainEqual(args),
  });
  const mock = (name: string, value: unknown): void => void mocks.set(name, value);
  new Function('mock', 'runCode', 'assertApi', `${setup}\n${scenario}`)(mock, runCode, assertApi);
  return calls;
}

describe('the template for Google Tag Manager', () => {
  test.each(scenarios().scenarios)('$name', ({ code: scenario }) => {
    run(scenario, scenarios().setup);
  });

  test('may do what it does, and nothing else', () => {
    const granted = permissions();
    const used = [...code().matchAll(/require\('(\w+)'\)/g)].map(([, name]) => name).sort();
    expect(used).toEqual([
      ...['copyFromWindow', 'createQueue', 'gtagSet', 'injectScript', 'logToConsole', 'makeNumber'],
      ...['setDefaultConsentState', 'setInWindow'],
    ]);
    expect([...granted.keys()]).toEqual([
      ...['access_consent', 'access_globals', 'inject_script', 'write_data_layer', 'logging'],
    ]);
    const types = [...code().matchAll(/^ {2}(\w+): 'denied'/gm)].map(([, type]) => type);
    expect(types).toHaveLength(7);
    expect(granted.get('access_consent')).toEqual({
      consentTypes: types.map((consentType) => ({ consentType, read: false, write: true })),
    });
    expect(granted.get('inject_script')).toEqual({ urls: ['https://*/api/bundles/*'] });
    const keys = (granted.get('access_globals') as { keys: { key: string }[] }).keys.map(({ key }) => key);
    expect(keys).toEqual(['Avow', 'Avow.denied', 'Avow.getConsent']);
  });

  test('takes the addresses that the console shows, and no others', () => {
    const [address] = JSON.parse(part('TEMPLATE_PARAMETERS')) as {
      valueValidators: { type: string; args?: string[] }[];
    }[];
    const pattern = address?.valueValidators.find(({ type }) => type === 'REGEX')?.args?.[0] ?? '$^';
    const fits = (text: string): boolean => new RegExp(`^(?:${pattern})$`).test(text);
    expect([ADDRESS, ADDRESS.replace('.js', `/${'x'.repeat(24)}.js`)].map(fits)).toEqual([true, true]);
    expect(
      [
        'http://a.example/api/bundles/env_0123456789abcdefghijAB.js',
        'https://a.example/x.js',
        `${ADDRESS}?a`,
      ].map(fits),
    ).toEqual([false, false, false]);
  });
});

describeInBrowser('the banner that a tag loads', () => {
  let shop: Shop;
  let url: string;
  beforeAll(async () => {
    shop = await openShop();
    ({ url } = await shop.publish());
    shop.set('/container', { snippet: CONTAINER(url) });
  });
  afterAll(() => shop.stop());

  const consents = (page: Page) =>
    page.evaluate(() =>
      ((window as unknown as { dataLayer?: ArrayLike<unknown>[] }).dataLayer ?? [])
        .map((item) => [...Array.from(item)])
        .filter(([name]) => name === 'consent')
        .map(([, command, states]) => [command, (states as Record<string, string>).analytics_storage]),
    );

  test('denies once, then tells what the visitor decides, on the next page at once', async () => {
    const page = await shop.visit('/container');
    await page.getByRole('button', { name: 'Accept all', exact: true }).waitFor();
    // The banner's own first signal is an update: there is one default.
    expect(await consents(page)).toEqual([
      ['default', 'denied'],
      ['update', 'denied'],
    ]);
    await page.getByRole('button', { name: 'Accept all', exact: true }).click();
    expect((await consents(page)).at(-1)).toEqual(['update', 'granted']);
    expect((await consentOf(page))?.decision).toBe('accept_all');
    await page.reload();
    await page.waitForFunction(() => !Array.isArray((window as unknown as { Avow?: unknown }).Avow));
    expect(await consents(page)).toEqual([
      ['default', 'denied'],
      ['update', 'granted'],
    ]);
  });

  test('does nothing on a page that has the snippet', async () => {
    const { snippet } = await shop.publish();
    shop.set('/both', { snippet: snippet + CONTAINER(url) });
    const page = await shop.visit('/both');
    await page.getByRole('button', { name: 'Accept all', exact: true }).waitFor();
    expect((await consents(page)).filter(([command]) => command === 'default')).toHaveLength(1);
    expect(await page.locator('script[src*="/api/bundles/"]').count()).toBe(1);
  });
});

/** What a container does with the template: its functions, as Google describes them. */
const CONTAINER = (address: string): string => `<script>
  window.dataLayer = window.dataLayer || [];
  function gtag() { dataLayer.push(arguments); }
  const at = (key) => key.split('.').reduce((value, name) => value?.[name], window);
  const apis = {
    copyFromWindow: at,
    createQueue: (key) => { window[key] = window[key] || []; return (item) => window[key].push(item); },
    gtagSet: (values) => gtag('set', values),
    injectScript: (src, ok, failed) => {
      const script = Object.assign(document.createElement('script'), { src, async: true, onload: ok, onerror: failed });
      document.head.append(script);
    },
    logToConsole: () => {},
    makeNumber: Number,
    setDefaultConsentState: (states) => gtag('consent', 'default', states),
    setInWindow: (key, value) => {
      const names = key.split('.');
      const last = names.pop();
      at(names.join('.'))[last] = value;
      return true;
    },
  };
  new Function('require', 'data', ${JSON.stringify(code()).replaceAll('<', '\\u003c')})((name) => apis[name], {
    address: ${JSON.stringify(address)}, wait: 2000, redactAds: true, passUrls: false,
    gtmOnSuccess: () => {}, gtmOnFailure: () => {},
  });
</script>`;
