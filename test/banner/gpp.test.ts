import type { BrowserContext, Page } from 'playwright-core';
import { memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { decoded } from '../helpers/gpp/decoded';
import { call, events, FRAME, from, heard, ping, REGION_VARIABLES, VENDOR } from '../helpers/gpp/vendor';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const DO_NOT_SELL = 'Do not sell or share my personal information';
const GPP = { sections: 'us_states', sale: true, sharing: true, targeted_advertising: true, notices: true };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const withGpc = (context: BrowserContext) =>
  context.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true }));
/** Waits until vendors have been told that they need not wait. */
const ready = (page: Page) =>
  until('the signal', async () => {
    const signals = (await events(page)).filter(([event]) => event === 'signalStatus');
    return signals.at(-1)?.[1] === 'ready';
  });
const visible = (page: Page) =>
  until('the layer', async () => (await events(page)).at(-1)?.join() === 'cmpDisplayStatus,visible');

describeInBrowser('the IAB’s Global Privacy Platform', () => {
  let shop: Shop;
  beforeAll(async () => {
    const settings = {
      regions: { rules: 'law' },
      gpp: GPP,
      privacy_policy_url: 'https://shop.example/privacy',
    };
    shop = await openShop(settings, REGION_VARIABLES);
    await show();
  });
  afterAll(() => shop?.stop());

  /** The page with the snippet as an owner gets it, for the bundle of these settings. */
  async function show(settings?: object): Promise<void> {
    const { snippet_pinned: snippet } = await shop.publish(settings);
    shop.set('/', { snippet, head: VENDOR });
    shop.set('/with-frame', {
      snippet,
      body: `<h1>Shop</h1><iframe title="Advert" src="${shop.elsewhere}/frame"></iframe>`,
    });
    shop.set('/frame', { snippet: FRAME, body: '<p>Advert</p>' });
  }

  const visitFrom = async (country: string, state?: string, path = '/'): Promise<Page> =>
    shop.visit(path, await from(shop.browser, country, state));
  const recordOf = (page: Page, count = 1) =>
    until('the record', async () => {
      const session = (await memoryOf(page, shop.token))?.session_id;
      const { items } = await shop.client.listConsents({ token: shop.token });
      const own = items.filter(({ session_id }) => session_id === session);
      return own.length >= count && own[0];
    });

  test('the stub answers ahead of the script, and who listened then hears what the script says', async () => {
    const page = await visitFrom('US', 'CA');
    await ready(page);
    const [first, registered, early, loaded, signal] = await heard(page);
    expect(first).toEqual(['ping', 'stub', 'not ready', true]);
    expect(registered?.slice(0, 5)).toEqual(['listenerRegistered', true, 'not ready', true, '']);
    expect(early).toEqual(['early', null]);
    expect(loaded?.slice(0, 5)).toEqual(['cmpStatus', 'loaded', 'not ready', true, '']);
    expect(signal?.slice(0, 4)).toEqual(['signalStatus', 'ready', 'ready', true]);
    // The id by which it listens is the one that the stub gave.
    expect(new Set([registered?.[5], loaded?.[5], signal?.[5]])).toEqual(new Set([expect.any(Number)]));
    expect(decoded(signal?.[4] ?? '')).toEqual({ usca: expect.objectContaining({ SaleOptOut: 2 }) });
    await page.context().close();
  });

  test('before a decision the string says that notice was given and nobody has opted out', async () => {
    const page = await visitFrom('US', 'CA');
    await ready(page);
    const { gppString, parsedSections, ...status } = await ping(page);
    expect(status).toEqual({
      gppVersion: '1.1',
      cmpStatus: 'loaded',
      cmpDisplayStatus: expect.stringMatching(/^(hidden|visible)$/),
      signalStatus: 'ready',
      supportedAPIs: expect.arrayContaining(['7:usnat', '8:usca', '23:usmn']),
      cmpId: 1,
      sectionList: [8],
      applicableSections: [8],
    });
    const { usca } = decoded(gppString);
    expect(usca).toMatchObject({
      ...{ SaleOptOutNotice: 1, SharingOptOutNotice: 1, SaleOptOut: 2, SharingOptOut: 2, Gpc: false },
      ...{ MspaCoveredTransaction: 2, MspaOptOutOptionMode: 0, MspaServiceProviderMode: 0 },
      ...{ SensitiveDataProcessing: new Array(9).fill(0), KnownChildSensitiveDataConsents: [0, 0] },
    });
    const [core] = (parsedSections as { usca: object[] }).usca;
    expect(usca).toMatchObject(core as object);
    await button(page, DO_NOT_SELL).waitFor();
    expect((await ping(page)).cmpDisplayStatus).toBe('visible');
    await page.context().close();
  });

  test('the commands of the CMP API', async () => {
    const page = await visitFrom('US', 'CA');
    await ready(page);
    expect(await call(page, 'hasSection', 'usca')).toEqual([true, true]);
    expect(await call(page, 'hasSection', 'usnat')).toEqual([false, true]);
    expect(await call(page, 'hasSection', 'constructor')).toEqual([false, true]);
    expect(await call(page, 'getSection', 'usca')).toEqual([
      [expect.objectContaining({ Version: 1, SaleOptOut: 2 }), { SubsectionType: 1, Gpc: false }],
      true,
    ]);
    expect(await call(page, 'getSection', 'usnat')).toEqual([null, true]);
    expect(await call(page, 'getField', 'usca.SharingOptOutNotice')).toEqual([1, true]);
    expect(await call(page, 'getField', 'usca.Gpc')).toEqual([false, true]);
    for (const path of ['usca.Nothing', 'usca.toString', 'usca', 'usnat.SaleOptOut'])
      expect(await call(page, 'getField', path)).toEqual([null, true]);
    // It is no more since 1.1, and what all objects have is no command.
    for (const command of ['getGPPData', 'toString', 'unknown'])
      expect(await call(page, command)).toEqual([null, false]);
    const id = (await heard(page))[1]?.[5];
    expect(await call(page, 'removeEventListener', 12)).toEqual([
      expect.objectContaining({ eventName: 'listenerRemoved', data: false }),
      true,
    ]);
    expect(await call(page, 'removeEventListener', id)).toEqual([
      expect.objectContaining({ eventName: 'listenerRemoved', listenerId: id, data: true }),
      true,
    ]);
    const before = (await heard(page)).length;
    await button(page, DO_NOT_SELL).click();
    await recordOf(page);
    expect(await heard(page)).toHaveLength(before);
    await page.context().close();
  });

  test('whoever objects has opted out, vendors hear it in order, and the record has the string', async () => {
    const page = await visitFrom('US', 'CA');
    await button(page, DO_NOT_SELL).click();
    const record = await recordOf(page);
    await ready(page);
    expect((await events(page)).slice(4)).toEqual([
      ['signalStatus', 'ready'],
      ['cmpDisplayStatus', 'visible'],
      ['signalStatus', 'not ready'],
      ['sectionChange', 'usca'],
      ['cmpDisplayStatus', 'hidden'],
      ['signalStatus', 'ready'],
    ]);
    expect(decoded(record.gpp_string ?? '').usca).toMatchObject({
      SaleOptOut: 1,
      SharingOptOut: 1,
      Gpc: false,
    });
    expect(record).toMatchObject({ decision: 'reject_all', region: 'US-CA', rule: 'opt_out' });
    expect((await ping(page)).gppString).toBe(record.gpp_string);
    // Another visit: it is in force from the start.
    await page.reload();
    await ready(page);
    expect((await events(page)).slice(3)).toEqual([
      ['cmpStatus', 'loaded'],
      ['signalStatus', 'ready'],
    ]);
    expect((await ping(page)).gppString).toBe(record.gpp_string);
    await page.context().close();
  });

  test('another decision changes the section, and vendors wait while the settings are open', async () => {
    const page = await visitFrom('US', 'CA');
    await button(page, DO_NOT_SELL).click();
    await recordOf(page);
    await ready(page);
    const before = (await events(page)).length;
    await page.locator('.control').click();
    await button(page, 'Accept all').click();
    const record = await recordOf(page, 2);
    await ready(page);
    expect((await events(page)).slice(before)).toEqual([
      ['signalStatus', 'not ready'],
      ['cmpDisplayStatus', 'visible'],
      ['sectionChange', 'usca'],
      ['cmpDisplayStatus', 'hidden'],
      ['signalStatus', 'ready'],
    ]);
    expect(decoded(record.gpp_string ?? '').usca).toMatchObject({ SaleOptOut: 2, SharingOptOut: 2 });
    // Closed without a change, nothing has changed.
    await page.locator('.control').click();
    await visible(page);
    await page.keyboard.press('Escape');
    await ready(page);
    expect((await events(page)).slice(before + 5).map(([event]) => event)).toEqual([
      ...['signalStatus', 'cmpDisplayStatus', 'cmpDisplayStatus', 'signalStatus'],
    ]);
    await page.context().close();
  });

  test('an objection in another tab is heard in this one', async () => {
    const page = await visitFrom('US', 'CA');
    await button(page, DO_NOT_SELL).waitFor();
    const other = await shop.visit('/', page.context());
    await button(other, DO_NOT_SELL).click();
    await until('the change', async () => (await events(page)).some(([event]) => event === 'sectionChange'));
    await ready(page);
    expect(decoded((await ping(page)).gppString).usca).toMatchObject({ SaleOptOut: 1 });
    await page.context().close();
  });

  test('Global Privacy Control opts out by itself, and the string says who did', async () => {
    const context = await from(shop.browser, 'US', 'CA');
    await withGpc(context);
    const page = await shop.visit('/', context);
    const record = await recordOf(page);
    expect(record).toMatchObject({ method: 'gpc', decision: 'reject_all' });
    expect(decoded(record.gpp_string ?? '').usca).toMatchObject({
      SaleOptOut: 1,
      SharingOptOut: 1,
      Gpc: true,
    });
    // From the first moment that vendors could read it.
    const texts = (await heard(page))
      .filter(([, , signal]) => signal === 'ready')
      .map(([, , , , text]) => text);
    for (const text of texts) expect(decoded(text ?? '').usca).toMatchObject({ SaleOptOut: 1, Gpc: true });
    expect(texts.length).toBeGreaterThan(0);
    await context.close();
  });

  test('a visitor of the Union has no section, and vendors need not wait', async () => {
    const page = await visitFrom('DE');
    await ready(page);
    expect(await ping(page)).toMatchObject({
      applicableSections: [-1],
      sectionList: [],
      gppString: 'DBAA',
      cmpDisplayStatus: 'disabled',
      parsedSections: {},
    });
    await button(page, 'Accept all').click();
    expect(await recordOf(page)).not.toHaveProperty('gpp_string');
    expect((await events(page)).map(([event]) => event)).not.toContain('sectionChange');
    await page.context().close();
  });

  test.each([
    ['VA', 'usva', 9],
    ['TX', 'ustx', 16],
    ['NJ', 'usnj', 21],
    // Without a section of its own, without an act, and where the state is not known.
    ['MD', 'usnat', 7],
    ['NY', 'usnat', 7],
    [undefined, 'usnat', 7],
  ])('a visitor of %s has the section %s', async (state, name, id) => {
    const page = await visitFrom('US', state);
    await ready(page);
    const { applicableSections, gppString } = await ping(page);
    expect(applicableSections).toEqual([id]);
    expect(Object.keys(decoded(gppString))).toEqual([name]);
    await page.evaluate(() => (window.Avow as unknown as { reject(): void }).reject());
    const { gpp_string = '' } = await recordOf(page);
    expect(decoded(gpp_string)[name]).toMatchObject({ SaleOptOut: 1, TargetedAdvertisingOptOut: 1 });
    await page.context().close();
  });

  test('a vendor in a frame of another site finds it, and is answered in kind', async () => {
    const page = await visitFrom('US', 'CA', '/with-frame');
    const frame = await until('the frame', async () =>
      page.frames().find((one) => one.url().endsWith('/frame')),
    );
    type Answer = [
      string,
      { returnValue: Record<string, unknown> | null; success: boolean; callId: unknown },
    ];
    const answers = (): Promise<Answer[]> =>
      frame.evaluate(() => (window as unknown as { answers: Answer[] }).answers);
    const all = await until('the signal', async () => {
      const found = await answers();
      return found.some(([, one]) => one.callId === 'u') && found.length >= 3 && found;
    });
    expect(all.find(([, one]) => one.callId === 'u')).toEqual([
      'object',
      { returnValue: null, success: false, callId: 'u' },
    ]);
    const text = all.find(([kind]) => kind === 'string')?.[1];
    expect(text).toMatchObject({ success: true, callId: 7, returnValue: { gppVersion: '1.1' } });
    await button(page, DO_NOT_SELL).click();
    const changed = await until('the change', async () =>
      (await answers()).find(([, one]) => one.returnValue?.eventName === 'sectionChange'),
    );
    expect(changed).toMatchObject(['object', { success: true, callId: 'a', returnValue: { data: 'usca' } }]);
    await page.context().close();
  });

  test('each of the three follows its own categories; what the site does not do, and the MSPA, are said', async () => {
    await show({
      gpp: {
        ...{ sections: 'us_national', sale: false, sharing: true, targeted_advertising: true, notices: true },
        ...{ categories: { targeted_advertising: ['marketing'] }, mspa: 'opt_out_option' },
      },
    });
    try {
      const page = await visitFrom('US', 'CA');
      await ready(page);
      await page.evaluate(() =>
        (window.Avow as unknown as { save(all: object): void }).save({ marketing: true, functional: true }),
      );
      const { gpp_string = '' } = await recordOf(page);
      expect(decoded(gpp_string)).toEqual({
        usnat: expect.objectContaining({
          ...{ Version: 2, SharingNotice: 1, SaleOptOutNotice: 0, SaleOptOut: 0 },
          // Analytics are refused, and stand for sharing with all others.
          ...{ SharingOptOutNotice: 1, SharingOptOut: 1 },
          ...{ TargetedAdvertisingOptOutNotice: 1, TargetedAdvertisingOptOut: 2 },
          ...{ MspaCoveredTransaction: 1, MspaOptOutOptionMode: 1, MspaServiceProviderMode: 2 },
        }),
      });
      await page.context().close();
    } finally {
      await show({ gpp: GPP });
    }
  });

  test('where a state is asked first, the string says opted out, and vendors wait for the answer', async () => {
    await show({ regions: { rules: 'law', overrides: [{ region: 'US-CA', rule: 'opt_in' }] } });
    try {
      const page = await visitFrom('US', 'CA');
      await button(page, 'Accept all').waitFor();
      const { signalStatus, gppString } = await ping(page);
      expect([signalStatus, decoded(gppString).usca]).toEqual([
        'not ready',
        expect.objectContaining({ SaleOptOut: 1 }),
      ]);
      await button(page, 'Accept all').click();
      await ready(page);
      expect((await events(page)).slice(4)).toEqual([
        ['cmpDisplayStatus', 'visible'],
        ['sectionChange', 'usca'],
        ['cmpDisplayStatus', 'hidden'],
        ['signalStatus', 'ready'],
      ]);
      expect(decoded((await ping(page)).gppString).usca).toMatchObject({ SaleOptOut: 2 });
      await page.context().close();
    } finally {
      await show({ regions: { rules: 'law' } });
    }
  });

  test('it is together with a choice by vendor and a cookie for subdomains', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.client.replaceVendors({
      token: shop.token,
      body: {
        vendors: [
          {
            id: 1,
            name: 'Adverts',
            categories: ['marketing'],
            purposes: [],
            leg_int_purposes: [],
            urls: [],
            cookies: [],
          },
        ],
      },
    });
    await show({ choice_by_vendor: true, banner: { ...settings.banner, cookie: {} } });
    try {
      const page = await visitFrom('US', 'CA');
      await button(page, DO_NOT_SELL).click();
      const record = await recordOf(page);
      expect(decoded(record.gpp_string ?? '').usca).toMatchObject({ SaleOptOut: 1 });
      expect(Object.values(record.vendors ?? {})).toEqual([false]);
      // The cookie alone says it, too.
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await ready(page);
      expect((await ping(page)).gppString).toBe(record.gpp_string);
      await page.context().close();
    } finally {
      await show({ choice_by_vendor: false, banner: settings.banner });
    }
  });

  test('elements of its names, what all objects have, and another stub take nothing from it', async () => {
    const { snippet_pinned: snippet } = await shop.publish();
    const queue = `<script>
      window.told = [];
      window.__gpp = (...all) => all.length ? void __gpp.queue.push(all) : __gpp.queue;
      __gpp.queue = [['getField', (value) => told.push(value), 'usca.SaleOptOut'], ['ping', ({ cmpStatus }) => told.push(cmpStatus)], 7];
      __gpp.events = [{ id: 1, callback: ({ eventName }) => told.push(eventName) }, { id: 2, callback: null }];
    </script>`;
    shop.set('/another', { snippet: `${queue}${snippet}` });
    const other = await visitFrom('US', 'CA', '/another');
    const told = () => other.evaluate(() => (window as unknown as { told: unknown[] }).told);
    await until('the signal', async () => (await told()).includes('signalStatus'));
    // Not known yet when the script came.
    expect((await told()).slice(0, 3)).toEqual([null, 'loaded', 'cmpStatus']);
    await other.context().close();
    const elements = '<p id="__gpp"></p><form id="__gppLocator"></form><img name="__gpp" alt="">';
    const polluted = `<script>Object.prototype.__gpp = () => 1; Object.prototype.__gppCall = { command: 'ping' };</script>`;
    shop.set('/named', { snippet: `${elements}${polluted}${snippet}`, head: VENDOR });
    const page = await visitFrom('US', 'CA', '/named');
    await ready(page);
    expect((await heard(page))[0]).toEqual(['ping', 'stub', 'not ready', true]);
    expect(decoded((await ping(page)).gppString).usca).toMatchObject({ SaleOptOut: 2 });
    await page.context().close();
  });
});
