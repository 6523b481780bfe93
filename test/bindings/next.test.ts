import type { Browser, Page } from 'playwright-core';
import { consentOf } from '../helpers/banner/shop';
import { nextFolder, serveNext } from '../helpers/bindings/next';
import { film, openWatched, press, ran, untilState } from '../helpers/bindings/watched';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { type Client, startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

// An app of the App Router, as it runs in production: streamed, and under a strict policy with a nonce.
jest.setTimeout(240_000);

if (nextFolder === undefined)
  console.warn(
    'SKIPPED: no Next.js; TEST_NEXT=FOLDER names one where `npm install next react react-dom` has run',
  );

(nextFolder === undefined ? describe.skip : describeInBrowser)('the bindings in Next.js', () => {
  let server: TestServer;
  let client: Client;
  let token: string;
  let browser: Browser;
  let app: Awaited<ReturnType<typeof serveNext>>;
  beforeAll(async () => {
    server = await startServer();
    ({ client, token } = await server.site());
    const { snippet, url } = await client.generateBundle({ token });
    [app, browser] = await Promise.all([serveNext(snippet, new URL(url).origin), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await server?.stop();
  });

  const latest = async (page: Page) => {
    const { session_id = '' } = (await consentOf(page)) ?? {};
    return (await client.listConsents({ token, session_id })).items[0]?.decision;
  };
  const shown = async (page: Page, ...texts: string[]): Promise<void> => {
    for (const text of texts) await page.getByText(text, { exact: true }).waitFor();
  };

  test('nothing that waits is in the HTML, and the nonce is on the scripts', async () => {
    const response = await fetch(app.origin);
    const html = await response.text();
    const [, nonce] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
    expect(html).toContain('Statistics are off');
    expect(html).toMatch(new RegExp(`<script[^>]*nonce="${nonce}"[^>]*>\\(function`));
    expect(html.match(/<script(?![^>]* nonce=)/g)).toBeNull();
    expect(html).not.toMatch(/<iframe[^>]*src=/);
  });

  test('the page follows the choice without a reload and without a complaint', async () => {
    const { context, complaints } = await openWatched(browser);
    const page = await context.newPage();
    await page.goto(app.origin);
    await page.locator('avow-banner dialog').waitFor();
    await untilState(page, 'undecided');
    expect(await page.getByText(/Statistics are on|Late statistics/).count()).toBe(0);
    expect([await ran(page), film(page)]).toEqual([[], undefined]);
    await press(page, 'Accept all');
    await untilState(page, 'accept_all');
    await shown(page, 'Statistics are on', 'Late statistics', 'counted');
    await page.frameLocator('iframe').getByText('A film').waitFor();
    await until('the record is stored', async () => (await latest(page)) === 'accept_all');

    await page.getByText('Next page').click();
    await shown(page, 'Counted here too');
    await page.getByText('Back').click();
    await shown(page, 'Statistics are on', 'Late statistics', 'counted');
    expect(await ran(page)).toEqual(['counted']);

    await press(page, 'Our settings');
    await press(page, 'Reject all');
    await shown(page, 'Statistics are off');
    expect(await page.getByText(/Statistics are on|Late statistics/).count()).toBe(0);
    await until('the film is gone', () => film(page) === undefined);
    await until('the withdrawal is stored', async () => (await latest(page)) === 'reject_all');
    expect(await page.locator('avow-banner').count()).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a later visit knows the choice, and the server has nothing to complain about', async () => {
    const { context, complaints } = await openWatched(browser);
    const page = await context.newPage();
    await page.goto(app.origin);
    await press(page, 'Accept all');
    await page.reload();
    await shown(page, 'Statistics are on', 'Late statistics', 'counted');
    expect(await page.locator('avow-banner dialog').count()).toBe(0);
    expect(complaints).toEqual([]);
    expect(app.printed()).not.toMatch(/error|warn|⚠|⨯/i);
    await context.close();
  });
});
