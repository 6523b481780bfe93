import type { Page, Request, Route } from 'playwright-core';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const DECISIONS = '**/api/v/*/ce';

describeInBrowser('talking to the server', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  /** Every request to the server of all pages of a new visitor. */
  const newVisitor = async () => {
    const context = await shop.browser.newContext();
    const requests: Request[] = [];
    context.on('request', (request) => {
      if (request.url().startsWith(shop.host)) requests.push(request);
    });
    return {
      context,
      requests,
      to: (part: string) => requests.filter((request) => request.url().includes(part)),
    };
  };
  const recordsOf = async (page: Page) => {
    const session_id = (await consentOf(page))?.session_id as string;
    return (await shop.client.listConsents({ token: shop.token, session_id })).items;
  };
  const confirmed = (page: Page) =>
    until('the server has confirmed', async () => (await memoryOf(page, shop.token))?.unsent.length === 0);

  test('one impression, one decision and one batch of interactions, all without a pre-flight; nothing on the next visit', async () => {
    const { context, requests, to } = await newVisitor();
    const page = await shop.visit('/', context);
    await press(page, 'Settings');
    await press(page, 'Close');
    await page.getByRole('dialog').waitFor();
    await press(page, 'Accept all');
    await confirmed(page);
    await page.goto(`${shop.origin}/next`);
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    expect(to('/impressions/').map((request) => request.method())).toEqual(['POST']);
    expect(to('/ce').map((request) => request.method())).toEqual(['POST']);
    expect(requests.map((request) => request.method())).not.toContain('OPTIONS');
    // Sent while the page was left: only the server knows of it.
    const interactions = await until('the interactions are counted', async () => {
      const report = await shop.client.getAnalytics({ token: shop.token });
      return report.interactions.length > 0 && report.interactions;
    });
    expect(Object.fromEntries(interactions.map(({ name, count }) => [name, count]))).toEqual({
      banner_shown: 2,
      settings_opened: 1,
    });
    const before = requests.length;
    await page.goto(`${shop.origin}/third`);
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    await page.goto('about:blank');
    // The script comes from the browser's cache.
    expect(requests.slice(before).filter((request) => !request.url().endsWith('.js'))).toEqual([]);
    await context.close();
  });

  test('nothing is stored before a choice, and no cookie ever', async () => {
    const { context } = await newVisitor();
    const page = await shop.visit('/', context);
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
    await press(page, 'Reject all');
    await confirmed(page);
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([1, 0]);
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  test.each([
    ['is dead', (route: Route) => route.abort()],
    ['is overloaded', (route: Route) => route.fulfill({ status: 503, body: '{}' })],
    ['limits the rate', (route: Route) => route.fulfill({ status: 429, body: '{}' })],
  ])(
    'when the server %s, the choice counts at once, and is sent once on the next page view',
    async (_, answer) => {
      const { context } = await newVisitor();
      await context.route(DECISIONS, answer);
      await context.route('**/api/impressions/**', answer);
      const page = await shop.visit('/', context);
      await press(page, 'Accept all');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
      await press(page, 'Privacy settings');
      await press(page, 'Reject all');
      const kept = (await memoryOf(page, shop.token)).unsent;
      expect(kept.map(({ decision }: { decision: string }) => decision)).toEqual([
        'accept_all',
        'reject_all',
      ]);
      await context.unroute(DECISIONS);
      await page.goto(`${shop.origin}/next`);
      await confirmed(page);
      expect((await recordsOf(page)).map(({ decision }) => decision)).toEqual(['reject_all', 'accept_all']);
      await context.close();
    },
  );

  test('offline the choice counts, and is sent when the network is back', async () => {
    const { context } = await newVisitor();
    const page = await shop.visit('/', context);
    await page.getByRole('dialog').waitFor();
    await context.setOffline(true);
    await press(page, 'Reject all');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await memoryOf(page, shop.token)).unsent).toHaveLength(1);
    await context.setOffline(false);
    await confirmed(page);
    expect(await recordsOf(page)).toHaveLength(1);
    await context.close();
  });

  test('an answer that is lost does not make a second record', async () => {
    const { context } = await newVisitor();
    let lost = 0;
    await context.route(DECISIONS, async (route) => {
      // The server gets it, and the page does not hear of it.
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    const page = await shop.visit('/', context);
    await press(page, 'Accept all');
    await until('the answer is lost', async () => lost > 0);
    await context.unroute(DECISIONS);
    await page.goto(`${shop.origin}/next`);
    await confirmed(page);
    expect(await recordsOf(page)).toHaveLength(1);
    await context.close();
  });

  test('a page that is left right after the choice has told it all the same', async () => {
    const { context } = await newVisitor();
    // A page without the script: nothing can be sent again from there.
    shop.set('/bare', { snippet: '' });
    const page = await shop.visit('/', context);
    await page.getByRole('dialog').waitFor();
    await page.evaluate(() => {
      (window.Avow as unknown as { accept(): void }).accept();
      location.href = '/bare';
    });
    await page.waitForURL('**/bare');
    const session = (await memoryOf(page, shop.token)).session_id;
    const records = await until('the owner finds it', async () => {
      const { items } = await shop.client.listConsents({ token: shop.token, session_id: session });
      return items.length > 0 && items;
    });
    expect(records).toHaveLength(1);
    await context.close();
  });

  test('decisions that a page leaves unsent arrive in their order, also when the first is delayed', async () => {
    const { context } = await newVisitor();
    shop.set('/bare', { snippet: '' });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let answered = 0;
    let delayed = 0;
    await context.route(DECISIONS, async (route) => {
      const { decision, earlier } = route.request().postDataJSON();
      // The first decision by itself arrives when everything else has been answered.
      if (decision === 'accept_all' && !earlier) {
        delayed += 1;
        await held;
      }
      // By ourselves: the page that asked is gone by then.
      const { url, body } = { url: route.request().url(), body: route.request().postData() };
      const { status } = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'text/plain' },
      });
      if (status === 202) answered += 1;
      await route.abort().catch(() => undefined);
    });
    const page = await shop.visit('/', context);
    await press(page, 'Accept all');
    await press(page, 'Privacy settings');
    await press(page, 'Reject all');
    const { session_id } = await memoryOf(page, shop.token);
    // Twice: a driver can delay the requests of a page alone while that is there.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
    await page.goto(`${shop.origin}/bare`);
    const decisions = async () =>
      (await shop.client.listConsents({ token: shop.token, session_id })).items.map(
        ({ decision }) => decision,
      );
    await until('the last decision has arrived', async () => (await decisions()).includes('reject_all'));
    expect(await decisions()).toEqual(['reject_all', 'accept_all']);
    const before = answered;
    expect(delayed).toBe(1);
    release();
    await until('the delayed one has arrived', async () => answered > before);
    expect(await decisions()).toEqual(['reject_all', 'accept_all']);
    expect(await shop.server.visitor.getPreferences({ token: shop.token, session_id })).toMatchObject({
      decision: 'reject_all',
    });
    // On the next page view both are confirmed, and recorded once.
    await context.unroute(DECISIONS);
    await page.goto(`${shop.origin}/next`);
    await confirmed(page);
    expect(await decisions()).toEqual(['reject_all', 'accept_all']);
    await context.close();
  });

  test('what the server refuses for good is not sent again', async () => {
    const { context, to } = await newVisitor();
    await context.route(DECISIONS, (route) =>
      route.fulfill({ status: 400, body: '{}', headers: { 'Access-Control-Allow-Origin': '*' } }),
    );
    const page = await shop.visit('/', context);
    await press(page, 'Accept all');
    await confirmed(page);
    await page.goto(`${shop.origin}/next`);
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    expect(to('/ce')).toHaveLength(1);
    await context.close();
  });

  const STORAGES: [string, () => void][] = [
    [
      'disabled',
      () =>
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('The operation is insecure.', 'SecurityError');
          },
        }),
    ],
    [
      'full',
      () => {
        Storage.prototype.setItem = () => {
          throw new DOMException('Full.', 'QuotaExceededError');
        };
      },
    ],
    [
      'filled with nonsense',
      () => {
        const { getItem, setItem } = Storage.prototype;
        Storage.prototype.getItem = () => '{"session_id":';
        Storage.prototype.setItem = function (key, value) {
          Storage.prototype.getItem = getItem;
          setItem.call(this, key, value);
        };
      },
    ],
  ];
  test.each(STORAGES)('with storage %s, the page works and the decision arrives', async (_, spoil) => {
    const { context } = await newVisitor();
    await context.addInitScript(spoil);
    const errors: string[] = [];
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(shop.origin);
    await press(page, 'Accept all');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const consent = await consentOf(page);
    expect(consent).toMatchObject({ decision: 'accept_all', categories: { analytics: true } });
    await until('the owner finds it', async () => {
      const session_id = consent?.session_id as string;
      return (await shop.client.listConsents({ token: shop.token, session_id })).items.length === 1;
    });
    await press(page, 'Privacy settings');
    await press(page, 'Reject all');
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', session_id: consent?.session_id });
    expect(errors).toEqual([]);
    await context.close();
  });

  test('consent that has expired, and a new category, ask again; nothing is allowed meanwhile', async () => {
    const { context } = await newVisitor();
    const page = await shop.visit('/', context);
    await press(page, 'Accept all');
    await confirmed(page);
    const key = `avow:${shop.token}`;
    const age = (days: number) =>
      page.evaluate(
        ([name, by]) => {
          const memory = JSON.parse(localStorage.getItem(name) as string);
          localStorage.setItem(name, JSON.stringify({ ...memory, at: memory.at - by * 86_400_000 }));
        },
        [key, days] as const,
      );
    await age(179);
    await page.reload();
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    await age(2);
    await page.reload();
    await page.getByRole('dialog').waitFor();
    expect(await consentOf(page)).toBeNull();
    await press(page, 'Accept all');
    await confirmed(page);
    const { categories } = (await shop.client.getEnvironment({ token: shop.token })).settings;
    await shop.publish({
      categories: [
        ...categories,
        { key: 'chat', name: 'Chat', description: 'Talks to us.', required: false },
      ],
    });
    await page.reload();
    await press(page, 'Settings');
    expect(await page.getByRole('switch', { name: 'Chat' }).isChecked()).toBe(false);
    expect(await page.getByRole('switch', { name: 'Analytics' }).isChecked()).toBe(true);
    await context.close();
  });
});
