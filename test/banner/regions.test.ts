import type { BrowserContext, Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { allows, isConsented } from '../../sdk/src/cookie';
import { readCookie } from '../helpers/banner/cookie';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const BLOCKED = '<script type="text/plain" data-category="analytics" data-src="/analytics.js"></script>';
/** Notes every event of the document. */
const NOTES = `<script>
  window.notes = [];
  for (const name of ['rule', 'consent', 'change'])
    document.addEventListener('avow:' + name, (event) => notes.push([name, JSON.parse(JSON.stringify(event.detail))]));
</script>`;
const CALIFORNIA = { timezoneId: 'America/Los_Angeles' };
const TOKYO = { timezoneId: 'Asia/Tokyo' };
const BERLIN = { timezoneId: 'Europe/Berlin' };
const DO_NOT_SELL = 'Do not sell or share my personal information';

const ran = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);
const notes = (page: Page): Promise<[string, Record<string, unknown>][]> =>
  page.evaluate(() => (window as unknown as { notes: [string, Record<string, unknown>][] }).notes);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const stored = (page: Page): Promise<string[]> => page.evaluate(() => Object.keys(localStorage));
const withGpc = (context: BrowserContext) =>
  context.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true }));
const analyticsStorage = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    () =>
      (window as unknown as { dataLayer: Record<number, unknown>[] }).dataLayer
        .map((item) => item[2] as { analytics_storage?: string } | undefined)
        .filter((item) => item?.analytics_storage)
        .at(-1)?.analytics_storage,
  );

