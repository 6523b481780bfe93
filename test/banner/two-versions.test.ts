import type { BrowserContext, Page } from 'playwright-core';
import { memoryOf, openShop, type Shop } from '../helpers/banner/shop';
import { describeInBrowser } from '../helpers/browser/browser';
import { arrived } from '../helpers/http/arrived';
import { PERSON, testOf } from '../helpers/site/two-banners';
import { vendor } from '../helpers/site/vendors';

jest.setTimeout(120_000);

const TEXTS = { en: { title: 'May we count?' }, de: { title: 'Dürfen wir zählen?' } };
const COLOURS = {
  ...{ background: '#fff7e6', text: '#201400', button_background: '#5b2c00', button_text: '#ffffff' },
};
/** Everything that may differ. */
const LOOK = {
  ...{ layout: 'bar' as const, position: 'top' as const, theme: 'light' as const },
  ...{ colours: COLOURS, design: { radius: 3, button_radius: 21 }, texts: TEXTS },
};

const GPP = {
  ...{ sections: 'us_states', sale: true, sharing: true, targeted_advertising: true, notices: true },
  categories: { sale: ['marketing'], sharing: ['marketing'], targeted_advertising: ['marketing'] },
};

type Version = 'a' | 'b';

describeInBrowser('a test of two banners', () => {
  let shop: Shop;
  let hashes: Record<Version, string>;
  const publish = async (settings: object = {}) => {
    const { settings: saved } = await shop.client.getEnvironment({ token: shop.token });
    const { hash } = await shop.publish({ banner_test: testOf(saved, LOOK), ...settings });
    const { config } = await shop.client.getBundleRecord({ token: shop.token, hash });
    hashes = { a: hash, b: config.test?.b?.hash as string };
  };
  beforeAll(async () => {
    shop = await openShop({ languages: ['en', 'de'] });
    shop.set('/de', { lang: 'de' });
    await publish();
  });
  afterAll(() => shop.stop());

  /** Which version the first layer is, and that nothing of the other is in it. */
  const versionOn = async (page: Page, title = TEXTS.en.title): Promise<Version> => {
    const layer = page.locator('dialog.first');
    await layer.waitFor();
    const seen = await layer.evaluate((one) => [
      one.matches('.bar'),
      getComputedStyle(one).backgroundColor === 'rgb(255, 247, 230)',
      getComputedStyle(one.querySelector('.answer') as Element).borderRadius === '21px',
    ]);
    seen.push((await layer.locator('h2').textContent()) === title);
    expect(new Set(seen).size).toBe(1);
    return seen[0] ? 'b' : 'a';
  };

  /** A visitor's page view that shows a version: as many are made as it takes. */
  async function viewOf(version: Version, path = '/', title?: string): Promise<[Page, BrowserContext]> {
    for (let tries = 0; tries < 60; tries += 1) {
      const context = await shop.browser.newContext();
      const page = await shop.visit(path, context);
      if ((await versionOn(page, title)) === version) return [page, context];
      await context.close();
    }
    throw new Error(`no page view showed version ${version}`);
  }

  test('each page view draws, reports what it shows, and stores nothing', async () => {
    const context = await shop.browser.newContext();
    const page = await context.newPage();
    const seen = new Set<Version>();
    for (let views = 0; views < 60 && seen.size < 2; views += 1) {
      const impression = arrived('/api/impressions/');
      await page.goto(shop.origin);
      const version = await versionOn(page);
      seen.add(version);
      expect(await impression).toMatchObject({ bundle_hash: hashes[version] });
      expect(await context.storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    }
    expect(seen).toEqual(new Set(['a', 'b']));
    await context.close();
  });

  test.each(['a', 'b'] as const)(
    'a decision in version %s names it, and the settings keep its look',
    async (version) => {
      const [page, context] = await viewOf(version);
      const decided = arrived('/ce');
      await page.locator('dialog.first').getByRole('button', { name: 'Accept all' }).click();
      expect(await decided).toMatchObject({
        ...{ bundle_hash: hashes[version], ends_impression: true, decision: 'accept_all' },
      });
      const stored = await memoryOf(page, shop.token);
      // What every site's banner stores, and nothing more.
      expect(Object.keys(stored).sort()).toEqual(
        ['session_id', 'decision', 'categories', 'method', 'policy_version', 'at', 'unsent'].sort(),
      );
      const radius = version === 'b' ? '3px' : '12px';
      for (let views = 0; views < 4; views += 1) {
        await page.reload();
        await page.locator('avow-banner .control').click();
        const settings = page.locator('dialog.second');
        await settings.waitFor();
        expect(await settings.evaluate((one) => getComputedStyle(one).borderRadius)).toBe(radius);
      }
      const changed = arrived('/ce');
      await page.locator('dialog.second').getByRole('button', { name: 'Reject all' }).click();
      const body = await changed;
      expect(body).toMatchObject({ bundle_hash: hashes[version], decision: 'reject_all' });
      expect(body).not.toHaveProperty('ends_impression');
      await context.close();
    },
  );

  test('another language is that of the version', async () => {
    for (const version of ['a', 'b'] as const) {
      const [page, context] = await viewOf(version, '/de', TEXTS.de.title);
      const { title } = (
        await shop.client.getBundleTexts({ token: shop.token, hash: hashes[version], language: 'de' })
      ).texts;
      expect(await page.locator('dialog.first h2').textContent()).toBe(title);
      await context.close();
    }
  });

  test('to accept and to refuse are alike in both', async () => {
    for (const version of ['a', 'b'] as const) {
      const [page, context] = await viewOf(version);
      const looks = await page.locator('dialog.first .actions .answer').evaluateAll((all) =>
        all.map((one) => {
          const { width, height } = one.getBoundingClientRect();
          const { color, backgroundColor, font, borderRadius } = getComputedStyle(one);
          return [Math.round(width), Math.round(height), color, backgroundColor, font, borderRadius];
        }),
      );
      expect(looks).toHaveLength(2);
      expect(looks[1]).toEqual(looks[0]);
      await context.close();
    }
  });

  test('the figures are those of the page views and decisions', async () => {
    await publish({ policy_version: 'counted' });
    const expected = { a: [0, 0], b: [0, 0] };
    for (let views = 0; views < 12; views += 1) {
      // Of a person: a browser without a window counts as a program.
      const context = await shop.browser.newContext({ userAgent: PERSON });
      const page = await context.newPage();
      const impression = page.waitForResponse((response) => response.url().includes('/api/impressions/'));
      await page.goto(shop.origin);
      const version = await versionOn(page);
      await impression;
      expected[version][0] = (expected[version][0] as number) + 1;
      if (views % 2 === 0) {
        const decided = page.waitForResponse((response) => response.url().endsWith('/ce'));
        await page.locator('dialog.first').getByRole('button', { name: 'Reject all' }).click();
        await decided;
        expected[version][1] = (expected[version][1] as number) + 1;
      }
      await context.close();
    }
    const { current } = await shop.client.getBannerTest({ token: shop.token });
    for (const version of ['a', 'b'] as const) {
      const { impressions, reject_all } = current?.[version] ?? {};
      expect([impressions, reject_all]).toEqual(expected[version]);
    }
  });

  test('a preview shows version A, and with a cookie and rules by region both are shown', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    await publish({ banner: { ...settings.banner, cookie: {} }, regions: { rules: 'law' } });
    const { script } = await shop.client.previewBundle({ token: shop.token });
    shop.set('/preview', {
      snippet: `<script>window.Avow = { preview: true };${script.replaceAll('</', '<\\/')}</script>`,
    });
    for (let views = 0; views < 8; views += 1) {
      const page = await shop.visit('/preview');
      expect(await versionOn(page)).toBe('a');
      await page.context().close();
    }
    for (const version of ['a', 'b'] as const) {
      const [page, context] = await viewOf(version);
      await page.locator('dialog.first').getByRole('button', { name: 'Accept all' }).click();
      await page.locator('avow-banner .control').waitFor();
      // From the cookie alone.
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await page.locator('avow-banner .control').click();
      const radius = await page
        .locator('dialog.second')
        .evaluate((one) => getComputedStyle(one).borderRadius);
      expect(radius).toBe(version === 'b' ? '3px' : '12px');
      await context.close();
    }
  });

  test('the share is that of version B, and the same id falls to other versions in other tests', async () => {
    const { settings } = await shop.client.getEnvironment({ token: shop.token });
    const { cookie: _, ...plain } = settings.banner;
    /** Which version the settings of a visitor have whose id ends in this. */
    const versionOf = async (ending: number): Promise<Version> => {
      const context = await shop.browser.newContext();
      const page = await shop.visit('/', context);
      await page.locator('dialog.first').getByRole('button', { name: 'Reject all' }).click();
      await page.waitForFunction(
        (key) => JSON.parse(localStorage.getItem(key) ?? '{}').unsent?.length === 0,
        `avow:${shop.token}`,
      );
      await page.evaluate(
        ([key, last]) => {
          const stored = JSON.parse(localStorage.getItem(key as string) as string);
          stored.session_id = stored.session_id.slice(0, -8) + last;
          localStorage.setItem(key as string, JSON.stringify(stored));
        },
        [`avow:${shop.token}`, ending.toString(16).padStart(8, '0')],
      );
      await page.reload();
      await page.locator('avow-banner .control').click();
      const radius = await page
        .locator('dialog.second')
        .evaluate((one) => getComputedStyle(one).borderRadius);
      await context.close();
      return radius === '3px' ? 'b' : 'a';
    };
    const placeOf = (ending: number, number: number) => (Math.imul(ending, 2 * number + 1) >>> 0) / 2 ** 32;
    for (const [share, low, high] of [
      [10, 0.05, 0.15],
      [90, 0.85, 0.95],
    ] as const) {
      await publish({ banner: plain, banner_test: testOf({ banner: plain }, LOOK, { share }) });
      const { current } = await shop.client.getBannerTest({ token: shop.token });
      const number = current?.number as number;
      const endingAt = (place: number) => {
        for (let ending = 1; ; ending += 65_537)
          if (Math.abs(placeOf(ending, number) - place) < 0.01) return ending >>> 0;
      };
      expect(await versionOf(endingAt(low))).toBe('b');
      expect(await versionOf(endingAt(high))).toBe('a');
    }
  });

  test.each([
    ['by vendor', { choice_by_vendor: true, regions: null }],
    ['with GPP', { choice_by_vendor: false, regions: { rules: 'law' }, gpp: GPP }],
  ])('both are shown %s', async (name, settings) => {
    await shop.client.replaceVendors({ token: shop.token, body: { vendors: [vendor(1, 'Counter')] } });
    await publish({ ...settings, policy_version: name.replace(' ', '-') });
    for (const version of ['a', 'b'] as const) {
      const [page, context] = await viewOf(version);
      const decided = arrived('/ce');
      await page.locator('dialog.first').getByRole('button', { name: 'Reject all' }).click();
      expect(await decided).toMatchObject({ bundle_hash: hashes[version] });
      await context.close();
    }
  });
});
