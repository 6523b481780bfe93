import type { Page } from 'playwright-core';
import { refreshVendorList } from '../../server/src/jobs/vendor-list';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { choiceIn } from '../helpers/tcf/choice';
import { type ListHost, listed, startListHost, vendorList, vendors } from '../helpers/tcf/list';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

/** What a link adds to all objects where a library reads addresses as PHP does. */
const POLLUTED = `<script>
  Object.prototype.regions = { opt_in: [], opt_out: [], notice: ['DE'] };
  Object.prototype.cookie = { name: 'x', domain: 'x', max_age_seconds: 9 };
  Object.prototype.tc = 'CPX'; Object.prototype.tc_asks = 'x'; Object.prototype.region = 'DE';
  Object.prototype.__tcfapi = 'x'; Object.prototype.__tcfapiLocator = 'x';
</script>`;
const FRAME =
  '<iframe title="Film" data-category="marketing" data-src="/film" width="400" height="300"></iframe>';
const ALL = [2, 3, 5, 6, 8, 12, 13, 14, 20, 21, 755];
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const call = (page: Page, command: string): Promise<Record<string, unknown>> =>
  page.evaluate(
    (name) =>
      new Promise((resolve) => {
        (window as unknown as { __tcfapi(...all: unknown[]): void }).__tcfapi(name, 2, resolve);
      }),
    command,
  );

