import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { violations } from '../helpers/docs/axe';
import { builtPages, pagesOfEveryKind } from '../helpers/docs/site';
import { watch } from '../helpers/docs/watch';
import { startServer, type TestServer } from '../helpers/server';

const SHOTS = join(__dirname, '..', '..', 'screenshots', 'docs');
const CONTRAST = 'color-contrast';
/** Of all that axe looks at, only this differs with the width where the elements are the same. */
const OF_WIDTH = 'scrollable-region-focusable';

/** Where the colours of every kind of element are seen: contrast takes most of the time. */
const colourful = pagesOfEveryKind();

/**
 * The rules to look at a page by; undefined for none. Rules other than contrast know no colours, and a narrow
 * page has the elements and colours of a wide one: what only it has is seen on the pages of every kind, and in
 * the tests of the menu and of what opens.
 */
function rulesFor(path: string, width: number, scheme: 'light' | 'dark'): object | undefined {
  const withColours = width === 1440 && colourful.has(path);
  if (scheme === 'dark') return withColours ? { runOnly: [CONTRAST] } : undefined;
  if (withColours) return {};
  return width < 1440 && !colourful.has(path)
    ? { runOnly: [OF_WIDTH] }
    : { rules: { [CONTRAST]: { enabled: false } } };
}

describeInBrowser('every page of the documentation', () => {
  let server: TestServer;
  let browser: Browser;
  const paths = builtPages()
    .map(({ path }) => path)
    .filter((path) => path !== '404');

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test.each([1440, 360])(
    'is accessible in light and dark, keeps its policy and needs no sideways scrolling at %i px',
    async (width) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
      const found: string[] = [];
      const visit = async (page: Page, wrong: string[], path: string) => {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(`${server.url}/docs/${path}`);
        const name = `${path.replaceAll('/', '-') || 'index'}-${width}`;
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const rules = rulesFor(path, width, colorScheme);
          for (const violation of rules === undefined ? [] : await violations(page, rules))
            found.push(`${path} ${colorScheme}: ${violation}`);
          if (process.env.SCREENSHOTS !== 'off')
            await page.screenshot({ path: join(SHOTS, `${name}-${colorScheme}.png`) });
        }
        const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
        if (scrolled > width) found.push(`${path}: ${scrolled} px wide`);
        found.push(...wrong.splice(0).map((text) => `${path}: ${text}`));
      };
      const waiting = [...paths];
      // One tab for many pages: it starts one process, and compiles axe once.
      const work = async () => {
        const page = await context.newPage();
        const wrong = watch(page, server.url);
        for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
          await visit(page, wrong, path);
      };
      await Promise.all([work(), work()]);
      await context.close();
      expect(found).toEqual([]);
    },
    300_000,
  );

  test('shows everything that opens as accessibly as what is open', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 900 } });
    await page.goto(`${server.url}/docs/api/webhooks`);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Close' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.close();
  });

  test('can be read without a script, with its menu and every sample', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 900 },
    });
    const page = await context.newPage();
    await page.goto(`${server.url}/docs/api/visitor`);
    expect(await page.locator('h2#logConsent').isVisible()).toBe(true);
    expect(await page.getByText('await avow.logConsent(').first().isVisible()).toBe(true);
    expect(await page.getByText('curl -X POST').first().isVisible()).toBe(true);
    // What would do nothing is not shown.
    expect(await page.locator('.needs-script:visible').count()).toBe(0);
    await page.getByRole('link', { name: 'Menu' }).click();
    expect(page.url()).toMatch(/#navigation$/);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Errors' }).click();
    expect(await page.locator('h1').textContent()).toBe('Errors');
    await context.close();
  });

  test('remembers the colours that were chosen, and the language of samples', async () => {
    const page = await browser.newPage({ colorScheme: 'light' });
    await page.goto(`${server.url}/docs/api/visitor`);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Dark colours' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.getByRole('tab', { name: 'SDK' }).first().press('Enter');
    await page.goto(`${server.url}/docs/api/consents`);
    expect(await background()).toBe(dark);
    expect(await page.getByRole('tab', { name: 'SDK', selected: true }).count()).toBeGreaterThan(3);
    expect(await page.getByText('await avow.getConsent(').isVisible()).toBe(true);
    await page.close();
  });

  test('starts with a link that jumps over the navigation', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}/docs/errors`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the text');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await page.close();
  });
});
