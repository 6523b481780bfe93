import { GVL, TCString } from '@iabtechlabtcf/core';
import type { Page } from 'playwright-core';
import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { choiceIn } from '../helpers/tcf/choice';
import { type ListHost, listed, startListHost, vendorList, vendors } from '../helpers/tcf/list';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const BLOCKED = ['analytics', 'marketing']
  .map((key) => `<script type="text/plain" data-category="${key}" data-src="/${key}.js"></script>`)
  .join('');
/** A vendor of the page, which calls at once and listens. */
const VENDOR = `<script>
  window.heard = [];
  __tcfapi('ping', 2, (answer) => heard.push(['ping', answer.cmpStatus]));
  __tcfapi('addEventListener', 2, (data, ok) => heard.push([data.eventStatus, ok, data.tcString, data.listenerId]));
</script>`;
/** What a vendor in a frame of another site does (IAB Tech Lab, CMP API v2). */
const FRAME = `<script>
  let cmp, at = window;
  while (!cmp) { try { if (at.frames.__tcfapiLocator) cmp = at; } catch {} if (at === window.top) break; at = at.parent; }
  window.answers = [];
  addEventListener('message', ({ data }) => {
    const found = typeof data === 'string' ? JSON.parse(data) : data;
    if (found.__tcfapiReturn) answers.push([typeof data, found.__tcfapiReturn]);
  });
  const call = { __tcfapiCall: { command: 'addEventListener', version: 2, callId: 'a' } };
  cmp?.postMessage(call, '*');
  cmp?.postMessage(JSON.stringify({ __tcfapiCall: { command: 'ping', version: 2, callId: 7 } }), '*');
  cmp?.postMessage('{"__tcfapiCall', '*');
</script>`;

type Heard = [string | undefined, unknown, string, number];
const heard = (page: Page): Promise<Heard[]> =>
  page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
const ran = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
/** `TCData` as a vendor gets it. */
const tcData = (page: Page): Promise<Record<string, never>> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        (window as unknown as { __tcfapi(...call: unknown[]): void }).__tcfapi('getTCData', 2, resolve);
      }),
  );
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** What axe finds, by rule. */
async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: require.resolve('axe-core/axe.min.js') });
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    await Promise.all(document.getAnimations().map(({ finished }) => finished));
    const { violations: found } = await axe.run();
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
    );
  });
}
const ALL = [2, 3, 5, 6, 8, 12, 13, 14, 20, 21, 755];
const CONSENT = [2, 3, 8, 12, 13, 14, 20, 21, 755];
const SPECIAL = [6, 20];
const upTo = (most: number): number[] => Array.from({ length: most }, (_, index) => index + 1);

