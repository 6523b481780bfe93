import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { OPEN_SETTINGS, pagesOf, switchesOf } from '../../server/console/src/pages/settings/page-snippets';
import { statusPath } from '../../server/src/services/mail/requester-mails';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { html, type Pages, startPages } from '../helpers/browser/pages';
import { violations } from '../helpers/docs/axe';
import { startServer, type TestServer } from '../helpers/server';
import { prove } from '../helpers/site/proofs';
import { vendor } from '../helpers/site/vendors';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const SHOTS = join(__dirname, '..', '..', 'screenshots', 'public-pages');
const GUIDE = join(__dirname, '..', '..', 'server', 'docs', 'guides', '31-public-pages.md');
const LANGUAGES = ['en', 'de', 'ar'];
/** Where nobody looks at them, pictures only cost time. */
const PICTURES = process.env.SCREENSHOTS !== 'off';
const CONTRAST = 'color-contrast';

/** Rules other than contrast know no colours, and a narrow page has those of a wide one. */
const VIEWS: readonly (readonly [number, 'light' | 'dark', object])[] = [
  [1_000, 'light', {}],
  [1_000, 'dark', { runOnly: [CONTRAST] }],
  [320, 'light', { rules: { [CONTRAST]: { enabled: false } } }],
];

describeInBrowser('public pages', () => {
  let server: TestServer;
  let browser: Browser;
  /** The web server of sites, and what their pages hold. */
  let web: Pages;
  let shown = '';
  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await startServer();
    browser = await openBrowser();
    web = await startPages((_path, response) => html(response, shown));
  });
  afterAll(async () => {
    await browser?.close();
    await web?.stop();
    await server?.stop();
  });

  /** A site with a banner, vendors and a policy, and what its pages are reached by. */
  async function site() {
    const owner = await server.site({
      ...{ languages: LANGUAGES, privacy_policy_url: 'https://shop.example.com/privacy' },
    });
    const { client, token } = owner;
    await client.updateEnvironment({ token, body: { url: 'http://shop.example.com/start' } });
    const cookies = [
      {
        name: '_ad_*',
        category: 'marketing',
        max_age_seconds: 34_560_000,
        description: 'Shows advertising.',
      },
      { name: 'a_very_long_name_of_a_cookie_that_does_not_break', category: 'analytics', max_age_seconds: 0 },
    ];
    const urls = [{ lang_id: 'en', privacy: 'https://ads.example/privacy' }];
    const body = { vendors: [vendor(1, 'Ads Inc', { cookies, urls, country: 'FR' })] };
    await client.replaceVendors({ token, body });
    await client.generateBundle({ token });
    return owner;
  }

  const visit = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(server.url + path);
    return page;
  };

  /** Axe, in light and dark, and nothing is cut on the narrowest screen. */
  async function look(page: Page, name: string): Promise<void> {
    for (const [width, colorScheme, rules] of VIEWS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const cut = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([name, width, cut, await violations(page, rules)]).toEqual([name, width, 0, []]);
      if (PICTURES)
        await page.screenshot({ path: join(SHOTS, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }

  test.each(['en', 'ar'])('every page is accessible, in light, dark and narrow: %s', async (language) => {
    const { client, token } = await site();
    const { request_id } = await server.visitor.submitDsar({
      token,
      body: { request_type: 'access', email: 'ada@visitor.example', language },
    });
    await client.extendDsar({ token, request_id, body: { reason: 'Many systems have to be searched.' } });
    const { db, mail } = server.service.context;
    const row = await db('dsar_requests').where({ request_id }).first();
    const context = await browser.newContext();
    const asked: string[] = [];
    context.on('request', (request) => asked.push(new URL(request.url()).origin));
    for (const [name, path] of [
      ['request', `/pages/${token}/request?lang=${language}`],
      ['preferences', `/pages/${token}/preferences?lang=${language}`],
      ['cookies', `/pages/${token}/cookies?lang=${language}`],
      ['status', await statusPath(mail, { token }, row)],
    ] as const) {
      const page = await visit(context, path);
      expect([name, await page.locator('html').getAttribute('lang')]).toEqual([name, language]);
      await look(page, `${name}-${language}`);
      if (name === 'request') {
        await page.getByRole('combobox').selectOption('erasure');
        await page.locator('#email').fill('nobody');
        await page.getByRole('button').click();
        await page.getByRole('alert').waitFor();
        await look(page, `request-again-${language}`);
      }
      await page.close();
    }
    expect(await context.cookies()).toEqual([]);
    expect([...new Set(asked)]).toEqual([server.url]);
    await context.close();
  });

  test.each([true, false])(
    'a request is made with the keyboard alone (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { client, token } = await site();
      const context = await browser.newContext({ javaScriptEnabled, locale: 'de-DE' });
      const page = await visit(context, `/pages/${token}/request`);
      const email = `${randomUUID()}@visitor.example`;
      // Past the languages, to the type.
      for (let n = 0; n <= LANGUAGES.length; n += 1) await page.keyboard.press('Tab');
      await page.keyboard.type('Löschung');
      await page.keyboard.press('Tab');
      await page.keyboard.type(email);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Bitte löschen.');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      // Too early, it is shown again, filled in, until it is not.
      await until('the request is received', async () => {
        const heading = await page.getByRole('heading', { level: 1 }).textContent();
        if (heading === 'Ihre Anfrage ist eingegangen.') return true;
        expect(await page.getByLabel('E-Mail-Adresse').inputValue()).toBe(email);
        await page.getByRole('button', { name: 'Anfrage senden' }).click();
        return false;
      });
      const { items } = await client.listDsar({ token });
      expect(items).toMatchObject([
        { request_type: 'erasure', email, message: 'Bitte löschen.', language: 'de', name: null },
      ]);
      expect(await context.cookies()).toEqual([]);
      await context.close();
    },
  );

  test('a page is shown in a frame of a proven domain of the site, and in no other', async () => {
    const { client, token } = await site();
    await client.updateEnvironment({ token, body: { domains: ['shop.localhost', 'unproven.localhost'] } });
    await prove(server, token, ['shop.localhost']);
    shown = `<iframe title="Cookies" src="${server.url}/pages/${token}/cookies"></iframe>`;
    const context = await browser.newContext();
    const heading = async (host: string) => {
      const page = await context.newPage();
      await page.goto(`http://${host}:${web.port}/start`);
      return page.frameLocator('iframe').getByRole('heading', { level: 1 });
    };
    await (await heading('shop.localhost')).waitFor();
    await (await heading('www.shop.localhost')).waitFor();
    for (const host of ['evil.localhost', 'unproven.localhost', 'x.shop.localhost']) {
      const foreign = await heading(host);
      const [, refused] = foreign.page().frames();
      await until('an error in the frame', async () => refused?.url().startsWith('chrome-error:'));
      expect(await foreign.count()).toBe(0);
    }
    await context.close();
  });

  test('the preferences lead to the settings on the site, which a few lines there open', async () => {
    const { client, token } = await site();
    const start = `http://shop.localhost:${web.port}/start`;
    await client.updateEnvironment({ token, body: { url: start } });
    shown = `<script src="${server.url}/api/bundles/${token}.js"></script>\n${OPEN_SETTINGS}`;
    const context = await browser.newContext();
    const page = await visit(context, `/pages/${token}/preferences?lang=en`);
    await page.getByRole('link', { name: 'Go to the settings of Example shop' }).click();
    await page.waitForURL(start);
    const settings = page.getByRole('heading', { name: 'Privacy settings', level: 2 });
    await settings.waitFor();
    await page.getByRole('button', { name: 'Save choice' }).click();
    await settings.waitFor({ state: 'detached' });
    // And from the site itself.
    await page.getByRole('link', { name: 'Privacy settings' }).click();
    await settings.waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  test('a page of the site holds the switches, which decide as the banner does', async () => {
    const { token } = await site();
    const { switches } = pagesOf(server.url, token);
    // The guide has the lines that the console shows.
    const given = pagesOf('https://consent.example.com', 'env_0123456789abcdefghijAB').switches;
    expect(readFileSync(GUIDE, 'utf8')).toContain(switchesOf(`${given}?lang=en`));
    shown = `<main><h1>Privacy</h1>${switchesOf(`${switches}?lang=de`)}</main>
      <script type="text/plain" data-category="analytics">document.title = 'counting'</script>
      <script src="${server.url}/api/bundles/${token}.js"></script>`;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://shop.localhost:${web.port}/privacy`);
    const switchOf = (name: string) => page.locator('.avow-preferences').getByRole('switch', { name });
    await switchOf('Marketing').waitFor();
    expect(await page.locator('.avow-preferences').getAttribute('lang')).toBe('de');
    const names = ['Notwendig', 'Funktional', 'Statistik', 'Marketing'];
    const states = async () => Promise.all(names.map((name) => switchOf(name).isChecked()));
    expect(await states()).toEqual([true, false, false, false]);
    expect(await switchOf('Notwendig').isDisabled()).toBe(true);
    const decided = () =>
      page.evaluate(() => {
        const avow = (
          window as unknown as { Avow: { getConsent(): { decision: string; method: string } | null } }
        ).Avow;
        return avow.getConsent();
      });
    // The Enter key in a switch decides nothing.
    await switchOf('Statistik').press('Enter');
    expect(await decided()).toBeNull();
    await switchOf('Statistik').check();
    const button = (name: string) => page.locator('.avow-preferences').getByRole('button', { name });
    await button('Auswahl speichern').click();
    await until('the released script ran', async () => (await page.title()) === 'counting');
    expect(await decided()).toMatchObject({
      ...{ decision: 'save_preferences', method: 'api' },
      categories: { functional: false, analytics: true, marketing: false },
    });
    expect(await page.locator('.avow-preferences [role=status]').textContent()).toMatch(/\w/);
    // The page around it is the test's.
    expect(await violations(page, { rules: { 'html-has-lang': { enabled: false } } })).toEqual([]);
    // Another visit shows what is decided, and the other buttons decide all.
    await page.reload();
    await until('the switch shows the decision', () => switchOf('Statistik').isChecked());
    await button('Alle ablehnen').click();
    await until('all are off', async () => (await states()).join() === 'true,false,false,false');
    await button('Alle akzeptieren').click();
    await until('all are on', async () => (await states()).every((on) => on));
    const { db } = server.service.context;
    await until('the decisions are stored', async () => {
      const rows = await db('consents')
        .whereIn('environment_id', db('environments').where({ token }).select('id'))
        .select('decision');
      return rows.length === 3;
    });
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  test('what is no answer with switches never becomes a part of the site’s page', async () => {
    const { switches } = pagesOf(server.url, (await site()).token);
    const link = '<a href="/preferences">Privacy settings</a>';
    shown = switchesOf(switches).replace('<div id="privacy">', (tag) => tag + link);
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    // As a proxy in between answers.
    const headers = { 'Access-Control-Allow-Origin': '*' };
    await page.route(switches, (route) => route.fulfill({ status: 502, headers, body: '<h1>Bad gateway' }));
    await page.goto(`http://shop.localhost:${web.port}/privacy`);
    await until('the answer is there', () => errors.length > 0);
    expect(errors).toEqual(['No switches: 502']);
    expect(await page.locator('#privacy').innerHTML()).toBe(link);
    await page.close();
  });

  test.each([
    ['de', 'fr-FR', 'de'],
    ['', 'de-AT', 'de'],
    ['sv', 'ar', 'ar'],
  ])(
    'one line lists the cookies in a page of lang "%s", in a browser in %s: %s',
    async (lang, locale, language) => {
      const { token } = await site();
      const { embed } = pagesOf(server.url, token);
      const script = `<script>document.documentElement.lang = '${lang}'</script>`;
      shown = `${script}<p id="before">Cookies</p>${embed}<p id="after"></p>`;
      const context = await browser.newContext({ locale });
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${web.port}/`);
      const list = page.locator('#before ~ div .avow-cookies');
      await list.getByText('_ad_*').waitFor();
      expect(await list.getAttribute('lang')).toBe(language);
      expect(await page.locator('.avow-cookies ~ #after, div:has(.avow-cookies) ~ #after').count()).toBe(1);
      await context.close();
    },
  );

  test('markup that takes the name of the running script is never asked for the list', async () => {
    const { token } = await site();
    const { embed } = pagesOf(server.url, token);
    shown = `<img name="currentScript" src="https://evil.invalid/cookies/x.png"><p id="before">Cookies</p>${embed}`;
    const context = await browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    await page.route('https://evil.invalid/**', (route) => {
      asked.push(new URL(route.request().url()).pathname);
      return route.abort();
    });
    await page.goto(`http://127.0.0.1:${web.port}/`);
    await page.locator('.avow-cookies').getByText('_ad_*').waitFor();
    expect(asked).toEqual(['/cookies/x.png']);
    await context.close();
  });

  test('markup that takes the names of the document hides no list', async () => {
    const { token } = await site();
    const { embed } = pagesOf(server.url, token);
    const names = ['querySelector', 'createElement', 'documentElement', 'currentScript'];
    shown = `${names.map((name) => `<img name="${name}">`).join('')}<p id="before">Cookies</p>${embed}`;
    const context = await browser.newContext({ locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${web.port}/`);
    await page.locator('#before ~ div .avow-cookies').getByText('_ad_*').waitFor();
    await context.close();
  });

  test('where the list cannot be loaded, a link to its page stands', async () => {
    const { token } = await site();
    const { embed, cookies } = pagesOf(server.url, token);
    shown = `<p>Cookies of this site</p>${embed}`;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('**/cookies/fragment*', (route) => route.abort());
    await page.goto(`http://127.0.0.1:${web.port}/`);
    expect(await page.getByRole('link', { name: 'Cookies' }).getAttribute('href')).toBe(cookies);
    await context.close();
  });
});
