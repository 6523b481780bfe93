import type { Locator, Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

/** Presses Tab until the control has the focus, as somebody without a mouse does. */
async function reach(page: Page, wanted: string | Locator): Promise<void> {
  const button =
    typeof wanted === 'string' ? page.getByRole('button', { name: wanted, exact: true }) : wanted;
  await button.waitFor();
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab');
    if (await button.evaluate((element) => element.matches(':focus'))) return;
  }
  throw new Error(`${wanted} cannot be reached by Tab`);
}

describeInBrowser('a site with the snippet', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  /** The record that the owner finds of this page's visitor. */
  const recordOf = async (page: Page) => {
    const session_id = (await consentOf(page))?.session_id as string;
    return until('the owner finds the record', async () => {
      const { items } = await shop.client.listConsents({ token: shop.token, session_id });
      return items[0] ?? false;
    });
  };

  test.each([
    ['Accept all', 'accept_all', { functional: true, analytics: true, marketing: true }],
    ['Reject all', 'reject_all', { functional: false, analytics: false, marketing: false }],
  ])(
    '%s is chosen by keyboard; the owner finds the record with its bundle; the next visit shows none',
    async (button, decision, categories) => {
      const { hash, version } = await shop.publish();
      const page = await shop.visit();
      await page.getByRole('dialog').waitFor();
      await reach(page, button);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const record = await recordOf(page);
      expect(record).toMatchObject({
        decision,
        categories,
        method: 'banner',
        bundle_hash: hash,
        banner_version: version,
        language: 'en',
        page_url: `${shop.origin}/`,
        gpc: false,
      });
      const again = await shop.visit('/', page.context());
      await again.getByRole('button', { name: 'Privacy settings' }).waitFor();
      expect(await again.getByRole('dialog').count()).toBe(0);
      await page.context().close();
    },
  );

  test('whoever has decided sees the id of it in the settings, and by its beginning the owner finds the record', async () => {
    const page = await shop.visit();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    // Nothing is recorded yet.
    expect(await page.locator('avow-banner bdi').count()).toBe(0);
    await page.getByRole('button', { name: 'Save choice' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const record = await recordOf(page);
    await page.getByRole('button', { name: 'Privacy settings' }).click();
    const id = page.locator('avow-banner bdi');
    await id.waitFor();
    expect(await id.textContent()).toBe(`ID ${record.session_id}`);
    // One press selects all of it.
    expect(await id.evaluate((element) => getComputedStyle(element).userSelect)).toBe('all');
    const { items } = await shop.client.listConsents({
      token: shop.token,
      id: record.session_id.slice(0, 8),
    });
    expect(items.map(({ consent_id }) => consent_id)).toEqual([record.consent_id]);
    await page.context().close();
  });

  test('the record names the language in which the banner was read, whatever the page’s is by then', async () => {
    await shop.publish({ languages: ['en', 'de'] });
    const page = await shop.visit();
    await page.getByRole('button', { name: 'Accept all' }).waitFor();
    await page.evaluate(() => {
      document.documentElement.lang = 'de';
      const frame = '<iframe data-category="marketing" data-src="/film" width="400" height="300"></iframe>';
      document.body.insertAdjacentHTML('beforeend', frame);
    });
    await page.locator('avow-blocked .cover').waitFor();
    expect(await page.locator('avow-blocked .cover').getAttribute('lang')).toBe('en');
    await page.getByRole('button', { name: 'Accept all' }).click();
    expect(await recordOf(page)).toMatchObject({ language: 'en' });
    // What opens next is in the page's new language.
    await page.getByRole('button', { name: /Privatsphäre|Datenschutz|Privacy/ }).click();
    await page.locator('avow-banner dialog[lang=de]').waitFor();
    await page.context().close();
  });

  test('an answer is recorded in the language that was read, while texts of another are loading', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await shop.publish({ languages: ['de', 'fr'], default_language: 'de' });
    shop.set('/german', { lang: 'de' });
    const page = await shop.visit('/german');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.locator('avow-banner dialog[lang=de]').waitFor();
    const loading = new Promise<void>((resolve) => {
      void page.route('**/texts/**', () => resolve());
    });
    await page.evaluate(() => {
      document.documentElement.lang = 'fr';
    });
    await press('Einstellungen');
    await loading;
    await press('Alle akzeptieren');
    expect(await recordOf(page)).toMatchObject({ decision: 'accept_all', language: 'de' });
    await page.context().close();
    await shop.publish({ languages: settings.languages, default_language: settings.default_language });
  });

  test('a choice by category is made by keyboard, and a new policy version asks again with it as the starting point', async () => {
    const page = await shop.visit();
    await reach(page, 'Settings');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    expect(await page.getByRole('switch', { checked: true }).count()).toBe(0);
    await reach(page, page.getByRole('switch', { name: 'Analytics' }));
    await page.keyboard.press('Space');
    await reach(page, 'Save choice');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await recordOf(page)).toMatchObject({
      decision: 'save_preferences',
      categories: { functional: false, analytics: true, marketing: false },
      method: 'settings',
    });
    const next = await shop.publish({ policy_version: '2' });
    const again = await shop.visit('/', page.context());
    await again.getByRole('dialog').waitFor();
    expect(await consentOf(again)).toBeNull();
    await again.getByRole('button', { name: 'Settings', exact: true }).click();
    await again.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    const ticked = again.getByRole('switch', { checked: true });
    expect(await ticked.count()).toBe(1);
    expect(await again.getByRole('switch', { name: 'Analytics' }).isChecked()).toBe(true);
    await again.getByRole('button', { name: 'Save choice' }).click();
    const record = await until('the second record is found', async () => {
      const found = await recordOf(again);
      return found.policy_version === '2' && found;
    });
    expect(record.bundle_hash).toBe(next.hash);
    const shown = await shop.client.getBundleRecord({ token: shop.token, hash: next.hash });
    expect(shown.config).toMatchObject({ policy_version: '2', settings_version: record.banner_version });
    await page.context().close();
  });
});
