import type { Browser, Page } from 'playwright-core';
import type { AvowBanner } from '../../sdk/src/banner';
import { consentOf } from '../helpers/banner/shop';
import { type Apps, serveApps } from '../helpers/bindings/apps';
import {
  film,
  openWatched,
  press,
  ran,
  untilState as state,
  type Watched,
} from '../helpers/bindings/watched';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { type Client, startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

// Apps as their owners build them, with the real banner, under a strict policy with a nonce.
jest.setTimeout(120_000);

const dialog = (page: Page) => page.locator('avow-banner dialog');

describeInBrowser('the bindings of frameworks', () => {
  let server: TestServer;
  let client: Client;
  let token: string;
  let browser: Browser;
  let apps: Apps;
  beforeAll(async () => {
    server = await startServer();
    ({ client, token } = await server.site());
    const { snippet, url } = await client.generateBundle({ token });
    [apps, browser] = await Promise.all([serveApps(snippet, new URL(url).origin), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await apps?.stop();
    await server?.stop();
  });

  let context: Watched['context'];
  let complaints: Watched['complaints'];
  beforeEach(async () => {
    ({ context, complaints } = await openWatched(browser));
  });
  afterEach(() => context.close());

  const visit = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    // Not its load, which waits for the banner's script.
    await page.goto(apps.origin + path, { waitUntil: 'domcontentloaded' });
    return page;
  };
  const latest = async (page: Page) => {
    const { session_id = '' } = (await consentOf(page)) ?? {};
    return (await client.listConsents({ token, session_id })).items[0]?.decision;
  };

  const PAGES = ['react-19', 'react-18', 'vue', 'svelte'].flatMap((name) => [
    `/${name}/hydrate`,
    `/${name}/mount`,
  ]);
  test.each(PAGES)(
    '%s follows the visitor’s choice without a reload and without a complaint',
    async (path) => {
      const page = await visit(path);
      await dialog(page).waitFor();
      await state(page, 'undecided');
      await page.getByText('Statistics are off').waitFor();
      expect(await page.getByText(/Statistics are on|Late statistics/).count()).toBe(0);
      expect([await ran(page), film(page)]).toEqual([[], undefined]);
      await page.evaluate(() => Object.assign(window, { same: true }));

      await press(page, 'Accept all');
      await state(page, 'accept_all');
      for (const text of ['Statistics are on', 'Late statistics', 'counted'])
        await page.getByText(text, { exact: true }).waitFor();
      await page.frameLocator('iframe').getByText('A film').waitFor();
      await until('the record is stored', async () => (await latest(page)) === 'accept_all');

      await press(page, 'Parts');
      expect(await page.locator('#told').count()).toBe(0);
      await press(page, 'Parts');
      await page.getByText('counted', { exact: true }).waitFor();
      expect(await ran(page)).toEqual(['counted']);

      await press(page, 'Our settings');
      await press(page, 'Reject all');
      await state(page, 'reject_all');
      await page.getByText('Statistics are off').waitFor();
      expect(await page.getByText(/Statistics are on|Late statistics/).count()).toBe(0);
      await until('the film is gone', () => film(page) === undefined);
      await until('the withdrawal is stored', async () => (await latest(page)) === 'reject_all');
      expect(await page.locator('avow-banner').count()).toBe(1);
      expect(await page.evaluate(() => 'same' in window)).toBe(true);
      expect(complaints).toEqual([]);
    },
  );

  test.each(PAGES)('%s knows the choice of an earlier visit', async (path) => {
    await press(await visit(path), 'Accept all');
    const page = await visit(path);
    await state(page, 'accept_all');
    for (const text of ['Statistics are on', 'Late statistics', 'counted'])
      await page.getByText(text, { exact: true }).waitFor();
    await page.frameLocator('iframe').getByText('A film').waitFor();
    expect(await dialog(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test.each(PAGES)(
    '%s is loading until the script comes, and what was decided before counts',
    async (path) => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await context.route(/\/bundles\//, async (route) => {
        await held;
        await route.continue();
      });
      const page = await visit(path);
      await press(page, 'Our accept');
      await state(page, 'loading');
      expect(await page.getByText('Statistics are on').count()).toBe(0);
      release();
      await state(page, 'accept_all');
      await page.getByText('Statistics are on').waitFor();
      expect(await consentOf(page)).toMatchObject({ method: 'api' });
      expect(complaints).toEqual([]);
    },
  );

  describe('where visitors choose by vendor', () => {
    const vendor = (id: number, name: string, category: string) => ({
      ...{ id, name, categories: [category], purposes: [], leg_int_purposes: [], urls: [], cookies: [] },
    });
    const set = async (choice_by_vendor: boolean) => {
      await client.updateEnvironment({ token, body: { settings: { choice_by_vendor } } });
      await client.generateBundle({ token });
    };
    beforeAll(async () => {
      const vendors = [vendor(755, 'Film Ltd', 'marketing'), vendor(801, 'Counter Ltd', 'analytics')];
      await client.replaceVendors({ token, body: { vendors } });
      await set(true);
    });
    afterAll(() => set(false));

    test.each(PAGES)('%s follows the vendor that a part names, and else its category', async (path) => {
      const page = await visit(path);
      await dialog(page).waitFor();
      const save = (vendors: Record<string, boolean>) =>
        page.evaluate((given) => {
          (window.Avow as AvowBanner).save({ analytics: true }, given);
        }, vendors);
      await save({ 755: true, 801: false });
      await page.getByText('Statistics are on', { exact: true }).waitFor();
      await page.frameLocator('iframe').getByText('A film').waitFor();
      expect([await page.getByText('Late statistics').count(), await ran(page)]).toEqual([0, []]);
      await save({ 755: false, 801: true });
      for (const text of ['Late statistics', 'counted'])
        await page.getByText(text, { exact: true }).waitFor();
      await until('the film is gone', () => film(page) === undefined);
      expect(complaints).toEqual([]);
    });
  });

  test.each(PAGES.filter((path) => !path.includes('18')))(
    '%s follows the rule of the region while nothing is decided',
    async (path) => {
      await client.updateEnvironment({ token, body: { settings: { regions: { rules: 'law' } } } });
      await client.generateBundle({ token });
      const there = await browser.newContext({ timezoneId: 'America/Los_Angeles' });
      try {
        const page = await there.newPage();
        await page.goto(apps.origin + path, { waitUntil: 'domcontentloaded' });
        await page.getByText('Statistics are on', { exact: true }).waitFor();
        await state(page, 'undecided');
        await press(page, 'Do not sell or share my personal information');
        await state(page, 'reject_all');
        await page.getByText('Statistics are off').waitFor();
        expect(await consentOf(page)).toMatchObject({ rule: 'opt_out' });
      } finally {
        await there.close();
      }
    },
  );
});
