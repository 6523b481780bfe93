import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { type Pages, startPages } from '../helpers/browser/pages';
import { watch } from '../helpers/console/watch';
import { checkedFetch } from '../helpers/contract';
import { emptyDatabase } from '../helpers/database';
import { endChildren, ServerProcess } from '../helpers/processes/child';
import { until } from '../helpers/until';
import { INWARD, type Receiver, startReceiver } from '../helpers/webhooks/receiver';

jest.setTimeout(180_000);

const OWNER = { email: 'ada@harbour-books.example', password: 'correct horse battery' };
const HOUR = 3_600_000;

describeInBrowser('a new owner with nothing but the printed link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'avow-journey-'));
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  let receiver: Receiver;
  let shop: Pages;
  const problems: string[] = [];

  beforeAll(async () => {
    database = await emptyDatabase();
    receiver = await startReceiver();
    server = await ServerProcess.start({
      ...{ DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'off' },
      ...{ ...INWARD, WEBHOOK_RETRY_SECONDS: '1,1,1,1' },
    });
    browser = await openBrowser();
    page = await (
      await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' })
    ).newPage();
    page.setDefaultTimeout(20_000);
    await watch(
      page,
      // As it is printed.
      new URL(await server.setupLink()).origin,
      (problem) => problems.push(problem),
      () => false,
    );
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
    await receiver?.stop();
    await endChildren();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const go = (name: string | RegExp) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  const client = () => createAvow({ baseUrl: server.url, credentials: OWNER, fetch: checkedFetch });

  test('sets up a site, sees the first decision, answers a request, reports a breach and repairs a webhook', async () => {
    await setUp();
    const token = await addSite();
    await firstDecision(token);
    await answerRequest(token);
    await reportBreach(token);
    await repairWebhook(token);
    expect(problems).toEqual([]);
  });

  async function setUp(): Promise<void> {
    await page.goto(await server.setupLink());
    await page.getByLabel('Password').fill(OWNER.password);
    await press('Create account');
    await page.locator('.field-error', { hasText: 'Is required for the set-up link.' }).waitFor();
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Name').fill('Ada Owner');
    await press('Create account');
    await page.getByText('No site yet').waitFor();
  }

  async function addSite(): Promise<string> {
    await page.getByRole('link', { name: 'Add your first site' }).click();
    await page.getByLabel('Name').fill('Harbour Books');
    await page.getByLabel('Domain', { exact: true }).fill('harbour-books.example');
    await press('Next');
    await press('Create site');
    await page.getByRole('heading', { name: 'Install the banner' }).waitFor();
    const [site] = (await client().listEnvironments()).items;
    return site?.token as string;
  }

  async function firstDecision(token: string): Promise<void> {
    const snippet = await page.locator('pre').textContent();
    shop = await startPages((_path, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><html lang="en"><title>Shop</title>${snippet}<h1>Shop</h1>`),
    );
    await visit(/^Accept all$/);
    await page.getByText('The newest decision').waitFor();
    const { items } = await client().listConsents({ token });
    expect(items).toMatchObject([{ decision: 'accept_all', method: 'banner' }]);
    expect(items[0]?.bundle_hash).toBeTruthy();
    await page.getByRole('link', { name: 'It works: to the overview' }).click();
    await page.getByRole('heading', { name: 'Harbour Books' }).waitFor();
  }

  /** A new visitor of the shop, on another origin, who presses this in the banner. */
  async function visit(button: RegExp): Promise<void> {
    const visitor = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    await visitor.goto(`http://shop.localhost:${shop.port}/`);
    const recorded = visitor.waitForResponse((response) => response.url().endsWith('/ce'));
    await visitor.getByRole('button', { name: button }).click();
    expect((await recorded).status()).toBe(202);
    await visitor.context().close();
  }

  async function answerRequest(token: string): Promise<void> {
    const body = { request_type: 'access' as const, email: 'lotte@example.com', name: 'Lotte Janssen' };
    const { request_id } = await client().submitDsar({ token, body });
    await go('Requests');
    await page
      .getByRole('link', { name: /Access|lotte@example\.com|Lotte Janssen/ })
      .first()
      .click();
    await press('Start');
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByText('Work has started.').waitFor();
    await press('Resolve');
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Note' })
      .fill('Copy of all data sent by post.');
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The request is resolved.').waitFor();
    expect(await client().getDsar({ token, request_id })).toMatchObject({
      ...{ status: 'resolved', resolution: 'fulfilled', resolution_note: 'Copy of all data sent by post.' },
    });
  }

  async function reportBreach(token: string): Promise<void> {
    await go('Breaches');
    await page.getByRole('link', { name: 'Record a breach' }).click();
    await page.getByLabel('Title').fill('Order export sent to the wrong supplier');
    await page
      .getByLabel('Nature of the breach')
      .fill('Confidentiality: 40 orders were read by another company.');
    await page.getByRole('textbox', { name: 'Description' }).fill('An e-mail went to the wrong address.');
    await page.getByLabel('Known since').fill(new Date(Date.now() - HOUR).toISOString().slice(0, 16));
    await page.getByLabel('Likely consequences').fill('Names and addresses are known to one company.');
    await page.getByLabel('Measures taken or proposed').fill('The company has deleted the file.');
    await press('Record');
    await page.getByRole('heading', { name: 'Order export sent to the wrong supplier' }).waitFor();
    await press('Mark as reported');
    await page.getByLabel('Supervisory authority').fill('HmbBfDI');
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as reported' }).click();
    await page.getByText('The breach is marked as reported.').waitFor();
    const { items } = await client().listBreaches({ token });
    expect(items).toMatchObject([{ status: 'reported', authority: 'HmbBfDI', overdue: false }]);
  }

  async function repairWebhook(token: string): Promise<void> {
    receiver.answer = (_request, response) => response.writeHead(500).end('out of order');
    await go('Webhooks');
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Description').fill('CRM');
    await press('Create');
    await press('I have stored it');
    await page.getByRole('heading', { name: 'CRM' }).waitFor();
    await visit(/^Reject all$/);
    await until('five failures disable it', async () => {
      const { items } = await client().listWebhooks({ token });
      return items[0]?.status === 'disabled';
    });
    // The overview asks for it, and leads there.
    await go('Overview');
    await page.getByText(/The webhook to .* is disabled/).waitFor();
    receiver.answer = (_request, response) => response.writeHead(200).end('ok');
    const before = receiver.received.length;
    await visit(/^Accept all$/);
    await page.getByRole('listitem').filter({ hasText: 'is disabled' }).getByRole('link').click();
    await press('Reactivate');
    await page.getByText(/is active again/).waitFor();
    // What was held goes out, that which disabled it last.
    const received = await receiver.until(before + 2);
    expect(JSON.parse(received[before]?.body as string)).toMatchObject({
      ...{ event: 'consent.accept_all', environment: token },
    });
    await until('it is active', async () => {
      const { items } = await client().listWebhooks({ token });
      return items[0]?.status === 'active' && items[0].held === 0;
    });
  }
});