describeInBrowser('what a string says, and of whom', () => {
  let host: ListHost;
  let shop: Shop;
  beforeAll(async () => {
    host = await startListHost();
    const tcf = { publisher_country: 'DE' };
    shop = await openShop({ tcf }, { TCF_CMP_ID: '300', TCF_LIST: host.place }, refresh);
    await show();
  });
  afterAll(async () => {
    await shop?.stop();
    await host?.stop();
  });
  let day = 0;
  const refresh = (server: Shop['server']): Promise<void> => {
    day += 1;
    return refreshVendorList(
      server.service.context,
      new Date(Date.UTC(2027, 0, day)),
      new AbortController().signal,
    );
  };
  async function show(settings?: object): Promise<void> {
    const { snippet_pinned: snippet } = await shop.publish(settings);
    shop.set('/', { snippet, body: `<h1>Shop</h1>${FRAME}` });
    shop.set('/polluted', { snippet: `${POLLUTED}${snippet}`, body: `<h1>Shop</h1>${FRAME}` });
    shop.set('/parent', { snippet, body: '<h1>Shop</h1><iframe title="Friend" srcdoc="<p>x"></iframe>' });
    shop.set('/film', { snippet: '', body: 'A film' });
  }
  const stringOf = async (page: Page): Promise<string> => (await memoryOf(page, shop.token))?.tc ?? '';
  const proofOf = (page: Page, count: number) =>
    until('the record', async () => {
      const session = (await memoryOf(page, shop.token))?.session_id;
      const { items } = await shop.client.listConsents({ token: shop.token, session_id: session });
      const [last] = items;
      if (items.length < count || last === undefined) return undefined;
      return shop.client.getConsent({ token: shop.token, consent_id: last.consent_id });
    });
  const save = (page: Page, all: object) =>
    page.evaluate((given) => (window.Avow as unknown as { save(all: object): void }).save(given), all);

  test('a link that adds regions, a cookie and a string to all objects changes nothing', async () => {
    const page = await shop.visit('/polluted');
    await button(page, 'Accept all').waitFor();
    expect(await consentOf(page)).toBeNull();
    expect(await call(page, 'getTCData')).toMatchObject({ gdprApplies: true, tcString: '' });
    expect(await page.evaluate(() => document.querySelectorAll('[name=__tcfapiLocator]').length)).toBe(1);
    await button(page, 'Reject all').click();
    expect(choiceIn(await stringOf(page)).purposes).toEqual([]);
    // A stored decision without a string has none.
    const { tc: _, tc_asks: __, ...stored } = await memoryOf(page, shop.token);
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key as string, value as string),
      [`avow:${shop.token}`, JSON.stringify(stored)],
    );
    await page.reload();
    await button(page, 'Reject all').waitFor();
    expect(await call(page, 'getTCData')).toMatchObject({ tcString: '' });
    await page.context().close();
  });

  test('a frame of the same site may call by itself', async () => {
    const page = await shop.visit('/parent');
    await button(page, 'Accept all').waitFor();
    const frame = await until('the frame', () =>
      page.frames().find((one) => one.url() === 'about:srcdoc' && one.name() !== '__tcfapiLocator'),
    );
    const status = await frame.evaluate(
      () =>
        new Promise((resolve) => {
          const outer = window.parent as unknown as { __tcfapi(...all: unknown[]): void };
          outer.__tcfapi('ping', 2, (answer: { cmpStatus: string }) => resolve(answer.cmpStatus));
          setTimeout(() => resolve('nothing'), 3000);
        }),
    );
    expect(status).toBe('loaded');
    await page.context().close();
  });

  test('the button on blocked content allows its category, and no purpose or vendor', async () => {
    const page = await shop.visit();
    await button(page, 'Reject all').click();
    const refused = choiceIn(await stringOf(page));
    await page.getByRole('button', { name: 'Allow', exact: false }).first().click();
    await until('the film', async () => (await consentOf(page))?.categories.marketing === true);
    expect(choiceIn(await stringOf(page))).toEqual(refused);
    const proof = await proofOf(page, 2);
    expect(proof.categories.marketing).toBe(true);
    expect(proof.tcf).toMatchObject({ matches_bundle: true, purposes: [] });
    // It holds on the next page, and the settings have a switch to take it back.
    await page.reload();
    await until('the decision', async () => (await consentOf(page))?.categories.marketing === true);
    await button(page, 'Privacy settings').click();
    const own = page.getByRole('switch', { name: 'Marketing', exact: true });
    expect(await own.isChecked()).toBe(true);
    await own.click();
    await button(page, 'Save choice').click();
    await until('taken back', async () => (await consentOf(page))?.categories.marketing === false);
    await page.context().close();
  });

  test('on a first visit the button says nothing of any purpose or vendor', async () => {
    const page = await shop.visit();
    await button(page, 'Accept all').waitFor();
    await page.getByRole('button', { name: 'Allow', exact: false }).last().click();
    await until('the film', async () => (await consentOf(page))?.categories.marketing === true);
    expect(choiceIn(await stringOf(page))).toMatchObject({
      ...{ purposes: [], legInt: [], vendors: [], legIntVendors: [6, 20] },
    });
    expect((await proofOf(page, 1)).tcf).toMatchObject({ matches_bundle: true });
    await page.context().close();
  });

  test('a category that means more now is not allowed by what was accepted before', async () => {
    await show({ tcf: { publisher_country: 'DE', categories: { marketing: [2] } } });
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    expect((await consentOf(page))?.categories.marketing).toBe(true);
    await show({ tcf: { publisher_country: 'DE', categories: { marketing: [2, 5] } } });
    await page.reload();
    await button(page, 'Settings').click();
    await page.getByRole('switch', { name: 'Create profiles to personalise content Consent' }).click();
    expect(await page.getByRole('switch', { name: 'Marketing', exact: true }).count()).toBe(0);
    await button(page, 'Save choice').click();
    await until('the decision', async () => (await consentOf(page))?.decision === 'save_preferences');
    expect((await consentOf(page))?.categories.marketing).toBe(false);
    await page.context().close();
    await show({ tcf: { publisher_country: 'DE' } });
  });

  test('a tab is told that a decision by newer settings allows nothing there', async () => {
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    await page.evaluate(() => {
      const told = window as unknown as { withdrawn: unknown[] };
      told.withdrawn = [];
      document.addEventListener('avow:change', ({ detail }: CustomEventInit) =>
        told.withdrawn.push(...detail.withdrawn),
      );
    });
    await show({ tcf: { publisher_country: 'DE', categories: { marketing: [2, 5] } } });
    const other = await shop.visit('/', page.context());
    await button(other, 'Reject all').waitFor();
    await save(other, { marketing: true });
    const told = () => page.evaluate(() => (window as unknown as { withdrawn: string[] }).withdrawn);
    await until('it is told', async () => (await told()).length > 0);
    expect((await told()).sort()).toEqual(['analytics', 'functional', 'marketing']);
    expect(Object.entries((await consentOf(page))?.categories ?? {}).filter(([, on]) => on)).toEqual([
      ['necessary', true],
    ]);
    await page.context().close();
    await show({ tcf: { publisher_country: 'DE' } });
  });

  test('what is not asked any more does not switch vendors on', async () => {
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    await show({ tcf: { publisher_country: 'DE', consent_only_purposes: [2] } });
    await page.reload();
    await button(page, 'Settings').click();
    await page.getByRole('switch').first().waitFor();
    const on = page.getByRole('switch', { checked: true });
    while ((await on.count()) > 0) await on.first().click();
    await button(page, 'Save choice').click();
    await until('the decision', async () => (await consentOf(page))?.decision === 'save_preferences');
    expect(choiceIn(await stringOf(page))).toMatchObject({
      ...{ purposes: [], legInt: [], vendors: [] },
    });
    expect(choiceIn(await stringOf(page)).legIntVendors).toEqual([6, 20]);
    await page.context().close();
    await show({ tcf: { publisher_country: 'DE' } });
  });

  test('objections and refused vendors outlive the policy under which they were made', async () => {
    const page = await shop.visit();
    await button(page, 'Reject all').click();
    const named = await shop.visit();
    await button(named, 'Settings').click();
    const flip = (name: string) => named.getByRole('switch', { name, exact: true }).click();
    await flip('Measure content performance Consent');
    await named.getByText(`Providers (${ALL.length})`).click();
    await named.getByText('Beta Metrics').click();
    await flip('Beta Metrics Consent');
    await button(named, 'Save choice').click();
    await show({ policy_version: '2' });
    await page.reload();
    await button(page, 'Reject all').waitFor();
    await save(page, { analytics: true });
    expect(choiceIn(await stringOf(page))).toMatchObject({
      ...{ purposes: [1, 8, 9], legInt: [], legIntVendors: [6, 20], disclosed: ALL },
    });
    await named.reload();
    await button(named, 'Reject all').waitFor();
    await save(named, { analytics: true });
    const { vendors: allowed } = choiceIn(await stringOf(named));
    expect([allowed.includes(2), allowed.includes(3)]).toEqual([true, false]);
    for (const one of [page, named]) await one.context().close();
  });

  test('only those are named as disclosed that the visitor was shown', async () => {
    const page = await shop.visit();
    await button(page, 'Accept all').click();
    host.files.set(
      'vendor-list.json',
      JSON.stringify(
        vendorList({ vendorListVersion: 130 }, [
          ...vendors(),
          listed(990),
          listed(991, { purposes: [], specialPurposes: [1] }),
        ]),
      ),
    );
    await refresh(shop.server);
    await show();
    await page.reload();
    await until('the decision', () => consentOf(page).catch(() => null));
    await save(page, { analytics: true, functional: true });
    const kept = choiceIn(await stringOf(page));
    expect(kept.disclosed).toEqual(ALL);
    expect([...kept.vendors, ...kept.legIntVendors].filter((id) => id > 900)).toEqual([]);
    expect((await proofOf(page, 2)).tcf).toMatchObject({ matches_bundle: true, vendor_list_version: 130 });
    // Whom nobody has been shown has nothing, whatever a page calls.
    await page.evaluate(() => localStorage.clear());
    const { snippet_pinned: snippet } = await shop.publish();
    shop.set('/calls', { snippet: `<script>window.Avow = [['accept']];</script>${snippet}` });
    await page.goto(`${shop.origin}/calls`);
    await until('the decision', () => consentOf(page).catch(() => null));
    expect(choiceIn(await stringOf(page))).toMatchObject({ vendors: [], legIntVendors: [], disclosed: [] });
    await button(page, 'Privacy settings').click();
    await button(page, 'Accept all').click();
    expect(choiceIn(await stringOf(page)).disclosed).toEqual([...ALL, 990, 991]);
    await page.context().close();
  });
});
