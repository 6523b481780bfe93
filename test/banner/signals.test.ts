import type { BrowserContext, Page } from 'playwright-core';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

/** What tag managers see, with `arguments` objects marked as such. */
const dataLayer = (page: Page): Promise<unknown[]> =>
  page.evaluate(() =>
    ((window as unknown as { dataLayer?: object[] }).dataLayer ?? []).map((item) =>
      Object.prototype.toString.call(item) === '[object Arguments]'
        ? ['gtag', ...(item as unknown as unknown[])]
        : item,
    ),
  );
const consents = async (page: Page) =>
  (await dataLayer(page))
    .filter((item): item is unknown[] => Array.isArray(item))
    .map((item) => item.slice(1));
const signals = (allowed: string[]) =>
  Object.fromEntries(
    [
      'ad_storage',
      'ad_user_data',
      'ad_personalization',
      'analytics_storage',
      'functionality_storage',
      'personalization_storage',
      'security_storage',
    ].map((type) => [type, allowed.includes(type) ? 'granted' : 'denied']),
  );
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** A browser that sends Global Privacy Control: in the page and in its requests. */
const withGpc = (context: BrowserContext) =>
  context.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true }));

/** Notes every event of the document. */
const NOTES = `<script>
  window.notes = [];
  for (const name of ['ready', 'show', 'hide', 'consent', 'change'])
    document.addEventListener('avow:' + name, (event) => notes.push([name, JSON.parse(JSON.stringify(event.detail))]));
</script>`;
const notes = (page: Page): Promise<[string, Record<string, unknown> | null][]> =>
  page.evaluate(() => (window as unknown as { notes: [string, null][] }).notes);

