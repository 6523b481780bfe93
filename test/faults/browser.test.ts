import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { checkedFetch } from '../helpers/contract';
import { emptyDatabase } from '../helpers/database';
import { ServerProcess } from '../helpers/processes/child';
import { endAll } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const OWNER = { email: 'ada@example.com', password: 'correct horse battery' };

describeInBrowser('a real browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  let token: string;

  beforeAll(async () => {
    database = await emptyDatabase();
    server = await ServerProcess.start({ DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on' });
    token = await server.demoToken();
    browser = await openBrowser();
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(15_000);
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the set-up link of the welcome leads to an account that owns the demo site, once', async () => {
    const problems: string[] = [];
    page.on('console', (message) => {
      const { url } = message.location();
      // The browser reports the 400 of a mistake.
      if (message.type() === 'error' && !/accept-invitation|auth\/invitation/.test(url))
        problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    const link = await server.setupLink();
    await page.goto(link);
    // Mistakes are shown beside their fields first.
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Must have at least 12 characters.').waitFor();
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(OWNER.password);
    // Without the mouse.
    await page.getByLabel('Password').press('Enter');
    // Straight into the console, logged in.
    const site = page.getByRole('link', { name: 'Demo site' });
    expect(await site.getAttribute('href')).toBe(`/console/sites/${token}`);
    expect(page.url()).not.toContain('#');
    expect([...hosts]).toEqual([new URL(link).host]);
    expect(problems).toEqual([]);
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText(/was used, has expired/).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
  });

  describe('on a page of another origin', () => {
    let shop: Server;
    let origin: string;
    let api: string;

    beforeAll(async () => {
      shop = createServer((_request, response) =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Shop</title>'),
      );
      await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
      api = `${server.url}/api`;
    });
    afterAll(() => {
      shop.closeAllConnections();
      shop.close();
    });

    test('a decision is logged by fetch and read back, and the owner finds it', async () => {
      await page.goto(origin);
      const session_id = randomUUID();
      const seen = await page.evaluate(
        async ([base, site, session]) => {
          const logged = await fetch(`${base}/consents/${site}/log`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'from-the-page' },
            body: JSON.stringify({ session_id: session, decision: 'accept_all', page_url: location.href }),
          });
          const read = await fetch(`${base}/preferences/${site}?session_id=${session}`);
          return {
            logged: (await logged.json()).data,
            read: (await read.json()).data,
            id: read.headers.get('x-request-id'),
          };
        },
        [api, token, session_id] as const,
      );
      expect(seen.read).toMatchObject({ session_id, decision: 'accept_all', reconsent_required: false });
      expect(seen.id).toMatch(/^[0-9a-f-]{36}$/);
      const owner = createAvow({ baseUrl: server.url, credentials: OWNER, fetch: checkedFetch });
      const { items } = await owner.listConsents({ token, session_id });
      expect(items).toEqual([seen.logged]);
      expect(items[0]).toMatchObject({ page_url: `${origin}/`, ip_masked: '127.0.***.***' });
      expect(items[0]?.user_agent).toContain('Chrome');
    });

    test('a decision is logged by a beacon while the page is left, without a pre-flight', async () => {
      const methods: string[] = [];
      page.on('request', (request) => methods.push(request.method()));
      await page.goto(`${origin}/leave`);
      const session_id = randomUUID();
      await page.evaluate(
        ([base, site, session, event]) => {
          addEventListener('pagehide', () => {
            const body = JSON.stringify({ event_id: event, session_id: session, decision: 'reject_all' });
            navigator.sendBeacon(`${base}/v/${site}/ce`, body);
            navigator.sendBeacon(`${base}/v/${site}/ce`, body);
          });
        },
        [api, token, session_id, randomUUID()] as const,
      );
      await page.goto('about:blank');
      const owner = createAvow({ baseUrl: server.url, credentials: OWNER, fetch: checkedFetch });
      const items = await until('the owner finds the record', async () => {
        const found = (await owner.listConsents({ token, session_id })).items;
        return found.length > 0 && found;
      });
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ session_id, decision: 'reject_all' });
      expect(methods).not.toContain('OPTIONS');
    });

    test("an owner's endpoint stays closed to the page", async () => {
      await page.goto(origin);
      const outcome = await page.evaluate(
        (base) =>
          fetch(`${base}/me`, { headers: { Authorization: 'Bearer a.b.c' } }).then(
            () => 'read',
            () => 'refused',
          ),
        api,
      );
      expect(outcome).toBe('refused');
    });
  });
});
