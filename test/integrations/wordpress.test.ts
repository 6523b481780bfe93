import type { Browser, BrowserContext, Page } from 'playwright-core';
import { consentOf } from '../helpers/banner/shop';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { ADMIN, startWordPress, type WordPress, whyNoWordPress } from '../helpers/integrations/wordpress';
import { type Client, startServer, type TestServer } from '../helpers/server';

// The plugin in a real WordPress with its database, as a site owner sets it up.
jest.setTimeout(240_000);

if (whyNoWordPress !== undefined)
  console.warn(
    `SKIPPED: ${whyNoWordPress}; on Debian apt-get install wordpress php-cli php-mysql mariadb-server`,
  );

/** What another plugin of the site has: a script of its own, one that it prints, and the WP Consent API. */
const OTHERS = `
add_action('wp_enqueue_scripts', function () {
  wp_enqueue_script('stats', home_url('/?script=stats'), array(), '1', array('in_footer' => false));
  wp_add_inline_script('stats', '(window.ran = window.ran || []).push("before")', 'before');
  wp_add_inline_script('stats', '(window.ran = window.ran || []).push("after")');
  wp_enqueue_script('own', home_url('/?script=own'), array(), '1');
});
add_action('init', function () {
  if (!isset($_GET['script'])) return;
  header('Content-Type: text/javascript');
  echo '(window.ran = window.ran || []).push("' . sanitize_key($_GET['script']) . '")';
  exit;
});
function wp_set_consent($category, $value) {}
add_action('wp_head', function () {
  echo '<script>window.told = {}; window.wp_set_consent = function (c, v) { window.told[c] = v; sessionStorage[c] = v; };
    window.wp_has_consent = function (c) { return sessionStorage[c] === "allow"; };</script>';
}, PHP_INT_MIN);
add_filter('pre_oembed_result', function () {
  return '<iframe title="A film" width="560" height="315" src="https://www.youtube.com/embed/x?feature=oembed" allowfullscreen></iframe>';
});
`;