describeInBrowser('signals', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
    shop.set('/notes', { head: NOTES });
  });
  afterAll(() => shop.stop());

  test('Google Consent Mode: denied before any tag, all seven types, updated on each choice and on the next visit', async () => {
    shop.set('/tag', {
      head: '<script>window.atTag = JSON.stringify(dataLayer.map((one) => [...one]))</script>',
    });
    const page = await shop.visit('/tag');
    await page.getByRole('dialog').waitFor();
    const nothing = signals(['security_storage']);
    expect(await page.evaluate(() => JSON.parse((window as unknown as { atTag: string }).atTag))).toEqual([
      ['consent', 'default', { ...nothing, wait_for_update: 500 }],
    ]);
    await press(page, 'Settings');
    await page.getByRole('switch', { name: 'Analytics' }).check();
    await press(page, 'Save choice');
    expect((await consents(page)).at(-1)).toEqual([
      'consent',
      'update',
      signals(['security_storage', 'analytics_storage']),
    ]);
    await press(page, 'Privacy settings');
    await press(page, 'Accept all');
    const all = signals(Object.keys(nothing));
    expect((await consents(page)).at(-1)).toEqual(['consent', 'update', all]);
    await page.reload();
    expect(await page.evaluate(() => JSON.parse((window as unknown as { atTag: string }).atTag))).toEqual([
      ['consent', 'default', { ...nothing, wait_for_update: 500 }],
      ['consent', 'update', all],
    ]);
    await page.context().close();
  });

  test('without Consent Mode the page gets no data layer', async () => {
    const { banner } = (await shop.client.getEnvironment({ token: shop.token })).settings;
    await shop.publish({ banner: { ...banner, google_consent_mode: false } });
    const page = await shop.visit();
    await press(page, 'Accept all');
    expect(await page.evaluate(() => 'dataLayer' in window)).toBe(false);
    await page.context().close();
    await shop.publish({ banner });
  });

  test('the document hears ready, show, consent, change and hide, and so does the data layer', async () => {
    const page = await shop.visit('/notes');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Accept all');
    await until('all are heard', async () => (await notes(page)).length === 5);
    const heard = await notes(page);
    expect(heard.map(([name]) => name)).toEqual(['ready', 'show', 'consent', 'change', 'hide']);
    expect(heard[0]?.[1]).toBeNull();
    expect(heard[3]?.[1]).toMatchObject({
      decision: 'accept_all',
      method: 'banner',
      granted: ['functional', 'analytics', 'marketing'],
      withdrawn: [],
    });
    const events = (await dataLayer(page)).filter((item) => !Array.isArray(item)) as { event: string }[];
    expect(events.map(({ event }) => event)).toEqual([
      'avow:ready',
      'avow:show',
      'avow:consent',
      'avow:change',
      'avow:hide',
    ]);
    await press(page, 'Privacy settings');
    await press(page, 'Reject all');
    await until('the change is heard', async () => (await notes(page)).length === 9);
    expect((await notes(page)).at(-2)).toMatchObject([
      'change',
      { granted: [], withdrawn: ['functional', 'analytics', 'marketing'] },
    ]);
    await page.reload();
    await until('the next visit is heard', async () => (await notes(page)).length === 2);
    expect((await notes(page)).map(([name, detail]) => [name, detail?.decision])).toEqual([
      ['ready', 'reject_all'],
      ['consent', 'reject_all'],
    ]);
    await page.context().close();
  });

  test('what one listener changes is not what the others, or the page, are told', async () => {
    shop.set('/changed', {
      snippet: `<script>
        window.Avow = [];
        window.told = [];
        const change = (detail) => {
          if (!detail) return;
          told.push(JSON.stringify(detail));
          detail.decision = 'forged';
          detail.categories.forged = true;
        };
        for (const name of ['ready', 'consent', 'change']) {
          for (const _ of [1, 2]) Avow.push(['on', name, (detail) => change(detail)]);
          for (const _ of [1, 2]) document.addEventListener('avow:' + name, ({ detail }) => change(detail));
        }
      </script><script src="${(await shop.publish()).immutable_url}"></script>`,
    });
    const page = await shop.visit('/changed');
    const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told);
    await press(page, 'Accept all');
    await until('all are told', async () => (await told()).length === 8);
    expect((await told()).join()).not.toContain('forged');
    await page.reload();
    await until('all are told again', async () => (await told()).length === 8);
    const details = [...(await told()), ...(await dataLayer(page)).map((item) => JSON.stringify(item))];
    expect(details.filter((text) => text.includes('accept_all')).length).toBeGreaterThan(8);
    expect(details.join()).not.toContain('forged');
    expect(new Set(await told()).size).toBe(1);
    expect(JSON.stringify(await consentOf(page))).toBe((await told())[0]);
    await page.context().close();
  });

  test('calls made before the script has run are done when it runs; a bad one does not stop the others', async () => {
    shop.set('/queue', {
      snippet: `<script>
        window.heard = [];
        window.Avow = window.Avow || [];
        Avow.push(['on', 'consent', () => { throw new Error('not ours') }]);
        Avow.push(['on', 'consent', ({ decision }) => heard.push(decision)], ['nonsense'], ['save', { nothing_known: true }], ['save', { analytics: true }]);
      </script><script async src="${(await shop.publish()).immutable_url}"></script>`,
    });
    const page = await shop.visit('/queue');
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    await until('it is heard', async () => (await heard()).length > 0);
    expect(await consentOf(page)).toMatchObject({
      decision: 'save_preferences',
      method: 'api',
      categories: { necessary: true, analytics: true, marketing: false, functional: false },
    });
    expect(await page.getByRole('dialog').count()).toBe(0);
    const later = await page.evaluate(() => {
      const seen: unknown[] = [];
      const { Avow } = window;
      if (Avow === undefined || Array.isArray(Avow)) return null;
      const end = Avow.on('consent', ({ decision }) => seen.push(decision));
      Avow.push(['accept']);
      end();
      Avow.reject();
      let message = '';
      try {
        Avow.save({ constructor: true });
      } catch (error) {
        message = (error as Error).message;
      }
      return { seen, message };
    });
    expect(later).toEqual({
      seen: ['save_preferences', 'accept_all'],
      message: 'Avow.save: this site has no category "constructor".',
    });
    expect(await heard()).toEqual(['save_preferences', 'accept_all', 'reject_all']);
    await page.context().close();
  });

  test('Global Privacy Control is an answer: recorded, told to the visitor, and not asked again', async () => {
    const context = await shop.browser.newContext({ extraHTTPHeaders: { 'Sec-GPC': '1' } });
    await withGpc(context);
    const page = await shop.visit('/notes', context);
    await page.getByText('Global Privacy Control').waitFor();
    const consent = await consentOf(page);
    expect(consent).toMatchObject({ decision: 'reject_all', method: 'gpc' });
    const record = await until('the owner finds it', async () => {
      const { items } = await shop.client.listConsents({
        token: shop.token,
        session_id: consent?.session_id as string,
      });
      return items[0] ?? false;
    });
    expect(record).toMatchObject({ decision: 'reject_all', method: 'gpc', gpc: true });
    await page.reload();
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    // The visitor's own choice counts more than the signal, then and later.
    await press(page, 'Privacy settings');
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('switch', { checked: true }).count()).toBe(0);
    await press(page, 'Accept all');
    await page.reload();
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all', method: 'settings' });
    await context.close();
  });

  test('when the signal ends, the visitor is asked; a choice made before it counts on', async () => {
    const page = await shop.visit();
    await press(page, 'Reject all');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const memory = await memoryOf(page, shop.token);
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key as string, JSON.stringify(value)),
      [`avow:${shop.token}`, { ...memory, method: 'gpc' }],
    );
    await page.reload();
    await page.getByRole('dialog').waitFor();
    expect(await consentOf(page)).toBeNull();
    await press(page, 'Accept all');
    await withGpc(page.context());
    await page.reload();
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all', method: 'banner' });
    await page.context().close();
  });

  test('a preview shows the banner, tells of choices, and sends and keeps nothing', async () => {
    const { script } = await shop.client.previewBundle({ token: shop.token, body: { layout: 'bar' } });
    shop.set('/preview', {
      snippet: `<script>window.Avow = { preview: true }</script>${NOTES}<script>${script.replaceAll('</script', '<\\/script')}</script>`,
    });
    const context = await shop.browser.newContext();
    const asked: string[] = [];
    context.on('request', (request) => asked.push(request.url()));
    const page = await shop.visit('/preview', context);
    await press(page, 'Accept all');
    await until('the choice is told', async () => (await notes(page)).some(([name]) => name === 'hide'));
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    await page.reload();
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.goto('about:blank');
    expect(asked.filter((url) => url.includes('/api/'))).toEqual([]);
    await context.close();
  });
});
