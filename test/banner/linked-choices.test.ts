import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page, Route } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { readCookie } from '../helpers/banner/cookie';
import {
  confirmed,
  decide,
  gate,
  isAsked,
  type LinkedShop,
  lead,
  linkedTo,
  openLinkedShop,
  taken,
} from '../helpers/banner/linked';
import { consentOf, memoryOf } from '../helpers/banner/shop';
import { avow, blocked, ran, runs } from '../helpers/banner/vendors';
import { describeInBrowser } from '../helpers/browser/browser';
import { testOf } from '../helpers/site/two-banners';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const TAKE = '**/link/take';

describeInBrowser('a choice that a link takes along', () => {
  let shop: LinkedShop;
  beforeAll(async () => {
    shop = await openLinkedShop();
  });
  afterAll(() => shop?.stop());

  const sessionOf = async (page: Page) => (await consentOf(page))?.session_id as string;
  /** Sends Global Privacy Control, as the browser does: to pages and, where they ask, to servers. */
  const withGpc = (context: BrowserContext, host = '') =>
    context.addInitScript((part) => {
      if (location.hostname.includes(part))
        Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true });
    }, host);
  const latest = async (session: string) => (await shop.records(session))[0];

  describe('is refused', () => {
    test('where it comes from a page that is none of the site’s', async () => {
      const page = await shop.decided();
      const url = await linkedTo(page, `${shop.books}/#part`);
      const asked: string[] = [];
      page.on('request', (request) => void (request.url().includes('/link') && asked.push(request.url())));
      await page.goto(shop.elsewhere);
      await lead(page, url);
      expect(await isAsked(page)).toBe(true);
      // It is in no address that the visitor may hand on.
      expect(page.url()).toBe(`${shop.books}/#part`);
      expect(asked).toEqual([]);
      await page.context().close();
    });

    test('where the address was typed', async () => {
      const page = await shop.decided();
      const url = await linkedTo(page, `${shop.books}/`);
      const other = await page.context().newPage();
      await other.goto(url);
      expect(await isAsked(other)).toBe(true);
      expect(other.url()).toBe(`${shop.books}/`);
      await page.context().close();
    });

    test('where it comes from a page of the same domain', async () => {
      const page = await shop.decided();
      const url = await linkedTo(page, `${shop.books}/`);
      const asked: string[] = [];
      page.on('request', (request) => void (request.url().endsWith('/take') && asked.push(request.url())));
      await page.goto(`${shop.books}/there`);
      // Another view: else only the fragment changes.
      await lead(page, url);
      expect(await isAsked(page)).toBe(true);
      expect(page.url()).toBe(`${shop.books}/`);
      expect(asked).toEqual([]);
      await page.context().close();
    });

    test('the second time', async () => {
      const page = await shop.decided();
      const context = page.context();
      const url = await linkedTo(page, `${shop.books}/`);
      await lead(page, url);
      await taken(page);
      await page.evaluate(() => localStorage.clear());
      await page.goto(shop.origin);
      await lead(page, url);
      expect(await isAsked(page)).toBe(true);
      await context.close();
    });

    test('where the browser sends Global Privacy Control, by either side', async () => {
      const arriving = await shop.decided();
      const url = await linkedTo(arriving, `${shop.books}/`);
      await withGpc(arriving.context(), 'books');
      await lead(arriving, url);
      await until('the browser’s refusal', async () => (await consentOf(arriving))?.method === 'gpc');
      await arriving.context().close();
      const leaving = await shop.decided();
      await withGpc(leaving.context(), 'shop');
      await leaving.reload();
      await taken(leaving);
      expect(await linkedTo(leaving, `${shop.books}/`)).toBe(`${shop.books}/`);
      await leaving.context().close();
    });

    test('where another policy is in force by now', async () => {
      const page = await shop.decided();
      const url = await linkedTo(page, `${shop.books}/`);
      const { settings } = await shop.client.getEnvironment({ token: shop.token });
      await shop.publish({ policy_version: 'another' });
      await lead(page, url);
      expect(await isAsked(page)).toBe(true);
      await shop.publish({ policy_version: settings.policy_version });
      await page.context().close();
    });

    test('where it was withdrawn since', async () => {
      const page = await shop.decided();
      const session = await sessionOf(page);
      const url = await linkedTo(page, `${shop.books}/`);
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      await lead(page, url);
      expect(await isAsked(page)).toBe(true);
      expect((await shop.records(session)).map(({ decision }) => decision)).toEqual([
        'reject_all',
        'accept_all',
      ]);
      await page.context().close();
    });

    test('while something waits to be sent, and in a preview', async () => {
      const page = await shop.decided();
      await page.route('**/ce', (route) => route.abort());
      await decide(page, 'reject');
      expect(await linkedTo(page, `${shop.books}/`)).toBe(`${shop.books}/`);
      await page.unroute('**/ce');
      const { immutable_url } = await shop.publish();
      shop.set('/preview', {
        snippet: `<script>window.Avow = { preview: true }</script><script src="${immutable_url}"></script>`,
      });
      await page.goto(`${shop.origin}/preview`);
      expect(await linkedTo(page, `${shop.books}/`)).toBe(`${shop.books}/`);
      await page.context().close();
    });
  });

  test('a refusal is taken along like a consent', async () => {
    const page = await shop.decided('reject');
    const session = await sessionOf(page);
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', session_id: session });
    await page.context().close();
  });

  test('a withdrawal on either domain is of the same visitor', async () => {
    const page = await shop.decided();
    const session = await sessionOf(page);
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    await decide(page, 'reject');
    await confirmed(page, shop.token);
    expect((await shop.records(session)).map(({ decision, method }) => [decision, method])).toEqual([
      ['reject_all', 'api'],
      ['accept_all', 'link'],
      ['accept_all', 'api'],
    ]);
    // And it goes back.
    await lead(page, await linkedTo(page, `${shop.origin}/`));
    await until('the withdrawal', async () => (await consentOf(page))?.decision === 'reject_all');
    await page.context().close();
  });

  describe('with a server that is slow', () => {
    test('a press goes on without a token after a moment', async () => {
      const page = await shop.decided();
      const late = gate();
      await page.route(/\/link$/, async (route) => {
        await late.opened;
        await route.abort();
      });
      await page.locator('#out').click();
      await page.waitForURL(`${shop.books}/**`);
      expect(page.url()).toBe(`${shop.books}/`);
      expect(await isAsked(page)).toBe(true);
      late.open();
      await page.context().close();
    });

    const slowly = async (answer: (route: Route) => Promise<void>) => {
      const page = await shop.decided();
      const session = await sessionOf(page);
      const late = gate();
      await page.context().route(TAKE, async (route) => {
        await late.opened;
        await answer(route);
      });
      await lead(page, await linkedTo(page, `${shop.books}/`));
      expect(await isAsked(page)).toBe(true);
      return { page, session, late };
    };

    test('the visitor is asked, and gives the answer', async () => {
      const { page, late } = await slowly((route) => route.continue());
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('switch', { name: 'Analytics' }).check();
      const answered = page.waitForResponse(TAKE);
      late.open();
      await (await answered).finished();
      // What comes of it has come.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      expect(await consentOf(page)).toBeNull();
      await page.getByRole('button', { name: 'Save' }).click();
      await confirmed(page, shop.token);
      expect(await consentOf(page)).toMatchObject({
        ...{ decision: 'save_preferences', method: 'settings' },
        categories: { functional: false, analytics: true, marketing: false },
      });
      await page.context().close();
    });

    test('who has closed what asked is not answered for either', async () => {
      const { page, late } = await slowly((route) => route.continue());
      await page.evaluate(() => (window.Avow as AvowBanner).hide());
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const answered = page.waitForResponse(TAKE);
      late.open();
      await (await answered).finished();
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      expect(await consentOf(page)).toBeNull();
      await page.context().close();
    });

    test('a refusal is taken, and closes the settings, whose switches would bring back what was allowed', async () => {
      const page = await shop.decided();
      await lead(page, await linkedTo(page, `${shop.books}/`));
      await taken(page);
      await page.goto(shop.origin);
      await taken(page);
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      const late = gate();
      await page.context().route(TAKE, async (route) => {
        await late.opened;
        await route.continue();
      });
      await lead(page, await linkedTo(page, `${shop.books}/`));
      await taken(page);
      await page.evaluate(() => (window.Avow as AvowBanner).show('settings'));
      const settings = page.getByRole('dialog');
      await settings.waitFor();
      late.open();
      await until('it is refused', async () => (await consentOf(page))?.decision === 'reject_all');
      await settings.waitFor({ state: 'detached' });
      await page.context().close();
    });

    test('an answer of another form stops nothing', async () => {
      const { settings } = await shop.client.getEnvironment({ token: shop.token });
      // What the server has said since the program was made.
      const data = { session_id: 1, policy_version: settings.policy_version };
      const { page, late } = await slowly((route) =>
        route.fulfill({ status: 201, headers: { 'access-control-allow-origin': '*' }, json: { data } }),
      );
      late.open();
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', method: 'api' });
      await page.context().close();
    });

    test('an error is no answer', async () => {
      const { page, late } = await slowly((route) => route.abort());
      late.open();
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      await page.context().close();
    });
  });

  test('each domain keeps what was decided there by hand, by another session', async () => {
    const context = await shop.browser.newContext();
    const books = await context.newPage();
    await books.goto(shop.books);
    await books.getByRole('dialog').waitFor();
    await decide(books, 'accept');
    await confirmed(books, shop.token);
    const own = await sessionOf(books);
    const page = await shop.decided('reject', context);
    const session = await sessionOf(page);
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/take'));
    await lead(page, await linkedTo(page, `${shop.books}/`));
    expect((await refused).status()).toBeGreaterThanOrEqual(400);
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all', session_id: own });
    expect((await shop.records(session)).map(({ method }) => method)).toEqual(['api']);
    await context.close();
  });

  describe('where a link has taken it along before', () => {
    /** A visitor who has come from the shop once, and is back there. */
    async function back(): Promise<Page> {
      const page = await shop.decided();
      await lead(page, await linkedTo(page, `${shop.books}/`));
      await taken(page);
      await page.goto(shop.origin);
      await taken(page);
      return page;
    }

    test('a change is taken over without a question, the page is told of it, and other tabs follow', async () => {
      const page = await back();
      const books = await page.context().newPage();
      await books.goto(shop.books);
      await taken(books);
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      const session = await sessionOf(page);
      shop.set('/told', {
        head: `<script>document.addEventListener('avow:change', ({ detail }) => (window.ran ??= []).push(...detail.withdrawn))</script>`,
      });
      await lead(page, await linkedTo(page, `${shop.books}/told`));
      await until('the newer one', async () => (await consentOf(page))?.decision === 'reject_all');
      expect(await consentOf(page)).toMatchObject({ method: 'link', session_id: session });
      await runs(page, ['functional', 'analytics', 'marketing']);
      expect(await page.getByRole('dialog').count()).toBe(0);
      await until('it follows', async () => (await consentOf(books))?.decision === 'reject_all');
      await page.context().close();
    });

    test('the same again changes nothing, and the page is told of it once', async () => {
      const page = await back();
      shop.set('/again', {
        head: `<script>document.addEventListener('avow:consent', ({ detail }) => (window.ran ??= []).push(detail.recorded_at))</script>`,
      });
      const before = await page.context().newPage();
      await before.goto(shop.books);
      const { at } = await memoryOf(before, shop.token);
      const answered = page.waitForResponse((answer) => answer.url().endsWith('/take'));
      await lead(page, await linkedTo(page, `${shop.books}/again`));
      expect((await answered).status()).toBe(201);
      // What is sent now waits until the answer has been judged.
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      const told = await page.evaluate(() => (window as unknown as { ran: string[] }).ran);
      const made = (await memoryOf(page, shop.token)).at;
      expect(told.map(Date.parse)).toEqual([at, made]);
      await page.context().close();
    });
  });

  describe('with a cookie for subdomains', () => {
    let old: string;
    let banner: Awaited<ReturnType<LinkedShop['client']['getEnvironment']>>['settings']['banner'];
    beforeAll(async () => {
      const { settings } = await shop.client.getEnvironment({ token: shop.token });
      banner = settings.banner;
      old = shop.books.replace('books', 'old.books');
      await shop.publish({
        banner: { ...banner, cookie: { domain: 'books.localhost', days: 30 } },
        linked_domains: [...(settings.linked_domains ?? []), 'old.books.localhost'],
      });
    });
    afterAll(() => shop.publish({ banner, linked_domains: ['shop.localhost', 'books.localhost'] }));

    test('it has the choice, and no link between them takes anything', async () => {
      const page = await shop.decided();
      const session = await sessionOf(page);
      await lead(page, await linkedTo(page, `${shop.books}/`));
      await taken(page);
      const cookies = await page.context().cookies([shop.books]);
      const header = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      expect(readCookie(header, shop.token)).toMatchObject({ method: 'link', session_id: session });
      expect(await linkedTo(page, `${old}/`)).toBe(`${old}/`);
      const toOld = await linkedTo(page, `${shop.origin}/`);
      expect(toOld).toContain('#avow=');
      await page.goto(old);
      await taken(page);
      expect(await consentOf(page)).toMatchObject({ decision: 'accept_all', session_id: session });
      expect(await linkedTo(page, `${shop.origin}/`)).toContain('#avow=');
      // Nor does an address that somebody has made.
      const asked: string[] = [];
      page.on('request', (request) => void (request.url().endsWith('/take') && asked.push(request.url())));
      await lead(page, `${shop.books}/${new URL(toOld).hash}`);
      await taken(page);
      expect(page.url()).toBe(`${shop.books}/`);
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      expect(asked).toEqual([]);
      await page.context().close();
    });

    test('what waits on another host is dropped where a link has brought the choice: no page states it', async () => {
      const page = await shop.decided();
      const session = await sessionOf(page);
      await lead(page, await linkedTo(page, `${shop.books}/`));
      await taken(page);
      const other = await page.context().newPage();
      await other.route('**/ce', (route) => route.abort());
      await other.goto(old);
      await taken(other);
      await decide(other, 'accept');
      // What is stated for another session, too, is no part of that.
      const elsewhere = randomUUID();
      const asked = await memoryOf(other, shop.token);
      const [own] = asked.unsent;
      const stating = { ...own, event_id: randomUUID(), session_id: elsewhere, decision: 'reject_all' };
      await other.evaluate(([key, text]) => localStorage.setItem(key, text), [
        `avow:${shop.token}`,
        JSON.stringify({ ...asked, unsent: [stating, own] }),
      ] as const);
      await page.goto(shop.origin);
      await taken(page);
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      await lead(page, await linkedTo(page, `${shop.books}/`));
      await until('it is taken', async () => (await consentOf(page))?.decision === 'reject_all');
      const stated: string[] = [];
      other.on('request', (request) => void (request.url().endsWith('/ce') && stated.push(request.url())));
      await other.unroute('**/ce');
      await other.reload();
      await confirmed(other, shop.token);
      expect(await consentOf(other)).toMatchObject({ decision: 'reject_all', method: 'link' });
      expect(stated).toHaveLength(1);
      expect((await shop.records(elsewhere)).map(({ decision }) => decision)).toEqual(['reject_all']);
      expect((await shop.records(session)).map(({ decision, method }) => [decision, method])).toEqual([
        ['reject_all', 'link'],
        ['reject_all', 'api'],
        ['accept_all', 'link'],
        ['accept_all', 'api'],
      ]);
      await page.context().close();
    });
  });

  test('where visitors are asked by region, the rule is as it was, or nothing is taken', async () => {
    await shop.publish({ regions: { rules: 'law' } });
    const page = await shop.decided('accept', { timezoneId: 'Europe/Berlin' });
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    expect(await consentOf(page)).toMatchObject({ method: 'link', rule: 'opt_in' });
    expect(await latest(await sessionOf(page))).toMatchObject({ method: 'link', rule: 'opt_in' });
    await page.context().close();
    await shop.publish({ regions: null, policy_version: 'after' });
  });

  test('what waits that nobody has marked up is let pass', async () => {
    const port = new URL(shop.origin).port;
    const rules = [{ place: 'tracker.localhost', category: 'analytics' }];
    const { snippet_pinned: snippet } = await shop.publish({
      auto_blocking: { enabled: true, unclassified: null, rules },
    });
    shop.set('/held', { snippet, head: `<script src="http://tracker.localhost:${port}/held.js"></script>` });
    const page = await shop.decided();
    await lead(page, await linkedTo(page, `${shop.books}/held`));
    await runs(page, ['/held.js']);
    expect(await avow(page, (banner) => banner.held?.()[0]?.released)).toBe(true);
    await shop.publish({ auto_blocking: null });
    await page.context().close();
  });

  test('it is no answer of a test of two banners', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ banner_test: testOf(settings) });
    const page = await shop.decided();
    const { current: before } = await shop.client.getBannerTest({ token: shop.token });
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all', method: 'link' });
    const { current } = await shop.client.getBannerTest({ token: shop.token });
    const counts = (of: typeof current) => [of?.a.impressions, of?.b.impressions];
    expect(counts(current)).toEqual(counts(before));
    await shop.publish({ banner_test: null });
    await page.context().close();
  });

  test.each([false, true])('a choice by vendor comes whole (auto-blocking: %s)', async (holds) => {
    await shop.client.replaceVendors({
      token: shop.token,
      body: {
        vendors: [755, 801].map((id) => ({
          ...{ id, name: `Vendor ${id}`, categories: ['marketing'] },
          ...{ purposes: [], leg_int_purposes: [], urls: [], cookies: [] },
        })),
      },
    });
    const rules = [{ place: 'tracker.localhost', category: 'analytics' }];
    await shop.publish({
      choice_by_vendor: true,
      auto_blocking: holds ? { enabled: true, unclassified: null, rules } : null,
    });
    shop.set('/vendors', { head: blocked('one', 'marketing', 755) + blocked('two', 'marketing', 801) });
    const page = await shop.visit();
    await page.getByRole('dialog').waitFor();
    await page.evaluate(() => (window.Avow as AvowBanner).save({ marketing: true }, { 755: false }));
    await confirmed(page, shop.token);
    await lead(page, await linkedTo(page, `${shop.books}/vendors`));
    await runs(page, ['two']);
    expect(await ran(page)).toEqual(['two']);
    const vendors = { 755: false, 801: true };
    expect(await consentOf(page)).toMatchObject({ method: 'link', vendors });
    expect((await memoryOf(page, shop.token)).vendors).toEqual(vendors);
    expect(await latest(await sessionOf(page))).toMatchObject({ method: 'link', vendors });
    await page.context().close();
    await shop.publish({ choice_by_vendor: false, auto_blocking: null });
  });
});
