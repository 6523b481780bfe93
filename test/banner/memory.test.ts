import type { BrowserContext } from 'playwright-core';
import { consentOf, memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

describeInBrowser('what the visitor’s browser keeps', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  test('a withdrawal that a full storage has no room for does not bring the acceptance back', async () => {
    const page = await shop.visit();
    await page.locator('avow-banner').getByRole('button', { name: 'Accept all' }).click();
    await page.waitForFunction(
      (key) => JSON.parse(localStorage.getItem(key) ?? '{}').unsent?.length === 0,
      `avow:${shop.token}`,
    );
    await page.route(`${shop.host}/**`, (route) => route.abort());
    await page.evaluate(() => {
      for (let size = 2 ** 22, at = 0; size >= 1; at += 1) {
        try {
          localStorage.setItem(`full${at}`, 'x'.repeat(size));
        } catch {
          size = Math.floor(size / 2);
        }
      }
      (window.Avow as { reject(): void }).reject();
    });
    expect((await consentOf(page))?.decision).toBe('reject_all');
    await page.unroute(`${shop.host}/**`);
    await page.reload();
    expect((await consentOf(page))?.categories.marketing ?? false).toBe(false);
    await page.context().close();
  });

  /** A visitor who has accepted; no answer of the server arrived before the page was left. */
  async function acceptedUnheard(context: BrowserContext): Promise<void> {
    const page = await context.newPage();
    await page.route('**/api/v/*/ce', (route) => route.abort());
    await page.addInitScript(() => {
      navigator.sendBeacon = () => false;
    });
    await page.goto(shop.origin);
    await page.locator('avow-banner').getByRole('button', { name: 'Accept all' }).click();
    await page.close();
  }

  test('what is not in force any more is not followed either, when another tab has it confirmed', async () => {
    const context = await shop.browser.newContext();
    await acceptedUnheard(context);
    await shop.publish({ policy_version: 'next' });
    const page = await shop.visit('/', context);
    const other = await shop.visit('/', context);
    for (const one of [page, other]) await one.getByRole('dialog').waitFor();
    const heard = page.evaluate(
      () => new Promise((resolve) => addEventListener('storage', () => setTimeout(resolve))),
    );
    await other.evaluate(() => void dispatchEvent(new Event('online')));
    await heard;
    expect((await memoryOf(page, shop.token)).unsent).toEqual([]);
    expect(await consentOf(page)).toBeNull();
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await context.close();
  });

  test.each([
    [28, 1],
    [30, 0],
  ])('a decision that has waited %i days is said %i times', async (days, times) => {
    const context = await shop.browser.newContext();
    await acceptedUnheard(context);
    await context.addInitScript((more) => {
      const { now } = Date;
      Date.now = () => now() + more;
    }, days * 86_400_000);
    const bodies: string[] = [];
    await context.route('**/api/v/*/ce', (route) => {
      // Not every engine tells.
      bodies.push(route.request().postData() || '{}');
      return route.continue();
    });
    const page = await shop.visit('/', context);
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    // After what waited, in order.
    await page.evaluate(() => (window.Avow as { reject(): void }).reject());
    const { session_id } = await memoryOf(page, shop.token);
    const said = async () =>
      (await shop.client.listConsents({ token: shop.token, session_id })).items.map(
        ({ decision }) => decision,
      );
    await until('the next', async () => (await said()).includes('reject_all'));
    expect((await said()).filter((decision) => decision === 'accept_all')).toHaveLength(times);
    // Its time stays here.
    expect(bodies.filter((body) => 'at' in JSON.parse(body))).toEqual([]);
    await context.close();
  });

  test.each([
    '{"session_id":"x","categories":{},"at":1,"unsent":[]}',
    '{"session_id":"0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11","policy_version":"1","categories":"all","at":"now","unsent":[]}',
    '[]',
    '7',
    'null',
    '{',
  ])('what is not ours under its name counts for nothing: %s', async (text) => {
    const page = await shop.visit();
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key as string, value as string),
      [`avow:${shop.token}`, text],
    );
    await page.reload();
    await page.locator('avow-banner').getByRole('button', { name: 'Accept all' }).click();
    expect((await memoryOf(page, shop.token)).decision).toBe('accept_all');
    await page.context().close();
  });
});
