import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
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
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const TAKE = '**/link/take';
const DAY = 86_400_000;
const SOME = { functional: true, analytics: true };

describeInBrowser('what a visitor refused by hand on a domain', () => {
  let shop: LinkedShop;
  beforeAll(async () => {
    shop = await openLinkedShop();
  });
  afterAll(() => shop?.stop());

  const storeOn = (page: Page, stored: object) =>
    page.evaluate(([key, text]) => localStorage.setItem(key, text), [
      `avow:${shop.token}`,
      JSON.stringify(stored),
    ] as const);
  async function saveSome(page: Page): Promise<void> {
    await page.evaluate((choice) => (window.Avow as AvowBanner).save(choice), SOME);
    await confirmed(page, shop.token);
  }
  /** Decides on the shop, follows a link, and answers what the other page stated of its own choice, and the answer's status. */
  async function bring(page: Page, how: 'accept' | 'reject') {
    await page.goto(shop.origin);
    await page.waitForFunction(() => 'link' in (window.Avow as object));
    await decide(page, how);
    await confirmed(page, shop.token);
    const answered = page.waitForResponse(TAKE);
    await lead(page, await linkedTo(page, `${shop.books}/`));
    const answer = await answered;
    return [answer.request().postDataJSON().own, answer.status()];
  }

  test('stays refused after a link has brought a refusal and another one a consent', async () => {
    const page = await shop.decided();
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    await saveSome(page);
    const { session_id } = await memoryOf(page, shop.token);
    expect(await bring(page, 'reject')).toEqual([expect.objectContaining({ from_link: false }), 201]);
    await until('it is taken', async () => (await consentOf(page))?.method === 'link');
    expect(await bring(page, 'accept')).toEqual([
      expect.objectContaining({ session_id, from_link: false, in_force: true }),
      404,
    ]);
    await page.reload();
    await taken(page);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', method: 'link', session_id });
    // Until they decide by hand again.
    await decide(page, 'accept');
    await confirmed(page, shop.token);
    await bring(page, 'reject');
    await until('it is taken', async () => (await consentOf(page))?.decision === 'reject_all');
    await bring(page, 'accept');
    await until('it is taken', async () => (await consentOf(page))?.decision === 'accept_all');
    await page.context().close();
  });

  test.each([
    ['has expired', () => ({ at: Date.now() - 4000 * DAY })],
    ['was made by a clock that was ahead', () => ({ at: Date.now() + 3 * DAY })],
    ['is of another policy', () => ({ policy_version: 'another' })],
  ])('stays so where it was of another session and %s', async (_why, change) => {
    const page = await shop.visit();
    await page.goto(shop.books);
    await page.getByRole('dialog').waitFor();
    await saveSome(page);
    await storeOn(page, { ...(await memoryOf(page, shop.token)), session_id: randomUUID(), ...change() });
    expect(await bring(page, 'accept')).toEqual([expect.objectContaining({ in_force: false }), 404]);
    expect(await isAsked(page)).toBe(true);
    expect((await bring(page, 'reject'))[1]).toBe(201);
    await taken(page);
    expect((await bring(page, 'accept'))[1]).toBe(404);
    await page.reload();
    await taken(page);
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all', method: 'link' });
    await page.context().close();
  });

  describe('on a host that shares the cookie', () => {
    let banner: object;
    beforeAll(async () => {
      ({ banner } = (await shop.client.getEnvironment({ token: shop.token })).settings);
      await shop.publish({ banner: { ...banner, cookie: { domain: 'books.localhost', days: 30 } } });
    });
    afterAll(() => shop.publish({ banner }));

    /** A visitor who chose by hand on one host some time ago, which the cookie does not know. */
    async function chosen(ago: number): Promise<Page> {
      const old = await (await shop.browser.newContext()).newPage();
      await old.goto(shop.books.replace('books', 'old.books'));
      await old.getByRole('dialog').waitFor();
      await saveSome(old);
      const at = Date.now() - ago;
      await storeOn(old, { ...(await memoryOf(old, shop.token)), at, order: at, in_cookie: Date.now() });
      await old.context().clearCookies();
      return old;
    }

    test('stays refused on both', async () => {
      const old = await chosen(60_000);
      const page = await shop.visit('/', old.context());
      expect((await bring(page, 'reject'))[1]).toBe(201);
      await taken(page);
      await old.reload();
      await until('it is taken', async () => (await consentOf(old))?.method === 'link');
      const { value = '' } =
        (await old.context().cookies()).find(({ name }) => name === 'avow_consent') ?? {};
      expect(value).toContain('&by_hand=1&');
      expect(await bring(page, 'accept')).toEqual([expect.objectContaining({ from_link: false }), 404]);
      for (const one of [page, old]) {
        await one.reload();
        await taken(one);
        expect(await consentOf(one)).toMatchObject({ decision: 'reject_all', method: 'link' });
      }
      // Where the cookie was lost before a link brought more to the other one.
      const address = old.url();
      // Pages without a banner, which would set it again.
      await old.goto(`${address}none.js`);
      await page.goto(`${shop.books}/none.js`);
      await page.evaluate((key) => localStorage.removeItem(key), `avow:${shop.token}`);
      await old.context().clearCookies();
      expect(await bring(page, 'accept')).toEqual([undefined, 201]);
      await taken(page);
      await old.goto(address);
      await taken(old);
      expect(await consentOf(old)).toMatchObject({ decision: 'reject_all' });
      await old.context().close();
    });

    test('stays refused although it has expired: the visitor is asked', async () => {
      const old = await chosen(4000 * DAY);
      const page = await shop.visit('/', old.context());
      expect((await bring(page, 'accept'))[1]).toBe(201);
      await taken(page);
      await old.reload();
      expect(await isAsked(old)).toBe(true);
      // What allows no more is taken.
      expect((await bring(page, 'reject'))[1]).toBe(201);
      await until('it is refused', async () => (await consentOf(page))?.decision === 'reject_all');
      await old.reload();
      await taken(old);
      expect(await consentOf(old)).toMatchObject({ decision: 'reject_all', method: 'link' });
      await old.context().close();
    });
  });

  describe('while a link brings it', () => {
    const tag = '<script type="text/plain" data-category="marketing" src="/tag.js"></script>';
    /** A page whose visitor waits for the answer as long as the test does. */
    async function waiting(page: Page) {
      const asked = gate();
      const late = gate();
      await page.context().route(TAKE, async (route) => {
        asked.open();
        await late.opened;
        await route.continue();
      });
      await page.addInitScript(() => {
        const wait = window.setTimeout;
        const never = (run: () => void, after?: number) => (after === 1000 ? 0 : wait(run, after));
        Object.assign(window, { setTimeout: never });
      });
      await lead(page, await linkedTo(page, `${shop.books}/tags`));
      await asked.opened;
      return late;
    }
    const ranOn = (page: Page) => page.evaluate(() => (window as { ran?: string[] }).ran ?? []);
    beforeAll(async () => {
      shop.set('/tags', { body: `${tag}<p>Books</p>` });
      await shop.publish({ regions: { rules: 'law' } });
    });
    afterAll(() => shop.publish({ regions: null, policy_version: 'after' }));

    test.each([
      ['reject', []],
      ['accept', ['/tag.js']],
    ] as const)('nothing runs before it that needs no consent here: after %s', async (how, ran) => {
      const page = await shop.visit('/', { timezoneId: 'America/Los_Angeles' });
      await page.getByRole('dialog').waitFor();
      await decide(page, how);
      await confirmed(page, shop.token);
      const late = await waiting(page);
      // Time enough for it to run.
      await page.evaluate(() => fetch('/other.js').then((answer) => answer.text()));
      expect(await ranOn(page)).toEqual([]);
      late.open();
      await taken(page);
      expect(await consentOf(page)).toMatchObject({ method: 'link', rule: 'opt_out' });
      await until('it has run', async () => (await ranOn(page)).join() === ran.join());
      await page.evaluate(() => fetch('/other.js').then((answer) => answer.text()));
      expect(await ranOn(page)).toEqual(ran);
      await page.context().close();
    });

    test('what needs no consent runs where nothing comes', async () => {
      const page = await shop.visit('/', { timezoneId: 'America/Los_Angeles' });
      await page.getByRole('dialog').waitFor();
      await decide(page, 'reject');
      await confirmed(page, shop.token);
      await page.context().route(TAKE, (route) => route.abort());
      await lead(page, await linkedTo(page, `${shop.books}/tags`));
      await until('it runs', async () => (await ranOn(page)).join() === '/tag.js');
      await page.context().close();
    });
  });
});
