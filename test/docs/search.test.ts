import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { violations } from '../helpers/docs/axe';
import { startServer, type TestServer } from '../helpers/server';

describeInBrowser('the search of the documentation', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    await page.goto(`${server.url}/docs/`);
  });
  afterEach(() => page.close());

  /** Types into the search as somebody without a mouse does. */
  const search = async (query: string) => {
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search the documentation' });
    await field.waitFor();
    await page.keyboard.type(query);
    await page.locator('#search-results[role=listbox] [role=option]').first().waitFor();
    return page.getByRole('option').allTextContents();
  };

  test.each([
    ['log consent', 'logConsent', /\/docs\/api\/visitor#logConsent$/],
    ['dsar.created', 'dsar.created', /\/docs\/webhooks#dsar-created$/],
    ['rate_limited', 'rate_limited', /\/docs\/errors#rate_limited$/],
    ['enforce_origin', 'enforce_origin', /\/docs\/api\/\w+#\w+\..*enforce_origin$/],
    // As people ask who do not know our words.
    ['forgot password', 'A forgotten password', /\/docs\/guides\/configuration#a-forgotten-password$/],
    ['youtube', 'Block frames', /\/docs\/guides\/banner#block-frames/],
    ['pagination', 'Pagination', /\/docs\/guides\/pagination$/],
    ['export one visitor', 'Export one visitor', /\/docs\/guides\/[a-z-]+(#export-one-visitor)?$/],
    ['service account', 'Service accounts', /\/docs\/guides\/service-accounts$/],
    ['rotate SECRETS_KEY', 'Rotating the secrets key', /#rotating-the-secrets-key-and-the-jwt-secret$/],
    ['erase by e-mail', 'Erase by e-mail', /\/docs\/guides\/erasing-a-person#erase-by-e-mail$/],
    ['native app', 'Native apps and web views', /\/docs\/guides\/web-views$/],
    ['shopify', 'Google Tag Manager, WordPress and Shopify', /\/docs\/guides\/tag-manager-wordpress-shopify/],
    ['CCPA', 'Rules by region', /\/docs\/guides\/regions$/],
    ['process hangs', 'When one process hangs', /\/docs\/guides\/scaling#when-one-process-hangs$/],
    ['nextjs', 'React and Next.js', /\/docs\/guides\/nextjs$/],
    ['GTM', 'Google Consent Mode', /\/docs\/guides\/google-consent-mode$/],
    ['DPO', 'For data-protection officers', /\/docs\/guides\/data-protection-officers$/],
    ['openssl', 'Verify with other tools', /\/docs\/guides\/verify-with-other-tools(#[\w-]+)?$/],
    ['threat model', 'Evidence formats and threats', /\/docs\/guides\/evidence-formats$/],
    ['right to be forgotten', 'Erasing a person', /\/docs\/guides\/erasing-a-person$/],
    // No text has all of these words.
    ['how do I reset my lost password', 'resetPassword', /#resetPassword$/],
  ])('finds "%s" by keyboard alone', async (query, title, address) => {
    const found = await search(query);
    expect(found[0]).toContain(title);
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
    const anchor = decodeURIComponent(new URL(page.url()).hash.slice(1));
    // Also what is folded away is opened for the reader.
    await page.waitForFunction(
      (id) => (document.getElementById(id) ?? document.querySelector('h1'))?.checkVisibility(),
      anchor,
    );
  });

  test('moves through what it found, says where it is, and closes by Escape', async () => {
    expect((await search('webhook')).length).toBeGreaterThan(3);
    const active = () => page.evaluate(() => document.activeElement?.getAttribute('aria-activedescendant'));
    expect(await active()).toBe('found-0');
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe('found-1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog.search').isVisible()).toBe(false);
  });

  test('says so when there is nothing, and shows what was typed as text', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('<img src=x>zzqq');
    await page.getByText('Nothing is called “<img src=x>zzqq”.').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
  });
});