describeInBrowser('IAB Europe’s framework', () => {
  let host: ListHost;
  let shop: Shop;
  let day = 0;
  const refresh = (server: Shop['server']): Promise<void> => {
    day += 1;
    const now = new Date(Date.UTC(2027, 0, day));
    return refreshVendorList(server.service.context, now, new AbortController().signal);
  };
  beforeAll(async () => {
    host = await startListHost();
    const variables = { TCF_CMP_ID: '300', TCF_LIST: host.place };
    const settings = { tcf: { publisher_country: 'DE' }, languages: ['en', 'de'] };
    shop = await openShop(settings, variables, refresh);
    await show();
  });
  afterAll(async () => {
    await shop?.stop();
    await host?.stop();
  });

  /** The page with the snippet as an owner gets it, for the present bundle. */
  async function show(): Promise<void> {
    const { snippet_pinned: snippet } = await shop.publish();
    shop.set('/', {
      snippet,
      head: VENDOR,
      body: `<main><h1>Shop</h1><a href="/next">Next</a></main>${BLOCKED}`,
    });
    shop.set('/with-frame', {
      snippet,
      head: VENDOR,
      body: `<h1>Shop</h1><iframe title="Advert" src="${shop.elsewhere}/frame"></iframe>`,
    });
    shop.set('/frame', { snippet: FRAME, body: '<p>Advert</p>' });
    shop.set('/de', { snippet, head: VENDOR, lang: 'de' });
  }

  const recordOf = (page: Page) =>
    until('the record', async () => {
      const session = (await memoryOf(page, shop.token))?.session_id;
      const { items } = await shop.client.listConsents({ token: shop.token });
      return items.find(({ session_id }) => session_id === session);
    });
  const stringOf = async (page: Page): Promise<string> => (await memoryOf(page, shop.token))?.tc ?? '';

  test('the stub answers before the script is there, and nothing is allowed while nobody has decided', async () => {
    const page = await shop.visit();
    await button(page, 'Accept all').waitFor();
    expect((await heard(page))[0]).toEqual(['ping', 'stub']);
    const events = await until('the event', async () => {
      const found = (await heard(page)).slice(1);
      return found.some(([status]) => status === 'cmpuishown') ? found : undefined;
    });
    expect(events.map(([status, ok, text]) => [status, ok, text])).toContainEqual(['cmpuishown', true, '']);
    const data = await tcData(page);
    expect(data).toMatchObject({
      cmpId: 300,
      cmpVersion: 1,
      gdprApplies: true,
      tcfPolicyVersion: 5,
      isServiceSpecific: true,
      publisherCC: 'DE',
      purpose: { consents: { 1: false, 11: false }, legitimateInterests: { 2: false } },
      vendor: { consents: { 2: false }, disclosedVendors: { 2: false } },
      specialFeatureOptins: { 1: false },
    });
    expect(await ran(page)).toEqual([]);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test('the first layer says who asks, for what by name, how to object and how to take it back', async () => {
    const page = await shop.visit();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const text = await dialog.innerText();
    expect(text).toContain(`our ${ALL.length} providers`);
    for (const name of ['Store and/or access information on a device', 'Develop and improve services'])
      expect(text).toContain(name);
    expect(text).toContain('Use precise geolocation data');
    expect(text).toMatch(/legitimate interest.*object.*this site only.*“Privacy settings”/s);
    await button(page, `Providers (${ALL.length})`).click();
    await page.getByText('Alpha Ads').waitFor();
  });

  test('whoever has decided sees the id of the consent in the settings, and nobody before', async () => {
    const page = await shop.visit();
    await button(page, 'Settings').click();
    await button(page, 'Save choice').waitFor();
    const id = page.locator('avow-banner bdi');
    expect(await id.count()).toBe(0);
    await button(page, 'Save choice').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { session_id } = await memoryOf(page, shop.token);
    await button(page, 'Privacy settings').click();
    await id.waitFor();
    expect(await id.textContent()).toBe(`ID ${session_id}`);
    await page.context().close();
  });

  test('accepting allows everything that was asked, and IAB’s library reads it', async () => {
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    const record = await recordOf(page);
    expect(choiceIn(record.tc_string ?? '')).toEqual({
      purposes: upTo(11),
      legInt: [2, 7, 8, 9, 10, 11],
      special: [1, 2],
      vendors: CONSENT,
      legIntVendors: [2, 5, 6, 8, 20, 21, 755],
      disclosed: ALL,
    });
    expect(record.categories).toEqual({ analytics: true, functional: true, marketing: true });
    await until('both scripts', async () => (await ran(page)).length === 2);
    expect((await consentOf(page))?.tc_string).toBe(record.tc_string);
    const last = (await heard(page)).at(-1);
    expect(last).toEqual(['useractioncomplete', true, record.tc_string, expect.any(Number)]);
    const proof = await shop.client.getConsent({ token: shop.token, consent_id: record.consent_id });
    expect(proof.tcf).toMatchObject({ matches_bundle: true, cmp_id: 300, purposes: upTo(11) });
    // Another visit: it is there before anybody asks.
    await page.reload();
    const again = await until('the event', async () =>
      (await heard(page)).find(([status]) => status === 'tcloaded'),
    );
    expect(again[2]).toBe(record.tc_string);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await tcData(page)).vendor).toMatchObject({
      consents: { 2: true },
      disclosedVendors: { 5: true },
    });
  });

  test('refusing allows nothing, and objects to every legitimate interest', async () => {
    const page = await shop.visit();
    await button(page, 'Reject all').click();
    const { tc_string = '' } = await recordOf(page);
    expect(choiceIn(tc_string)).toEqual({
      ...{ purposes: [], legInt: [], special: [], vendors: [], disclosed: ALL },
      // Of vendors with special purposes alone, to which nobody can object.
      legIntVendors: SPECIAL,
    });
    expect(await ran(page)).toEqual([]);
  });

  test('switches of the settings are the string, for purposes, special features and vendors, and are kept', async () => {
    const page = await shop.visit();
    await button(page, 'Settings').click();
    const flip = (name: string) => page.getByRole('switch', { name, exact: true }).click();
    const purposes = ['Store and/or access information on a device', 'Measure content performance'];
    const audiences =
      'Understand audiences through statistics or combinations of data from different sources';
    for (const name of [...purposes, audiences]) await flip(`${name} Consent`);
    await flip('Measure advertising performance Legitimate interest');
    await flip('Use precise geolocation data Consent');
    await page.getByText(`Providers (${ALL.length})`).click();
    await page.getByText('Beta Metrics').click();
    await flip('Beta Metrics Consent');
    await page.getByText('Gamma Interest').click();
    await flip('Gamma Interest Legitimate interest');
    await button(page, 'Save choice').click();
    const record = await recordOf(page);
    const chosen = {
      purposes: [1, 8, 9],
      legInt: [2, 8, 9, 10, 11],
      special: [1],
      vendors: CONSENT.filter((id) => id !== 3),
      legIntVendors: [2, 6, 8, 20, 21, 755],
      disclosed: ALL,
    };
    expect(choiceIn(record.tc_string ?? '')).toEqual(chosen);
    // The category has all of its purposes, the others have not.
    expect(record.categories).toEqual({ analytics: true, functional: false, marketing: false });
    await until('its script', async () => (await ran(page)).includes('/analytics.js'));
    // Unchanged, the settings say the same again.
    await button(page, 'Privacy settings').click();
    await page.getByRole('switch', { name: 'Use precise geolocation data Consent' }).waitFor();
    expect((await heard(page)).at(-1)?.[0]).toBe('cmpuishown');
    await button(page, 'Save choice').click();
    await until('the second decision', async () => (await heard(page)).at(-1)?.[0] === 'useractioncomplete');
    expect(choiceIn(await stringOf(page))).toEqual(chosen);
    // And taken back as easily.
    await button(page, 'Privacy settings').click();
    await button(page, 'Reject all').click();
    await until('the withdrawal', async () => choiceIn(await stringOf(page)).purposes.length === 0);
  });

  test('a page’s own calls by category are purposes', async () => {
    const page = await shop.visit();
    await button(page, 'Accept all').waitFor();
    await page.evaluate(() =>
      (window.Avow as unknown as { save(all: object): void }).save({ analytics: true }),
    );
    const { tc_string = '', categories } = await recordOf(page);
    expect(categories).toEqual({ analytics: true, functional: false, marketing: false });
    expect(choiceIn(tc_string)).toMatchObject({
      purposes: [1, 8, 9],
      legInt: [8, 9],
      special: [],
      vendors: CONSENT,
    });
  });

  test('what a page allows by category changes nothing else that the visitor has decided', async () => {
    const page = await shop.visit();
    const save = (all: object) =>
      page.evaluate((given) => (window.Avow as unknown as { save(all: object): void }).save(given), all);
    await button(page, 'Reject all').click();
    await recordOf(page);
    await save({ analytics: true });
    await until('the purposes', async () => choiceIn(await stringOf(page)).purposes.length === 3);
    // Who has objected still does.
    expect(choiceIn(await stringOf(page))).toMatchObject({
      ...{ purposes: [1, 8, 9], legInt: [], special: [] },
      ...{ vendors: CONSENT, legIntVendors: SPECIAL },
    });
    // A vendor that was refused by name stays so, and a special feature allowed.
    await button(page, 'Privacy settings').click();
    await page.getByText(`Providers (${ALL.length})`).click();
    await page.getByText('Beta Metrics').click();
    const flip = (name: string) => page.getByRole('switch', { name, exact: true }).click();
    await flip('Beta Metrics Consent');
    await flip('Use precise geolocation data Consent');
    await button(page, 'Save choice').click();
    await until('the vendor', async () => !choiceIn(await stringOf(page)).vendors.includes(3));
    await save({ analytics: true, functional: true });
    await until('the purposes', async () => choiceIn(await stringOf(page)).purposes.includes(10));
    expect(choiceIn(await stringOf(page))).toMatchObject({
      ...{ legInt: [], special: [1], vendors: CONSENT.filter((id) => id !== 3), legIntVendors: SPECIAL },
    });
    await save({ functional: true });
    await until('the purposes', async () => !choiceIn(await stringOf(page)).purposes.includes(8));
    expect(choiceIn(await stringOf(page)).purposes).toContain(10);
  });

  test('switches of vendors that are open follow the purposes, as what is saved does', async () => {
    const page = await shop.visit();
    await button(page, 'Settings').click();
    await page.getByText(`Providers (${ALL.length})`).click();
    await page.getByText('Beta Metrics').click();
    const vendor = page.getByRole('switch', { name: 'Beta Metrics Consent', exact: true });
    expect(await vendor.isChecked()).toBe(false);
    await page.getByRole('switch', { name: 'Measure content performance Consent', exact: true }).click();
    expect(await vendor.isChecked()).toBe(true);
    await button(page, 'Save choice').click();
    const { tc_string = '' } = await recordOf(page);
    expect(choiceIn(tc_string).vendors).toContain(3);
    expect(TCString.decode(tc_string).consentScreen).toBe(2);
  });

  test('vendors in frames of other sites are answered, objects and old texts in kind', async () => {
    const page = await shop.visit('/with-frame');
    await button(page, 'Accept all').click();
    const frame = page.frames().find((one) => one.url().includes('/frame'));
    const answers = await until('the answers', async () => {
      const found = await frame?.evaluate(
        () => (window as unknown as { answers: [string, Record<string, unknown>][] }).answers,
      );
      const isDone = found?.some(
        ([, one]) => (one.returnValue as { eventStatus?: string }).eventStatus === 'useractioncomplete',
      );
      return isDone ? found : undefined;
    });
    // By the stub or by the banner, whichever was there.
    expect(answers.find(([kind]) => kind === 'string')?.[1]).toMatchObject({
      callId: 7,
      success: true,
      returnValue: { apiVersion: '2.2', cmpStatus: expect.stringMatching(/^(stub|loaded)$/) },
    });
    const last = answers.filter(([kind]) => kind === 'object').at(-1)?.[1] as unknown as {
      callId: string;
      returnValue: { tcString: string };
    };
    expect(last.callId).toBe('a');
    expect(choiceIn(last.returnValue.tcString).vendors).toEqual(CONSENT);
  });

  test('unknown commands and versions fail, and listeners leave', async () => {
    const page = await shop.visit();
    await button(page, 'Reject all').waitFor();
    const results = await page.evaluate(() => {
      const found: unknown[] = [];
      const { __tcfapi: call } = window as unknown as { __tcfapi(...all: unknown[]): void };
      const note = (...all: unknown[]) => found.push(all);
      call('getVendorList', 2, note);
      call('ping', 3, note);
      call('toString', 2, note);
      call('ping', 2);
      call('removeEventListener', 2, note, 1);
      const [, , , id] = (window as unknown as { heard: unknown[][] }).heard.at(-1) ?? [];
      call('removeEventListener', 2, note, id);
      return found;
    });
    expect(results).toEqual([[null, false], [null, false], [null, false], [false], [true]]);
    const before = (await heard(page)).length;
    await button(page, 'Reject all').click();
    await recordOf(page);
    expect((await heard(page)).length).toBe(before);
  });

  test('texts are those of the list in the visitor’s language', async () => {
    const page = await shop.visit('/de');
    await button(page, 'Alle ablehnen').waitFor();
    const text = await page.getByRole('dialog').innerText();
    expect(text).toContain('de: Store and/or access information on a device');
    expect(text).toContain(`unsere ${ALL.length} Anbieter`);
  });

  test('both layers are without a fault of accessibility, on a desktop and on a phone', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 640 },
    ]) {
      const page = await shop.visit('/', { viewport });
      await button(page, 'Settings').waitFor();
      expect(await violations(page)).toEqual([]);
      // Refusing is there without scrolling, too.
      for (const name of ['Accept all', 'Reject all', 'Settings']) {
        const box = await button(page, name).boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 999)).toBeLessThanOrEqual(viewport.height);
      }
      await button(page, 'Settings').click();
      await page.getByText(`Providers (${ALL.length})`).click();
      await page.getByText('Alpha Ads').click();
      await page.getByText('400 days').first().waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );
    }
  });

  test('a thousand vendors are laid out twenty at a time, and found by name', async () => {
    const many = upTo(1_000).map((id) => listed(id + 1_000, { name: `Company ${id}` }));
    host.files.set(
      'vendor-list.json',
      JSON.stringify(vendorList({ vendorListVersion: 121 }, [...vendors(), ...many])),
    );
    await refresh(shop.server);
    await show();
    const page = await shop.visit();
    await button(page, `Providers (${ALL.length + 1_000})`).click();
    const vendorsOf = page.locator('.vendors details');
    await vendorsOf.first().waitFor();
    expect(await vendorsOf.count()).toBe(20);
    await button(page, 'Show more').click();
    expect(await vendorsOf.count()).toBe(40);
    await page.getByRole('searchbox', { name: 'Search providers' }).fill('company 777');
    expect(await vendorsOf.allInnerTexts()).toEqual(['Company 777']);
    await button(page, 'Accept all').click();
    const { tc_string = '' } = await recordOf(page);
    expect(choiceIn(tc_string).vendors).toHaveLength(CONSENT.length + 1_000);
    expect(tc_string.length).toBeLessThan(1_500);
  });

  test('visitors are asked again when they are asked something else, and not when only others joined the list', async () => {
    await shop.publish({ tcf: { publisher_country: 'DE', vendors: [2, 3] } });
    await show();
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    await recordOf(page);
    host.files.set(
      'vendor-list.json',
      JSON.stringify(vendorList({ vendorListVersion: 125 }, [...vendors(), listed(990)])),
    );
    await refresh(shop.server);
    await show();
    await page.reload();
    await until('the event', async () => (await heard(page)).some(([status]) => status === 'tcloaded'));
    expect(await page.getByRole('dialog').count()).toBe(0);
    await shop.publish({ tcf: { publisher_country: 'DE', vendors: [2, 3, 5] } });
    await show();
    await page.reload();
    await button(page, 'Accept all').waitFor();
    expect(await ran(page)).toEqual([]);
    // The earlier choice is what the switches show.
    await button(page, 'Settings').click();
    const first = page.getByRole('switch', { name: 'Store and/or access information on a device Consent' });
    expect(await first.isChecked()).toBe(true);
  });

  test('vendors that joined since are not among those that a visitor was shown', async () => {
    await shop.publish({ tcf: { publisher_country: 'DE' } });
    await show();
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    await recordOf(page);
    host.files.set(
      'vendor-list.json',
      JSON.stringify(vendorList({ vendorListVersion: 130 }, [...vendors(), listed(990), listed(991)])),
    );
    await refresh(shop.server);
    await show();
    await page.reload();
    await until('the event', async () => (await heard(page)).some(([status]) => status === 'tcloaded'));
    const { vendor } = (await tcData(page)) as unknown as {
      vendor: { disclosedVendors: Record<string, boolean> };
    };
    expect(vendor.disclosedVendors).toMatchObject({ 2: true, 990: true, 991: false });
  });

  test('a cookie for subdomains repeats the string', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner: { ...settings.banner, cookie: {} } });
    await show();
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    const { tc_string } = await recordOf(page);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    const again = await until('the event', async () =>
      (await heard(page)).find(([status]) => status === 'tcloaded'),
    );
    expect(again[2]).toBe(tc_string);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('where visitors are only told, the framework does not apply; where they are asked, it does', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const { cookie: _, ...banner } = settings.banner;
    await shop.publish({ banner, regions: { rules: 'law' } });
    await show();
    const told = await shop.visit('/', { timezoneId: 'Asia/Tokyo' });
    await button(told, 'OK').waitFor();
    expect(await tcData(told)).toMatchObject({ gdprApplies: false, tcString: '', eventStatus: 'tcloaded' });
    const asked = await shop.visit('/', { timezoneId: 'Europe/Berlin' });
    await button(asked, 'Reject all').waitFor();
    expect(await tcData(asked)).toMatchObject({ gdprApplies: true, eventStatus: 'cmpuishown' });
    await button(asked, 'Reject all').click();
    expect((await recordOf(asked)).tc_string).toMatch(/^C/);
  });

  test('IAB’s own list class reads the fixture, so that these tests are of the real format', () => {
    const gvl = new GVL(vendorList() as never);
    expect(gvl.vendorListVersion).toBe(120);
    expect(Object.keys(gvl.vendors)).toHaveLength(11);
  });
});
