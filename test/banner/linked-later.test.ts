import type { Page, Response } from 'playwright-core';
import {
  confirmed,
  decide,
  gate,
  type LinkedShop,
  lead,
  linkedTo,
  openLinkedShop,
  taken,
} from '../helpers/banner/linked';
import { consentOf, memoryOf } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { engine } from '../helpers/browser/engine';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const TAKE = '**/link/take';
const DAY = 86_400;
const ALL = { functional: true, analytics: true, marketing: true };

interface Own {
  session_id: string;
  categories: Record<string, boolean>;
  from_link?: boolean;
  in_force?: boolean;
}

describeInBrowser('a choice that a link brings to a domain that may have one', () => {
  let shop: LinkedShop;
  beforeAll(async () => {
    shop = await openLinkedShop();
  });
  afterAll(() => shop?.stop());

  const sessionOf = async (page: Page) => (await consentOf(page))?.session_id as string;
  const saidOf = async (session: string) =>
    (await shop.records(session)).map(({ decision, method }) => [decision, method]);
  /** A visitor who has come from the shop once, and is back there. */
  async function back(): Promise<Page> {
    const page = await shop.decided();
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    await page.goto(shop.origin);
    await taken(page);
    return page;
  }
  /** Follows a link, and answers what the server was told of the choice of this domain, and what it answered. */
  async function follow(page: Page): Promise<{ own?: Own; answer: Response }> {
    const answered = page.waitForResponse(TAKE);
    await lead(page, await linkedTo(page, `${shop.books}/`));
    const answer = await answered;
    return { ...(answer.request().postDataJSON() as { own?: Own }), answer };
  }

  describe('says what is in force here', () => {
    test.each([
      ['has expired', () => ({ at: Date.now() - 4000 * DAY * 1000 })],
      ['is of another policy', () => ({ policy_version: 'another' })],
    ])('also where it %s', async (_why, change) => {
      const page = await back();
      const session_id = await sessionOf(page);
      await page.goto(shop.books);
      await page.evaluate(
        ([key, changed]) => {
          const stored = JSON.parse(localStorage.getItem(key) as string);
          localStorage.setItem(key, JSON.stringify({ ...stored, ...changed }));
        },
        [`avow:${shop.token}`, change()] as const,
      );
      await page.goto(shop.origin);
      const { own, answer } = await follow(page);
      // It allows as much.
      const said = { session_id, categories: ALL, from_link: true, in_force: false };
      expect([own, answer.status()]).toEqual([said, 201]);
      await page.context().close();
    });

    test('whose it is, what it allows, and that a link brought it', async () => {
      const page = await back();
      const session = await sessionOf(page);
      const { own } = await follow(page);
      expect(own).toEqual({ session_id: session, categories: ALL, from_link: true, in_force: true });
      await page.context().close();
    });

    test('and that it was made here', async () => {
      const context = await shop.browser.newContext();
      const books = await context.newPage();
      await books.goto(shop.books);
      await books.getByRole('dialog').waitFor();
      await decide(books, 'accept');
      await confirmed(books, shop.token);
      const page = await shop.decided('reject', context);
      const { own, answer } = await follow(page);
      expect(own).toEqual({
        session_id: await sessionOf(page),
        categories: ALL,
        from_link: false,
        in_force: true,
      });
      expect(answer.status()).toBe(404);
      await context.close();
    });
  });

  test.each([
    ['was made', 3 * DAY, 180 * DAY],
    ['would have been made to end then', 0, -5 * DAY],
  ])('it is of the time at which it %s', async (_when, decided_seconds_ago, more) => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const lifetime = (settings.consent_lifetime_days as number) * DAY;
    const page = await shop.decided();
    await page.context().route(TAKE, async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      const times = { decided_seconds_ago, expires_in_seconds: Math.min(lifetime, lifetime + more) };
      await route.fulfill({ response, json: { data: { ...data, ...times } } });
    });
    const before = Date.now();
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    const { at } = await memoryOf(page, shop.token);
    const age = 1000 * Math.max(decided_seconds_ago, -more);
    expect(at).toBeGreaterThanOrEqual(before - age);
    expect(at).toBeLessThanOrEqual(Date.now() - age);
    await page.context().close();
  });

  test('a page that is less safe is none of the others', async () => {
    // Only Chromium lets a test answer for a server with TLS that is not there.
    if (engine !== 'chromium') return;
    const page = await shop.decided();
    const { immutable_url } = await shop.publish();
    const script = await (await fetch(immutable_url)).text();
    await page
      .context()
      .route('https://books.localhost/**', (route) =>
        route.request().url().endsWith('.js')
          ? route.fulfill({ contentType: 'text/javascript', body: script })
          : route.fulfill({ contentType: 'text/html', body: '<script src="/avow.js"></script><p>Books</p>' }),
      );
    // The browser itself may keep this page from a server without TLS.
    await page.addInitScript(() => {
      const { fetch } = window;
      const asked: string[] = [];
      const listed = (...args: Parameters<typeof fetch>) => {
        asked.push(`${args[0]}`);
        return fetch(...args);
      };
      Object.assign(window, { asked, fetch: listed });
    });
    const safe = 'https://books.localhost/';
    expect(await linkedTo(page, safe)).toBe(safe);
    const { hash } = new URL(await linkedTo(page, `${shop.books}/`));
    expect(hash).toMatch(/^#avow=/);
    await lead(page, `${safe}${hash}`);
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(() => document.referrer)).toBe(`${shop.origin}/`);
    const asked = await page.evaluate(() => (window as unknown as { asked: string[] }).asked);
    expect(asked.filter((one) => one.endsWith('/take'))).toEqual([]);
    await page.context().close();
  });

  describe('while the answer is on its way', () => {
    /** A visitor who waits on the other domain. */
    async function slowly(page: Page) {
      const session = await sessionOf(page);
      const late = gate();
      await page.context().route(TAKE, async (route) => {
        await late.opened;
        await route.continue();
      });
      const sent: string[] = [];
      page.on('response', (one) => void sent.push(one.url().split('/').at(-1) as string));
      const url = await linkedTo(page, `${shop.books}/`);
      sent.length = 0;
      await lead(page, url);
      return { session, late, sent: () => sent.filter((name) => ['take', 'ce'].includes(name)) };
    }

    test('what is decided stays, and is the last on the server, in the session that came along, too', async () => {
      const page = await shop.decided();
      const { session, late, sent } = await slowly(page);
      await page.getByRole('dialog').waitFor();
      await decide(page, 'reject');
      const own = await sessionOf(page);
      expect(own).not.toBe(session);
      late.open();
      await until('all are answered', () => sent().length === 3);
      await confirmed(page, shop.token);
      expect(sent()).toEqual(['take', 'ce', 'ce']);
      expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', method: 'api', session_id: own });
      expect(await saidOf(own)).toEqual([['reject_all', 'api']]);
      expect(await saidOf(session)).toEqual([
        ['reject_all', 'api'],
        ['accept_all', 'link'],
        ['accept_all', 'api'],
      ]);
      const [stated, ...records] = await shop.records(session);
      expect(stated).toMatchObject({ page_url: `${shop.books}/`, bundle_hash: records[0]?.bundle_hash });
      await page.context().close();
    });

    test('but not where it allows more than what came along', async () => {
      const page = await shop.decided('reject');
      const { session, late, sent } = await slowly(page);
      await page.getByRole('dialog').waitFor();
      await decide(page, 'accept');
      const own = await sessionOf(page);
      late.open();
      await until('both are answered', () => sent().length === 2);
      await confirmed(page, shop.token);
      expect(await consentOf(page)).toMatchObject({ decision: 'accept_all', session_id: own });
      expect(await saidOf(own)).toEqual([['accept_all', 'api']]);
      expect(await saidOf(session)).toEqual([
        ['reject_all', 'link'],
        ['reject_all', 'api'],
      ]);
      await page.context().close();
    });

    test('what is decided in another tab is stated there, too', async () => {
      const page = await shop.decided();
      const books = await page.context().newPage();
      await books.goto(shop.books);
      await books.getByRole('dialog').waitFor();
      const { session, late } = await slowly(page);
      await page.getByRole('dialog').waitFor();
      await decide(books, 'reject');
      await confirmed(books, shop.token);
      const own = await sessionOf(books);
      late.open();
      await until('it is stated', async () => (await saidOf(session))[0]?.join() === 'reject_all,api');
      await confirmed(page, shop.token);
      expect(await saidOf(own)).toEqual([['reject_all', 'api']]);
      expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', session_id: own });
      await page.context().close();
    });

    test('what is decided in the same session is said once', async () => {
      const page = await back();
      const { session, late, sent } = await slowly(page);
      await taken(page);
      await decide(page, 'reject');
      late.open();
      await confirmed(page, shop.token);
      await until('both are answered', () => sent().length === 2);
      expect(sent()).toEqual(['take', 'ce']);
      expect((await saidOf(session))[0]).toEqual(['reject_all', 'api']);
      await page.context().close();
    });

    test('what is stated for two sessions goes by itself where the page is left', async () => {
      const page = await shop.decided();
      const { session, late, sent } = await slowly(page);
      await page.getByRole('dialog').waitFor();
      await page.route('**/ce', (route) => route.abort());
      await decide(page, 'reject');
      const own = await sessionOf(page);
      late.open();
      await until('two wait', async () => (await memoryOf(page, shop.token)).unsent.length === 2);
      expect(sent()).toEqual(['take']);
      await page.unroute('**/ce');
      await page.goto('about:blank');
      await until(
        'both',
        async () => (await saidOf(own)).length === 1 && (await saidOf(session)).length === 3,
      );
      await page.context().close();
    });
  });

  describe('on hosts that share a cookie', () => {
    test('a refusal that waits on another host stays', async () => {
      const { settings } = await shop.client.getEnvironment({ token: shop.token });
      const { banner } = settings;
      await shop.publish({ banner: { ...banner, cookie: { domain: 'books.localhost', days: 30 } } });
      const page = await back();
      const session = await sessionOf(page);
      const other = await page.context().newPage();
      await other.goto(shop.books.replace('books', 'old.books'));
      await taken(other);
      await other.route('**/ce', (route) => route.abort());
      await decide(other, 'reject');
      const { own, answer } = await follow(page);
      expect(own).toMatchObject({ session_id: session, from_link: false });
      expect(answer.status()).toBe(404);
      expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', session_id: session });
      await other.unroute('**/ce');
      await other.reload();
      await confirmed(other, shop.token);
      expect((await saidOf(session))[0]).toEqual(['reject_all', 'api']);
      await page.context().close();
      await shop.publish({ banner });
    });
  });
});
