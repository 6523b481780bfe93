import type { Page } from 'playwright-core';
import { consentOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

/** Notes every event, and has a button of the page's own. */
const HEAD = `<script>
  window.notes = [];
  for (const name of ['show', 'hide', 'consent'])
    document.addEventListener('avow:' + name, ({ detail }) => notes.push(name + ' ' + (detail.layer ?? detail.decision)));
</script>`;
const BODY = '<button onclick="Avow.show()">Cookies</button>';
const notes = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { notes: string[] }).notes);
const focus = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
    return one?.ariaLabel ?? one?.textContent;
  });
/** Resolves when everything has run that was begun: each step of the banner is a task or two. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    for (let task = 0; task < 20; task += 1) await new Promise((resolve) => setTimeout(resolve));
  });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter');

describeInBrowser('calls and keys in quick succession', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ languages: ['en', 'de'] });
    shop.set('/order', { head: HEAD, body: BODY });
    shop.set('/german', { head: HEAD, body: BODY, lang: 'de' });
  });
  afterAll(() => shop.stop());

  const openedFirst = async () => {
    const page = await shop.visit('/order');
    await page.getByRole('dialog').waitFor();
    return page;
  };
  /** A visitor whose texts are held back until `release`. */
  const waitingForTexts = async () => {
    const context = await shop.browser.newContext();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      void context.route('**/texts/de', async (route) => {
        resolve();
        await held;
        await route.continue();
      });
    });
    const page = await shop.visit('/german', context);
    await asked;
    const loaded = page.waitForResponse('**/texts/de');
    return {
      page,
      release: async () => {
        release();
        await (await loaded).finished();
      },
    };
  };

  test('settings that are opened right after a choice come after its end, and give the focus back to where it was', async () => {
    const page = await openedFirst();
    await press(page, 'Reject all');
    await until('it is hidden', async () => (await notes(page)).includes('hide banner'));
    await press(page, 'Cookies');
    await page.getByRole('dialog').waitFor();
    await page.evaluate('notes.length = 0; Avow.accept(); Avow.show()');
    await until('they are open', async () => (await notes(page)).includes('show settings'));
    expect(await notes(page)).toEqual(['consent accept_all', 'hide settings', 'show settings']);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await press(page, 'Close');
    await until('they are closed', async () => (await notes(page)).length === 4);
    await until('the focus is back', async () => (await focus(page)) === 'Cookies');
    await page.context().close();
  });

  test('a second choice in the same task does not take the focus’s way back', async () => {
    const page = await openedFirst();
    await page.evaluate(`{
      const button = document.querySelector('avow-banner').shadowRoot.querySelector('.answer');
      button.focus();
      button.click();
      Avow.reject();
    }`);
    await until('the control has it', async () => (await focus(page)) === 'Privacy settings');
    expect(await notes(page)).toEqual([
      'show banner',
      'consent accept_all',
      'consent reject_all',
      'hide banner',
    ]);
    await page.context().close();
  });

  test('of several calls to show a layer the last counts, and each is told once', async () => {
    const page = await openedFirst();
    await page.evaluate(
      "Avow.show('banner'); Avow.show('settings'); Avow.show('banner'); Avow.show('settings')",
    );
    await until('they are open', async () => (await notes(page)).includes('show settings'));
    await page.evaluate("Avow.show('settings'); Avow.show('settings')");
    await settled(page);
    expect(await notes(page)).toEqual(['show banner', 'show settings']);
    expect(await page.getByRole('heading', { name: 'Privacy settings' }).count()).toBe(1);
    await page.context().close();
  });

  test('what is closed before it is there does not appear', async () => {
    const page = await openedFirst();
    await press(page, 'Reject all');
    await until('it is hidden', async () => (await notes(page)).includes('hide banner'));
    await page.evaluate("notes.length = 0; Avow.show('settings'); Avow.hide()");
    await settled(page);
    expect(await notes(page)).toEqual([]);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Privacy settings' }).waitFor();
    await page.context().close();
  });

  test.each([
    ['decided', 'Avow.accept()', { decision: 'accept_all' }],
    ['closed', 'Avow.hide()', null],
  ])(
    'what is %s while texts are loaded shows no banner, and leaves the control',
    async (_, call, consent) => {
      const { page, release } = await waitingForTexts();
      await page.evaluate(call);
      await release();
      await page.getByRole('button', { name: 'Datenschutzeinstellungen' }).waitFor();
      await settled(page);
      expect((await notes(page)).filter((note) => note.startsWith('show'))).toEqual([]);
      if (consent) expect(await consentOf(page)).toMatchObject(consent);
      else expect(await consentOf(page)).toBeNull();
      await page.context().close();
    },
  );

  test('Esc twice in one task leads from the settings to the first layer, which stays', async () => {
    const page = await openedFirst();
    await press(page, 'Settings');
    await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    await page.evaluate(`for (const _ of [1, 2])
      document.querySelector('avow-banner').shadowRoot.querySelector('dialog')
        .dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))`);
    await until('the focus is back', async () => (await focus(page)) === 'Settings');
    await settled(page);
    expect(await notes(page)).toEqual(['show banner', 'show settings', 'show banner']);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.context().close();
  });

  test('a listener that shows the settings when the banner is hidden leaves them open', async () => {
    const page = await openedFirst();
    await page.evaluate("Avow.on('hide', ({ layer }) => layer === 'banner' && Avow.show('settings'))");
    await press(page, 'Accept all');
    await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    await settled(page);
    expect(await notes(page)).toEqual(['show banner', 'consent accept_all', 'hide banner', 'show settings']);
    expect(await focus(page)).toContain('Privacy settings');
    expect(await page.getByRole('button', { name: 'Privacy settings' }).count()).toBe(0);
    await page.context().close();
  });

  test.each([
    ['while it is open', "document.querySelector('avow-banner').remove(); Avow.show('settings')"],
    [
      'while it is made',
      "setTimeout(() => document.querySelector('avow-banner').remove()); Avow.show('settings')",
    ],
  ])('a page that takes the banner away %s gets it whole again', async (when, calls) => {
    const page = await openedFirst();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    if (when === 'while it is open') {
      await press(page, 'Settings');
      await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    }
    await page.evaluate(calls);
    const dialog = page.getByRole('dialog');
    await until('it is shown again', () => dialog.evaluate((element) => element.matches(':modal')));
    await page.getByRole('heading', { name: 'Privacy settings' }).waitFor();
    expect(await dialog.count()).toBe(1);
    await press(page, 'Reject all');
    await dialog.waitFor({ state: 'detached' });
    expect(await consentOf(page)).toMatchObject({ decision: 'reject_all' });
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
