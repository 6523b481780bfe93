import type { Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

/** What has the focus, by its name, inside the banner too. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
    return (
      inner?.getAttribute('aria-label') ??
      (inner?.matches('dialog,body') ? inner.localName : inner?.textContent)
    );
  });

describeInBrowser('the dialog', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.stop());

  test('accepting and refusing are alike in size, colours and effort', async () => {
    await shop.publish({ privacy_policy_url: `${shop.origin}/privacy` });
    const page = await shop.visit();
    const look = (name: string) =>
      page.getByRole('button', { name, exact: true }).evaluate((button) => {
        // Firefox lays out in sixtieths of a pixel.
        const { width, height } = button.getBoundingClientRect();
        const { color, backgroundColor, fontSize, fontWeight, borderColor, opacity } =
          getComputedStyle(button);
        return {
          width: Math.round(width * 10),
          height,
          color,
          backgroundColor,
          fontSize,
          fontWeight,
          borderColor,
          opacity,
        };
      });
    await page.getByRole('dialog').waitFor();
    expect(await look('Reject all')).toEqual(await look('Accept all'));
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: 'Save choice' }).waitFor();
    expect(await look('Reject all')).toEqual(await look('Accept all'));
    await page.context().close();
  });

  test('the box takes no focus from the page, and comes first for the keyboard', async () => {
    const page = await shop.visit();
    await page.getByRole('dialog').waitFor();
    expect(await focus(page)).toBe('body');
    await page.keyboard.press('Tab');
    expect(await focus(page)).toBe('Privacy policy');
    expect(await page.getByRole('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(false);
    await page.context().close();
  });

  test('the modal layout and the settings hold the focus, in both directions', async () => {
    await shop.publish(undefined, { layout: 'dialog' });
    const page = await shop.visit();
    await page.getByRole('dialog').waitFor();
    expect(await focus(page)).toBe('dialog');
    const seen = new Set<string | null | undefined>();
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press(step < 8 ? 'Tab' : 'Shift+Tab');
      seen.add(await focus(page));
    }
    expect([...seen]).toEqual(['Privacy policy', 'Accept all', 'Reject all', 'Settings']);
    await page.getByRole('button', { name: 'Settings', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    expect(await focus(page)).toBe('Save choice');
    await page.keyboard.press('Tab');
    expect(await focus(page)).toBe('Close');
    await page.context().close();
    await shop.publish();
  });

  test.each(['box', 'bar', 'dialog'])(
    'Esc in the %s layout closes without consent, and is asked again on the next page',
    async (layout) => {
      await shop.publish(undefined, { layout });
      const page = await shop.visit();
      await page.getByRole('button', { name: 'Settings', exact: true }).press('Enter');
      await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Privacy settings' }).waitFor({ state: 'detached' });
      // Back where the visitor came from.
      await until('the focus is back', async () => (await focus(page)) === 'Settings');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await consentOf(page)).toBeNull();
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
      await page.goto(`${shop.origin}/next`);
      await page.getByRole('dialog').waitFor();
      await page.context().close();
      await shop.publish();
    },
  );

  test('the floating control opens the settings with the stored choice, gets the focus back, and withdrawing takes two steps', async () => {
    const page = await shop.visit();
    await page.getByRole('button', { name: 'Accept all' }).click();
    const control = page.getByRole('button', { name: 'Privacy settings' });
    await control.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('switch', { checked: true }).count()).toBe(3);
    expect(await page.getByText('Always active', { exact: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the focus is back', async () => (await focus(page)) === 'Privacy settings');
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Reject all' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'saved' }).waitFor({ state: 'attached' });
    expect(await consentOf(page)).toMatchObject({
      decision: 'reject_all',
      categories: { necessary: true, analytics: false },
    });
    await page.context().close();
  });

  test('the focus goes back to the element of the page that opened the settings', async () => {
    await shop.publish(undefined, { control: 'custom' });
    shop.set('/custom', { body: '<button onclick="Avow.show()">Cookies</button>' });
    const page = await shop.visit('/custom');
    await page.getByRole('button', { name: 'Reject all' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('button').count()).toBe(1);
    await page.getByRole('button', { name: 'Cookies' }).press('Enter');
    await page.getByRole('button', { name: 'Close' }).click();
    await until('the focus is back', async () => (await focus(page)) === 'Cookies');
    await page.context().close();
    await shop.publish();
  });

  test('the policy can be read before choosing, also where the banner is a modal dialog', async () => {
    await shop.publish(undefined, { layout: 'dialog' });
    const page = await shop.visit('/privacy');
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(false);
    await page.context().close();
    await shop.publish();
  });

  test('a choice in one tab closes the banner in the others', async () => {
    const page = await shop.visit();
    const other = await shop.visit('/next', page.context());
    await other.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: 'Accept all' }).click();
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await consentOf(other)).toEqual(await consentOf(page));
    await page.context().close();
  });

  test.each([
    ['the page', { lang: 'ar' }, {}, 'rtl'],
    ['the browser', { lang: 'fr' }, { locale: 'ar-EG' }, 'rtl'],
    ['the site', { lang: 'fr' }, { locale: 'fr-FR' }, 'ltr'],
  ])('the language is that of %s', async (_, html, context, dir) => {
    await shop.publish({ languages: ['en', 'de', 'ar'] });
    shop.set('/language', html);
    const page = await shop.visit('/language', context);
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('dialog').getAttribute('dir')).toBe(dir);
    await page.context().close();
  });

  test.each([
    ['no', 'nn-NO', 'no'],
    ['nn', 'no', 'nn'],
    ['nb', 'nn', 'nb'],
    ['nb nn', 'nn-NO', 'nn'],
  ])('a site in %s speaks Norwegian to a page in %s', async (languages, lang, language) => {
    await shop.publish({ languages: ['en', ...languages.split(' ')] });
    shop.set('/norwegian', { lang });
    const page = await shop.visit('/norwegian');
    await page.getByRole('button', { name: 'Godta alle', exact: true }).waitFor();
    expect(await page.getByRole('dialog').getAttribute('lang')).toBe(language);
    await page.context().close();
  });

  test.each([
    ['zh-Hans zh-Hant', 'zh-TW', 'zh-Hant'],
    ['zh-Hant zh-Hans', 'zh-CN', 'zh-Hans'],
    ['zh-Hans', 'zh-Hant-HK', 'zh-Hans'],
    ['pt-PT', 'pt-BR', 'pt-PT'],
    ['pt pt-BR', 'pt-BR', 'pt-BR'],
    ['zh zh-Hant', 'zh-HK', 'zh-Hant'],
    ['de', 'x y', 'en'],
  ])('a site in %s answers a page in %s in %s', async (languages, lang, language) => {
    await shop.publish({ languages: ['en', ...languages.split(' ')] });
    shop.set('/lookup', { lang });
    const page = await shop.visit('/lookup');
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('dialog').getAttribute('lang')).toBe(language);
    await page.context().close();
  });

  test('without an answer for the texts of another language, the banner speaks the site’s own', async () => {
    await shop.publish({ languages: ['en', 'ar'] });
    shop.set('/ar', { lang: 'ar' });
    const context = await shop.browser.newContext();
    await context.route('**/texts/**', (route) => route.abort());
    const page = await shop.visit('/ar', context);
    await page.getByRole('button', { name: 'Accept all' }).click();
    expect(await consentOf(page)).toMatchObject({ decision: 'accept_all' });
    await context.close();
  });
});
