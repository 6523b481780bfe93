import { randomUUID } from 'node:crypto';
import type { Page, Response } from 'playwright-core';
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
const NONE = { functional: false, analytics: false, marketing: false };

describeInBrowser('a link never widens what was decided on a domain', () => {
  let shop: LinkedShop;
  let cards: string;
  beforeAll(async () => {
    shop = await openLinkedShop();
    cards = shop.origin.replace('shop', 'cards');
    const domains = ['shop.localhost', 'books.localhost', 'cards.localhost'];
    await shop.client.updateEnvironment({ token: shop.token, body: { domains } });
    await shop.publish({ linked_domains: domains });
  });
  afterAll(() => shop?.stop());

  const sessionOf = async (page: Page) => (await consentOf(page))?.session_id as string;
  const save = (page: Page, allows: Record<string, boolean>) =>
    page.evaluate((choice) => (window.Avow as AvowBanner).save(choice), allows);
  const storeOn = (page: Page, stored: object) =>
    page.evaluate(([key, text]) => localStorage.setItem(key, text), [
      `avow:${shop.token}`,
      JSON.stringify(stored),
    ] as const);

  test('nor on the next one, when the first allows again what the second has refused', async () => {
    const page = await shop.decided();
    const session = await sessionOf(page);
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    await decide(page, 'reject');
    await confirmed(page, shop.token);
    await page.goto(shop.origin);
    await taken(page);
    await decide(page, 'accept');
    await confirmed(page, shop.token);
    await page.goto(shop.books);
    await taken(page);
    const asked = page.waitForRequest(/\/link$/);
    expect(await linkedTo(page, `${cards}/`)).toBe(`${cards}/`);
    expect((await asked).postDataJSON()).toEqual({ session_id: session, categories: NONE });
    await lead(page, `${cards}/`);
    expect(await isAsked(page)).toBe(true);
    // And from where it was allowed it goes there.
    await page.goto(shop.origin);
    await taken(page);
    await lead(page, await linkedTo(page, `${cards}/`));
    await taken(page);
    expect(await consentOf(page)).toMatchObject({
      decision: 'accept_all',
      method: 'link',
      session_id: session,
    });
    await page.context().close();
  });

  describe.each([true, false])(
    'past a choice that is not in force there (of the same session: %s)',
    (isSame) => {
      test.each([
        ['by a clock that was ahead', () => ({ at: Date.now() + 3 * DAY })],
        ['by such a clock, and a link brought it', () => ({ at: Date.now() + 3 * DAY, method: 'link' })],
        ['which had no room for what was refused', () => ({ categories: {} })],
        ['which has expired', () => ({ at: Date.now() - 4000 * DAY })],
        ['which has expired, and a link brought it', () => ({ at: Date.now() - 4000 * DAY, method: 'link' })],
        ['of another policy', () => ({ policy_version: 'another' })],
        ['by the signal of a browser that sends it no more', () => ({ method: 'gpc' })],
        [
          'since there is another category',
          () => ({ decision: 'save_preferences', categories: { functional: false, analytics: true } }),
        ],
      ] as [string, () => object][])('%s', async (_, more) => {
        const page = await shop.decided();
        const own = await memoryOf(page, shop.token);
        const session_id = isSame ? own.session_id : randomUUID();
        const stored = { ...own, session_id, decision: 'reject_all', categories: NONE, ...more() };
        await page.goto(shop.books);
        await storeOn(page, stored);
        await page.goto(shop.origin);
        const answered: Promise<Response> = page.waitForResponse(TAKE);
        await lead(page, await linkedTo(page, `${shop.books}/`));
        const answer = await answered;
        const body = answer.request().postDataJSON() as { own?: object };
        expect([body.own, answer.status()]).toEqual([
          expect.objectContaining({ session_id, in_force: false }),
          404,
        ]);
        expect(await isAsked(page)).toBe(true);
        await page.context().close();
      });
    },
  );

  test('of two choices that cannot be compared the session has what both allow', async () => {
    const page = await shop.visit();
    await page.getByRole('dialog').waitFor();
    await save(page, { functional: true, analytics: true });
    await confirmed(page, shop.token);
    const session = await sessionOf(page);
    const late = gate();
    await page.context().route(TAKE, async (route) => {
      await late.opened;
      await route.continue();
    });
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await page.getByRole('dialog').waitFor();
    await save(page, { analytics: true, marketing: true });
    const own = await sessionOf(page);
    late.open();
    await until('it is stated', async () => (await shop.records(session)).length === 3);
    await confirmed(page, shop.token);
    expect((await shop.records(session))[0]).toMatchObject({
      ...{ decision: 'save_preferences', method: 'api', categories: { ...NONE, analytics: true } },
    });
    const chosen = { ...NONE, analytics: true, marketing: true };
    expect((await shop.records(own)).map(({ categories }) => categories)).toEqual([chosen]);
    expect(await consentOf(page)).toMatchObject({ session_id: own, categories: chosen });
    await page.context().close();
  });

  test('on a host that shares the cookie a refusal by hand stays, and reaches the other', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const { banner } = settings;
    await shop.publish({ banner: { ...banner, cookie: { domain: 'books.localhost', days: 30 } } });
    const context = await shop.browser.newContext();
    const old = await context.newPage();
    await old.goto(shop.books.replace('books', 'old.books'));
    await old.getByRole('dialog').waitFor();
    await decide(old, 'reject');
    await confirmed(old, shop.token);
    const own = await sessionOf(old);
    // A minute ago: before what comes by the link, by any clock.
    const refused = await memoryOf(old, shop.token);
    const at = refused.at - 60_000;
    await storeOn(old, { ...refused, at, order: at });
    // What some browsers do by themselves.
    await context.clearCookies();
    const page = await shop.decided('accept', context);
    await lead(page, await linkedTo(page, `${shop.books}/`));
    await taken(page);
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all', method: 'link' });
    await old.reload();
    await taken(old);
    expect(await consentOf(old)).toMatchObject({ decision: 'reject_all', session_id: own });
    await until('it is refused', async () => {
      await page.reload();
      return (await consentOf(page))?.decision === 'reject_all';
    });
    await context.close();
    await shop.publish({ banner });
  });
});