(whyNoWordPress === undefined ? describeInBrowser : describe.skip)('the plugin for WordPress', () => {
  let server: TestServer;
  let client: Client;
  let token: string;
  let snippet: string;
  let wordpress: WordPress;
  let browser: Browser;
  let admin: Page;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    server = await startServer();
    ({ client, token } = await server.site());
    ({ snippet } = await client.generateBundle({ token }));
    [wordpress, browser] = await Promise.all([startWordPress(OTHERS), openBrowser()]);
    wordpress.run(
      `wp_insert_post(array('post_title' => 'Film', 'post_name' => 'film', 'post_status' => 'publish', 'post_type' => 'page',
        'post_content' => "https://www.youtube.com/watch?v=x\\n\\n[avow_settings label='Privacy & cookies']\\n\\n[avow_cookies]"));`,
    );
    admin = await open();
    await admin.goto(`${wordpress.url}/wp-login.php`);
    await admin.getByLabel('Username or Email Address').fill(ADMIN.name);
    await admin.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await admin.getByRole('button', { name: 'Log In' }).click();
    await admin.waitForURL(/wp-admin/);
  });
  afterAll(async () => {
    await browser?.close();
    await wordpress?.stop();
    await server?.stop();
  });

  async function open(): Promise<Page> {
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    // What the theme and the film load from elsewhere is not on this machine.
    await page.route(
      (url) => !/localhost|127\.0\.0\.1/.test(url.hostname),
      (route) => route.abort(),
    );
    return page;
  }

  /** Saves the settings of the plugin; answers what WordPress says then. */
  async function save(fields: Record<string, string>): Promise<string> {
    await admin.goto(`${wordpress.url}/wp-admin/options-general.php?page=avow-consent`);
    for (const [label, value] of Object.entries(fields))
      await admin.getByLabel(label, { exact: true }).fill(value);
    await admin.getByRole('button', { name: 'Save Changes' }).click();
    await admin.waitForURL(/settings-updated/);
    return (await admin.locator('.settings-error, #setting-error-settings_updated').allInnerTexts()).join(
      ' ',
    );
  }

  const html = async (path = '/'): Promise<string> => (await fetch(wordpress.url + path)).text();
  const ran = (page: Page): Promise<string[]> =>
    page.evaluate(() => (window as unknown as { ran?: string[] }).ran ?? []);

  test('without a snippet nothing waits, because nothing would release it', async () => {
    expect(await save({ 'Scripts that wait for consent': 'stats analytics' })).toContain('Settings saved');
    expect(await admin.locator('.notice-warning').allInnerTexts()).toContain(
      'No page has the banner yet: enter its snippet.',
    );
    expect(await html()).not.toMatch(/data-category|api\/bundles/);
  });

  test.each([
    ['Snippet', '<script>alert(1)</script>', 'This is not the snippet of an Avow banner.'],
    ['Snippet', 'SNIPPET<img src=x onerror=alert(1)>', 'This is not the snippet of an Avow banner.'],
    ['Snippet', '<script>1</script><script>alert(1)</script>REST', 'This is not the snippet'],
    ['Scripts that wait for consent', 'stats', '“stats” is not a handle and a category'],
    ['Scripts that wait for consent', 'stats Ads', '“stats Ads” is not a handle and a category'],
    ['Category of embeds', 'Marketing!', 'Enter the key of a category'],
  ])('what is wrong is not saved, and said: %s %s', async (field, value, message) => {
    const script = snippet.slice(snippet.lastIndexOf('<script'));
    const entered = value.replace('SNIPPET', snippet).replace('REST', script);
    expect(await save({ [field]: entered })).toContain(message);
    await admin.reload();
    expect(await admin.getByLabel(field, { exact: true }).inputValue()).not.toBe(entered);
    expect(await html()).not.toContain('alert(1)');
  });

  test('the snippet comes before everything else of the head, its stub to the byte', async () => {
    expect(
      await save({
        Snippet: snippet,
        'Scripts that wait for consent': 'stats analytics',
        'Category of embeds': 'marketing',
      }),
    ).toContain('Settings saved');
    const page = await html();
    const stub = /<script>([\s\S]+?)<\/script>/.exec(snippet)?.[1] ?? '?';
    expect(page).toContain(`>${stub}</script>`);
    const [first = ''] = /<script[^>]*>/.exec(page.slice(page.indexOf('window.told'))) ?? [];
    expect(first).toContain('data-no-optimize="1"');
    expect(page).toMatch(
      new RegExp(
        `<script[^>]* src="${server.url.replace('127.0.0.1', '[^"]+')}/api/bundles/${token}\\.js"[^>]*\\basync\\b|<script[^>]*\\basync\\b[^>]*/api/bundles/${token}\\.js"`,
      ),
    );
    expect(page.indexOf('/api/bundles/')).toBeLessThan(page.indexOf('script=own'));
    expect(
      wordpress.run(
        `echo file_exists(WP_CONTENT_DIR . '/debug.log') ? file_get_contents(WP_CONTENT_DIR . '/debug.log') : '';`,
      ),
    ).not.toMatch(/plugins\/avow/);
  });

  test('scripts and what belongs to them wait for their category, others do not', async () => {
    const page = await open();
    await page.goto(wordpress.url);
    await page.getByRole('button', { name: 'Reject all' }).waitFor();
    expect(await ran(page)).toEqual(['own']);
    await page.getByRole('button', { name: 'Accept all' }).click();
    await page.waitForFunction(() => (window as unknown as { ran: string[] }).ran.length === 4);
    expect(await ran(page)).toEqual(['own', 'before', 'stats', 'after']);
    const { session_id = '' } = (await consentOf(page)) ?? {};
    const { items } = await client.listConsents({ token, session_id });
    expect(items.map(({ decision, page_url }) => [decision, page_url])).toEqual([
      ['accept_all', `${wordpress.url}/`],
    ]);
  });

  test('plugins that know the WP Consent API are told', async () => {
    const page = await open();
    await page.goto(wordpress.url);
    const told = () => page.evaluate(() => (window as unknown as { told: object }).told);
    await page.getByRole('button', { name: 'Reject all' }).waitFor();
    expect(await told()).toEqual({});
    expect(
      await page.evaluate(() => (window as unknown as { wp_consent_type: string }).wp_consent_type),
    ).toBe('optin');
    await page.evaluate(() =>
      (window as unknown as { Avow: { save(of: object): void } }).Avow.save({ analytics: true }),
    );
    await page.waitForFunction(() => 'marketing' in (window as unknown as { told: object }).told);
    expect(await told()).toEqual({
      functional: 'allow',
      preferences: 'deny',
      'statistics-anonymous': 'allow',
      statistics: 'allow',
      marketing: 'deny',
    });
    // Asked again, the visitor allows nothing any more.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.waitForFunction(() => 'statistics' in (window as unknown as { told: object }).told);
    expect(await told()).toEqual({ 'statistics-anonymous': 'deny', statistics: 'deny' });
  });

  test('a plugin whose script comes late is told what the visitor decided last', async () => {
    const page = await open();
    await page.goto(wordpress.url);
    await page.getByRole('button', { name: 'Accept all' }).click();
    // As with an optimizer: what was decided is known first, the other plugin's script comes later.
    await page.addInitScript(() => {
      const late = window as unknown as { kept: unknown };
      Object.defineProperty(window, 'wp_set_consent', {
        configurable: true,
        set: (given: unknown) => {
          late.kept = given;
        },
      });
      window.addEventListener('load', (event) => event.stopImmediatePropagation(), { once: true });
    });
    await page.reload();
    await page.waitForFunction(() => {
      const { Avow, kept } = window as unknown as { Avow?: { getConsent?(): unknown }; kept?: unknown };
      return kept !== undefined && Avow?.getConsent?.() !== undefined && document.readyState === 'complete';
    });
    const told = await page.evaluate(() => {
      const late = window as unknown as {
        kept: unknown;
        told: Record<string, string>;
        Avow: { reject(): void };
      };
      Object.defineProperty(window, 'wp_set_consent', { value: late.kept });
      late.Avow.reject();
      window.dispatchEvent(new Event('load'));
      return late.told;
    });
    expect(told).toMatchObject({ statistics: 'deny', marketing: 'deny' });
  });

  test('a film waits behind a placeholder, and the shortcodes open the settings and list the cookies', async () => {
    const page = await open();
    await page.goto(`${wordpress.url}/?pagename=film`);
    await page.getByRole('button', { name: 'Reject all' }).click();
    const film = page.locator('iframe[title="A film"]');
    expect(await film.getAttribute('src')).toBeNull();
    expect(await film.getAttribute('data-src')).toBe('https://www.youtube.com/embed/x?feature=oembed');
    await page.locator('.avow-cookies').waitFor();
    await page.getByRole('button', { name: 'Privacy & cookies', exact: true }).click();
    await page.getByRole('switch').first().waitFor();
    await page.getByRole('button', { name: 'Accept all' }).click();
    await page.waitForFunction(
      () => document.querySelector('iframe[title="A film"]')?.getAttribute('src') !== null,
    );
  });

  test.each([
    // Whoever uploads a film chooses its title.
    [
      `<iframe title="Cats data-category= type=x src=y" src="https://video.example/1"></iframe>`,
      `<iframe data-category="marketing" title="Cats data-category= type=x src=y" data-src="https://video.example/1"></iframe>`,
    ],
    [
      `<iframe title='Cats'src=//video.example/1></iframe>`,
      `<iframe data-category="marketing" title='Cats' data-src=//video.example/1></iframe>`,
    ],
    [
      `<IMG SRC="a.gif" srcset="b.gif 2x"/>`,
      `<IMG data-category="marketing" data-src="a.gif" data-srcset="b.gif 2x">`,
    ],
    [`<iframe data-category="own" src="a"></iframe>`, `<iframe data-category="own" src="a"></iframe>`],
    [
      `<script type="module" src="a.js"></script><script>write('<img src=x>')</script>`,
      `<script type="text/plain" data-category="marketing" data-type="module" data-src="a.js"></script><script type="text/plain" data-category="marketing">write('<img src=x>')</script>`,
    ],
    [`<script type="application/ld+json">{}</script>`, `<script type="application/ld+json">{}</script>`],
  ])('what an embed is made of is held, whatever stands in its texts: %s', (html, held) => {
    const said = wordpress.run(
      `echo avow_consent_hold(base64_decode('${Buffer.from(html).toString('base64')}'), 'marketing', array('iframe', 'script', 'img'));`,
    );
    expect(said).toBe(held);
  });

  test('a user who may not write scripts keeps the snippet, and can change the rest', () => {
    const said = wordpress.run(
      `require ABSPATH . 'wp-admin/includes/template.php'; require_once WP_PLUGIN_DIR . '/avow-consent/includes/settings-page.php';
      $before = avow_consent_options(); $now = avow_consent_sanitize(array('snippet' => '', 'handles' => 'a b', 'embeds' => 'x'));
      echo json_encode(array($now['snippet'] === $before['snippet'], $now['handles'], $now['embeds']));`,
    );
    expect(JSON.parse(said)).toEqual([true, { a: 'b' }, 'x']);
  });

  test('uninstalled, it leaves nothing', () => {
    const left = wordpress.run(
      `define('WP_UNINSTALL_PLUGIN', 'avow-consent/avow-consent.php'); require WP_PLUGIN_DIR . '/avow-consent/uninstall.php';
      global $wpdb; echo $wpdb->get_var("SELECT count(*) FROM $wpdb->options WHERE option_name LIKE '%avow%' AND option_name NOT LIKE 'active_plugins'");`,
    );
    expect(left).toBe('0');
  });
});
