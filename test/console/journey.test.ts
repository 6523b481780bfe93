import type { Page } from 'playwright-core';
import { invitationLink } from '../../server/src/api/accounts';
import { describeInBrowser } from '../helpers/browser';
import { startPages } from '../helpers/pages';
import { INWARD, startReceiver } from '../helpers/receiver';
import { PASSWORD } from '../helpers/server';
import { useConsole } from './support/console';

jest.setTimeout(180_000);

describeInBrowser('a new owner', () => {
  const kit = useConsole({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '1,1,1,1' } });

  test('comes from the printed link to a site with answered requests, a reported breach and a mended webhook', async () => {
    const receiver = await startReceiver();
    receiver.answer = (_request, response) => response.writeHead(503).end('Down for maintenance');
    const page = await kit.open('/');
    try {
      await setUp(page, await firstLink());
      const token = await newSite(page);
      await firstDecision(page);
      await newWebhook(page, receiver.url);
      const { request_id } = await kit.server.visitor.submitDsar({
        token,
        body: { request_type: 'erasure', email: 'jules@example.com', name: 'Jules Moreau' },
      });
      await recordBreach(page);
      await reportBreach(page);
      await answerRequest(page);
      await mendWebhook(page, () => {
        receiver.answer = (_request, response) => response.writeHead(204).end();
      });
      await receiver.until(5);
      const { db } = kit.server.service.context;
      expect(await db('dsar_requests').where({ request_id })).toMatchObject([
        { status: 'resolved', resolution: 'fulfilled' },
      ]);
      expect(await db('breaches')).toMatchObject([{ authority: 'HmbBfDI' }]);
      expect(await db('webhooks')).toMatchObject([{ status: 'active', consecutive_failures: 0 }]);
      const accepted = receiver.received.map(({ body }) => JSON.parse(body).event);
      for (const event of ['dsar.created', 'breach.created', 'breach.reported', 'dsar.resolved'])
        expect(accepted).toContain(event);
    } finally {
      await receiver.stop();
    }
  });

  const firstLink = async (): Promise<string> => '';

  async function setUp(page: Page, link: string): Promise<void> {
    await page.goto(link);
    await page.getByLabel('E-mail address').fill('ada@harbour-books.example');
    await page.getByLabel('Name').fill('Ada Owner');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Add your first site' }).click();
  }

  async function newSite(page: Page): Promise<string> {
    await page.getByLabel('Name').fill('Harbour Books');
    await page.getByLabel('Domain', { exact: true }).fill('harbour-books.example');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Create site' }).click();
    await page.getByRole('heading', { name: 'Install the banner' }).waitFor();
    return /sites\/([^/]+)/.exec(page.url())?.[1] as string;
  }

  /** The snippet as it stands on the screen is pasted into a page, and a visitor comes. */
  async function firstDecision(page: Page): Promise<void> {
    const snippet = await page.locator('pre').textContent();
    const shop = await startPages((_path, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><html lang="en"><head>${snippet}<title>Shop</title></head><h1>Shop</h1>`),
    );
    const visitor = await page.context().browser()?.newPage();
    try {
      await visitor?.goto(`http://127.0.0.1:${shop.port}/`);
      await page.getByText('The banner was shown 1 time').waitFor();
      await visitor?.getByRole('button', { name: 'Reject all' }).click();
      await page.getByText('The newest decision').waitFor();
    } finally {
      await visitor?.close();
      await shop.stop();
    }
    await page.getByRole('link', { name: 'It works: to the overview' }).click();
  }

  async function newWebhook(page: Page, url: string): Promise<void> {
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('link', { name: 'New webhook' }).first().click();
    await page.getByLabel('Address').fill(url);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'I have kept it' }).click();
  }

  async function recordBreach(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Breaches', exact: true }).click();
    await page.getByRole('link', { name: 'Record a breach' }).first().click();
    await page.getByLabel('Title').fill('Phishing of an employee');
    await page.getByLabel('Nature of the breach').fill('Confidentiality');
    await page.getByRole('textbox', { name: 'Description' }).fill('A mailbox was read.');
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16);
    await page.getByLabel('Known since').fill(hourAgo);
    await page.getByRole('button', { name: 'Record' }).click();
  }

  async function reportBreach(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Mark as reported' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Supervisory authority').fill('HmbBfDI');
    await dialog.getByRole('button', { name: 'Mark as reported' }).click();
    await page.getByText('The breach is marked as reported.').waitFor();
  }

  async function answerRequest(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('link', { name: /Erasure/ }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('Deleted everywhere.');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The request is resolved.').waitFor();
  }

  /** The overview warns of the webhook; one button repairs it, and what was held arrives. */
  async function mendWebhook(page: Page, mend: () => void): Promise<void> {
    await expectDisabled();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.reload();
    await page.getByRole('link', { name: 'Repair and reactivate' }).click();
    await page.getByText('Disabled: nothing is sent').waitFor();
    mend();
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByText('is active again.').waitFor();
    await page.getByRole('cell', { name: 'HTTP 204' }).first().waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Nothing needs your attention now.').waitFor();
  }

  async function expectDisabled(): Promise<void> {
    const { db } = kit.server.service.context;
    const end = Date.now() + 60_000;
    for (;;) {
      const [row] = await db('webhooks');
      if (row?.status === 'disabled') return;
      if (Date.now() > end) throw new Error('The webhook is not disabled.');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