describeInBrowser('rules by region', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ regions: { rules: 'law' } });
    shop.set('/', { head: NOTES, body: `<h1>Shop</h1>${BLOCKED}` });
  });
  afterAll(() => shop.stop());

  const records = async () => (await shop.client.listConsents({ token: shop.token })).items;
  const recordOf = (page: Page) =>
    until('the record', async () => {
      const session = (await memoryOf(page, shop.token))?.session_id;
      return (await records()).find(({ session_id }) => session_id === session);
    });
  const dialog = (page: Page) => page.getByRole('dialog');

  test('a first objection tells the page what it withdraws', async () => {
    const page = await shop.visit('/', CALIFORNIA);
    await button(page, DO_NOT_SELL).click();
    const changes = (await notes(page)).filter(([name]) => name === 'change');
    expect(changes).toEqual([
      [
        'change',
        expect.objectContaining({ granted: [], withdrawn: ['functional', 'analytics', 'marketing'] }),
      ],
    ]);
    await page.context().close();
  });

  test('an objection in another tab tells this page what it withdraws, also one that the browser had cached', async () => {
    const page = await shop.visit('/', CALIFORNIA);
    await button(page, DO_NOT_SELL).waitFor();
    const other = await shop.visit('/', page.context());
    await button(other, DO_NOT_SELL).click();
    const changes = await until('the change', async () => {
      const told = (await notes(page)).filter(([name]) => name === 'change');
      return told.length > 0 && told;
    });
    expect(changes).toEqual([
      [
        'change',
        expect.objectContaining({ granted: [], withdrawn: ['functional', 'analytics', 'marketing'] }),
      ],
    ]);
    await page.context().close();
  });

  test('the long name of the objection leaves the settings as low as they are', async () => {
    const page = await shop.visit('/', CALIFORNIA);
    await button(page, DO_NOT_SELL).waitFor();
    const heights = await Promise.all(
      [DO_NOT_SELL, 'OK', 'Settings'].map(
        async (name) => (await button(page, name).boundingBox())?.height ?? 0,
      ),
    );
    expect(heights[1]).toBe(heights[0]);
    expect(heights[2]).toBeLessThan(60);
  });

  test('a refusal of one’s own holds on under a new policy version, for new categories, and when it has expired', async () => {
    const page = await shop.visit('/', CALIFORNIA);
    await button(page, DO_NOT_SELL).click();
    await recordOf(page);
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const extra = { key: 'extra', name: 'Extra', description: 'More.', required: false, google_consent: [] };
    const after = async () => {
      await page.reload();
      await button(page, DO_NOT_SELL).waitFor();
      // What would run has been released before the notice is shown.
      expect(await ran(page)).toEqual([]);
      expect(await notes(page)).toContainEqual([
        'rule',
        expect.objectContaining({
          rule: 'opt_out',
          categories: expect.objectContaining({ analytics: false }),
        }),
      ]);
    };
    try {
      await shop.publish({ policy_version: '2027-01' });
      await after();
      await shop.publish({
        policy_version: settings.policy_version,
        categories: [...settings.categories, extra],
      });
      await after();
      expect((await notes(page)).at(0)?.[1]).toMatchObject({ categories: { extra: false } });
    } finally {
      await shop.publish({ policy_version: settings.policy_version, categories: settings.categories });
    }
    await page.evaluate((key) => {
      const memory = JSON.parse(localStorage.getItem(key) as string);
      localStorage.setItem(key, JSON.stringify({ ...memory, at: memory.at - 1000 * 86_400_000 }));
    }, `avow:${shop.token}`);
    await after();
    await page.context().close();
  });

  test('opt-in: nothing runs or is stored before a decision, and the record says where it was', async () => {
    const page = await shop.visit('/', BERLIN);
    await button(page, 'Accept all').waitFor();
    expect(await ran(page)).toEqual([]);
    expect(await stored(page)).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    expect(await button(page, 'OK').count()).toBe(0);
    await button(page, 'Accept all').click();
    expect(await recordOf(page)).toMatchObject({ decision: 'accept_all', region: 'DE', rule: 'opt_in' });
    await until('the script', async () => (await ran(page)).includes('/analytics.js'));
    expect((await notes(page))[0]).toEqual([
      'rule',
      {
        region: 'DE',
        rule: 'opt_in',
        categories: { necessary: true, functional: false, analytics: false, marketing: false },
      },
    ]);
    await page.context().close();
  });

  test('opt-out: everything runs at once, the notice offers to object as prominently as to close it', async () => {
    const page = await shop.visit('/', CALIFORNIA);
    await until('the script', async () => (await ran(page)).includes('/analytics.js'));
    await button(page, DO_NOT_SELL).waitFor();
    expect(await consentOf(page)).toBeNull();
    expect(await analyticsStorage(page)).toBe('granted');
    expect(await stored(page)).toEqual([]);
    expect(await button(page, 'Accept all').count()).toBe(0);
    const looks = await Promise.all(
      ['OK', DO_NOT_SELL].map((name) =>
        button(page, name).evaluate((element) => {
          const { backgroundColor, color, fontSize, fontWeight } = getComputedStyle(element);
          return [backgroundColor, color, fontSize, fontWeight, element.className];
        }),
      ),
    );
    expect(looks[0]).toEqual(looks[1]);
    const [rule, ...others] = await notes(page);
    expect([rule?.[1].region, rule?.[1].rule, others]).toEqual(['US', 'opt_out', []]);
    // Who listens later is told at once.
    const later = await page.evaluate(() => {
      let told: unknown;
      (window.Avow as AvowBanner).on('rule', (detail) => {
        told = detail.categories;
      });
      return told;
    });
    expect(later).toEqual({ necessary: true, functional: true, analytics: true, marketing: true });
    await button(page, DO_NOT_SELL).click();
    expect(await recordOf(page)).toMatchObject({
      ...{ decision: 'reject_all', method: 'banner', region: 'US', rule: 'opt_out' },
      categories: { functional: false, analytics: false, marketing: false },
    });
    expect(await analyticsStorage(page)).toBe('denied');
    await page.reload();
    await button(page, DO_NOT_SELL).waitFor();
    expect(await ran(page)).toEqual([]);
    expect(await dialog(page).count()).toBe(0);
    // The control has the name that laws give to what it leads to.
    await button(page, DO_NOT_SELL).click();
    await page.getByRole('switch', { name: 'Analytics' }).waitFor();
    expect(await page.getByRole('switch', { name: 'Analytics' }).isChecked()).toBe(false);
    await page.context().close();
  });

  test('to close a notice is no consent: nothing is recorded, no id is stored, and it does not come again', async () => {
    const before = (await records()).length;
    for (const where of [CALIFORNIA, TOKYO]) {
      const page = await shop.visit('/', where);
      await button(page, 'OK').click();
      await dialog(page).waitFor({ state: 'detached' });
      expect(await consentOf(page)).toBeNull();
      const items = await page.evaluate(() => ({ ...localStorage }));
      expect(items).toEqual({ [`avow:${shop.token}:notice`]: '1' });
      await page.reload();
      await until('the script', async () => (await ran(page)).includes('/analytics.js'));
      await page.locator('.control').waitFor();
      expect(await dialog(page).count()).toBe(0);
      // Settings that are closed again do not bring the notice back.
      await page.locator('.control').click();
      await page.getByRole('switch', { name: 'Analytics' }).waitFor();
      expect(await page.getByRole('switch', { name: 'Analytics' }).isChecked()).toBe(true);
      await button(page, 'Close').click();
      await dialog(page).waitFor({ state: 'detached' });
      expect(await dialog(page).count()).toBe(0);
      await page.context().close();
    }
    expect(await records()).toHaveLength(before);
    const { totals } = await shop.client.getAnalytics({ token: shop.token });
    expect(totals.accept_all).toBe(1);
  });

  test('notice: everything runs, visitors are told, and can choose in the settings', async () => {
    const page = await shop.visit('/', TOKYO);
    await until('the script', async () => (await ran(page)).includes('/analytics.js'));
    await button(page, 'OK').waitFor();
    expect(await button(page, DO_NOT_SELL).count()).toBe(0);
    await button(page, 'Settings').click();
    await page.getByRole('switch', { name: 'Marketing' }).uncheck();
    await button(page, 'Save choice').click();
    expect(await recordOf(page)).toMatchObject({
      ...{ decision: 'save_preferences', method: 'settings', region: 'JP', rule: 'notice' },
      categories: { functional: true, analytics: true, marketing: false },
    });
    await page.context().close();
  });

  test('Global Privacy Control refuses before anything runs', async () => {
    const context = await shop.browser.newContext(CALIFORNIA);
    await withGpc(context);
    const page = await shop.visit('/', context);
    await page.getByText('Global Privacy Control').waitFor();
    expect(await ran(page)).toEqual([]);
    expect(await analyticsStorage(page)).toBe('denied');
    expect(await recordOf(page)).toMatchObject({
      ...{ decision: 'reject_all', method: 'gpc', region: 'US', rule: 'opt_out' },
    });
    await page.reload();
    await button(page, DO_NOT_SELL).waitFor();
    expect(await ran(page)).toEqual([]);
    await context.close();
  });

  /** The next visit of a browser that sends the signal since. */
  const signalled = async (earlier: Page, where: object) => {
    const storageState = await earlier.context().storageState();
    await earlier.context().close();
    const context = await shop.browser.newContext({ ...where, storageState });
    await withGpc(context);
    return shop.visit('/', context);
  };
  const leaveOn = async (where: object) => {
    const page = await shop.visit('/', where);
    await button(page, 'Settings').click();
    await page.getByRole('switch', { name: 'Marketing' }).uncheck();
    await button(page, 'Save choice').click();
    const { consent_id, session_id } = await recordOf(page);
    expect(await consentOf(page)).toMatchObject({ method: 'settings', rule: expect.any(String) });
    return { page, consent_id, session_id };
  };
  const latest = async (session_id: string) =>
    (await shop.client.listConsents({ token: shop.token, session_id })).items[0];

  test.each([
    ['opt_out', CALIFORNIA],
    ['notice', TOKYO],
  ])(
    'under %s the signal undoes what was decided without it, until the visitor decides otherwise',
    async (rule, where) => {
      const left = await leaveOn(where);
      const page = await signalled(left.page, where);
      await page.getByText('Global Privacy Control').waitFor();
      expect(await ran(page)).toEqual([]);
      expect(await analyticsStorage(page)).toBe('denied');
      const record = await until('the record of the signal', async () => {
        const one = await latest(left.session_id);
        return one?.consent_id === left.consent_id ? undefined : one;
      });
      expect(record).toMatchObject({
        ...{ decision: 'reject_all', method: 'gpc', rule },
        categories: { functional: false, analytics: false, marketing: false },
      });
      // What is turned on while the browser sends it is said expressly.
      await button(page, 'Settings').click();
      await page.getByRole('switch', { name: 'Analytics' }).check();
      await button(page, 'Save choice').click();
      await page.reload();
      await until('the script', async () => (await ran(page)).includes('/analytics.js'));
      await page.locator('.control').waitFor();
      expect(await consentOf(page)).toMatchObject({ method: 'settings', categories: { analytics: true } });
      await page.context().close();
    },
  );

  test('when the signal ends, the rule holds again, and so does what the visitor has refused', async () => {
    const left = await leaveOn(CALIFORNIA);
    const page = await signalled(left.page, CALIFORNIA);
    await page.getByText('Global Privacy Control').waitFor();
    const storageState = await page.context().storageState();
    await page.context().close();
    const later = await shop.visit('/', { ...CALIFORNIA, storageState });
    await button(later, DO_NOT_SELL).waitFor();
    expect((await notes(later)).find(([name]) => name === 'rule')?.[1]).toMatchObject({
      categories: { functional: true, analytics: true, marketing: false },
    });
    expect(await consentOf(later)).toBeNull();
    await later.context().close();
  });

  test('where visitors are asked first, an earlier consent holds although the browser sends the signal since', async () => {
    const page = await shop.visit('/', BERLIN);
    await button(page, 'Accept all').click();
    await recordOf(page);
    const again = await signalled(page, BERLIN);
    await until('the script', async () => (await ran(again)).includes('/analytics.js'));
    expect(await consentOf(again)).toMatchObject({ decision: 'accept_all', rule: 'opt_in' });
    expect(await analyticsStorage(again)).toBe('granted');
    expect(await dialog(again).count()).toBe(0);
    // A journey: there the signal counts, also against a consent.
    const away = await signalled(again, CALIFORNIA);
    await away.getByText('Global Privacy Control').waitFor();
    expect(await ran(away)).toEqual([]);
    await away.context().close();
  });

  test('what was left on by a rule is no consent where one is needed: the visitor is asked there', async () => {
    const context = await shop.browser.newContext(TOKYO);
    const page = await shop.visit('/', context);
    await button(page, 'Settings').click();
    await button(page, 'Save choice').click();
    expect(await recordOf(page)).toMatchObject({ categories: { analytics: true }, rule: 'notice' });
    const state = await context.storageState();
    await context.close();
    const inBerlin = await shop.visit('/', { ...BERLIN, storageState: state });
    await button(inBerlin, 'Accept all').waitFor();
    expect(await ran(inBerlin)).toEqual([]);
    expect(await consentOf(inBerlin)).toBeNull();
    await inBerlin.context().close();
    const back = await shop.visit('/', { ...TOKYO, storageState: state });
    await until('the script', async () => (await ran(back)).includes('/analytics.js'));
    // It is what the page begins with, and no change.
    expect((await notes(back)).map(([name]) => name)).toEqual(['consent', 'rule']);
    expect(await dialog(back).count()).toBe(0);
    await back.context().close();
  });

  test.each([
    ['does not come', 'hang'],
    ['is an error', 'fail'],
    ['is refused', 'refuse'],
  ])('an answer that %s: the visitor is asked', async (_, how) => {
    const context = await shop.browser.newContext(CALIFORNIA);
    const page = await context.newPage();
    let asked = 0;
    await page.route('**/region?*', async (route) => {
      asked += 1;
      if (how === 'fail') await route.abort();
      if (how === 'refuse')
        await route.fulfill({ status: 403, json: { data: { code: 'forbidden', errors: [] } } });
    });
    await page.goto(shop.origin);
    await button(page, 'Accept all').waitFor();
    expect(asked).toBe(1);
    expect(await ran(page)).toEqual([]);
    await button(page, 'Reject all').click();
    const record = await recordOf(page);
    expect([record.rule, record.region]).toEqual(['opt_in', undefined]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('nothing is shown or run until the rule is known', async () => {
    const context = await shop.browser.newContext(CALIFORNIA);
    const page = await context.newPage();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/region?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(shop.origin);
    await page.waitForFunction(
      () => typeof (window.Avow as { getConsent?: unknown })?.getConsent === 'function',
    );
    await page.waitForTimeout(300);
    expect(await ran(page)).toEqual([]);
    expect(await dialog(page).count()).toBe(0);
    answer();
    await button(page, DO_NOT_SELL).waitFor();
    await context.close();
  });

  test('the browser’s cache keeps the answer for the next page', async () => {
    const context = await shop.browser.newContext(CALIFORNIA);
    const page = await context.newPage();
    const answered = jest.spyOn(shop.server.service.context.metrics, 'request');
    const answers = () => answered.mock.calls.filter(([operation]) => operation === 'getRegion').length;
    await page.goto(shop.origin);
    await button(page, DO_NOT_SELL).waitFor();
    await page.goto(`${shop.origin}/next`);
    await button(page, DO_NOT_SELL).waitFor();
    expect(await stored(page)).toEqual([]);
    expect(answers()).toBe(1);
    answered.mockRestore();
    await context.close();
  });

  test('a subdomain’s cookie keeps the rule, so that what it allows is not taken for a consent', async () => {
    const { banner } = (await shop.client.getEnvironment({ token: shop.token })).settings;
    await shop.publish({ banner: { ...banner, cookie: {} } });
    const context = await shop.browser.newContext(CALIFORNIA);
    const page = await shop.visit('/', context);
    await button(page, 'Settings').click();
    await button(page, 'Save choice').click();
    const [cookie] = await context.cookies();
    expect(cookie?.value).toMatch(/&rule=opt_out$/);
    expect(cookie?.value).not.toContain('&gpc=');
    const read = readCookie(`${cookie?.name}=${cookie?.value}`, shop.token);
    expect([read?.rule, allows(read, 'analytics'), isConsented(read, 'analytics')]).toEqual([
      ...['opt_out', true, false],
    ]);
    await context.close();
    // On another subdomain the signal undoes it, and what is said under the signal holds.
    for (const [value, method] of [
      [cookie?.value, 'gpc'],
      [cookie?.value.replace('&rule', '&gpc=1&rule'), 'settings'],
    ] as const) {
      const elsewhere = await shop.browser.newContext(CALIFORNIA);
      await withGpc(elsewhere);
      await elsewhere.addCookies([{ ...cookie, value } as NonNullable<typeof cookie>]);
      const there = await shop.visit('/', elsewhere);
      await until('the decision', async () => (await consentOf(there))?.method === method);
      await there.locator('.control, dialog[open]').first().waitFor();
      expect((await consentOf(there))?.method).toBe(method);
      await elsewhere.close();
    }
    const inBerlin = await shop.browser.newContext(BERLIN);
    await inBerlin.addCookies([cookie as NonNullable<typeof cookie>]);
    const asked = await shop.visit('/', inBerlin);
    await button(asked, 'Accept all').waitFor();
    expect(await ran(asked)).toEqual([]);
    await inBerlin.close();
    await shop.publish({ banner });
  });

  test('another subdomain knows what the visitor had refused before the signal, also of categories that came later', async () => {
    const { banner, policy_version } = (await shop.client.getEnvironment({ token: shop.token })).settings;
    await shop.publish({ banner: { ...banner, cookie: {} } });
    type Cookie = Awaited<ReturnType<BrowserContext['cookies']>>[number];
    /** What a subdomain leaves behind for the next. */
    const visit = async (
      cookie: Cookie | undefined,
      signal: boolean,
      act: (page: Page) => Promise<unknown>,
    ) => {
      const context = await shop.browser.newContext(CALIFORNIA);
      if (signal) await withGpc(context);
      if (cookie !== undefined) await context.addCookies([cookie]);
      await act(await shop.visit('/', context));
      const [left] = await context.cookies();
      await context.close();
      return left as Cookie;
    };
    const overruled = (page: Page) =>
      until('the signal', async () => (await consentOf(page))?.method === 'gpc');
    const begins = (categories: object) => async (page: Page) => {
      await button(page, DO_NOT_SELL).waitFor();
      expect((await notes(page)).find(([name]) => name === 'rule')?.[1]).toMatchObject({ categories });
      expect(await consentOf(page)).toBeNull();
    };
    const chosen = await visit(undefined, false, async (page) => {
      await button(page, 'Settings').click();
      await page.getByRole('switch', { name: 'Marketing' }).uncheck();
      await button(page, 'Save choice').click();
      await recordOf(page);
    });
    const partly = await visit(chosen, true, overruled);
    await visit(partly, false, begins({ functional: true, analytics: true, marketing: false }));
    // A cookie of before does not tell: anything may have been refused.
    const silent = { ...partly, value: partly.value.replace(/&gpc=[^&]*/, '') };
    await visit(silent, false, begins({ functional: false, analytics: false, marketing: false }));
    const nothing = await visit(undefined, false, async (page) => {
      await button(page, DO_NOT_SELL).click();
      await recordOf(page);
    });
    await shop.publish({ policy_version: `${policy_version}.1` });
    const wholly = await visit(nothing, true, overruled);
    expect(wholly.value).toMatch(/&gpc=\*&rule=opt_out$/);
    await visit(wholly, false, begins({ functional: false, analytics: false, marketing: false }));
    await shop.publish({ banner, policy_version });
  });

  test('a preview shows the rule that it is told, and asks nobody', async () => {
    const { script } = await shop.client.previewBundle({ token: shop.token, body: {} });
    const context = await shop.browser.newContext(BERLIN);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    shop.set('/empty', { snippet: '' });
    await page.goto(`${shop.elsewhere}/empty`);
    await page.evaluate((text) => {
      Object.assign(window, { Avow: { preview: true, rule: 'opt_out' } });
      const element = document.createElement('script');
      element.text = text;
      document.head.append(element);
    }, script);
    await button(page, DO_NOT_SELL).waitFor();
    expect(asked.filter((url) => url.includes('/region'))).toEqual([]);
    await context.close();
  });
});
