import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { breachBody } from '../helpers/console/desk';
import { ask, disabled, hooked } from '../helpers/console/hooks';
import { colleague } from '../helpers/console/roles';
import { until } from '../helpers/until';
import { INWARD, type Receiver, startReceiver } from '../helpers/webhooks/receiver';

jest.setTimeout(120_000);

describeInBrowser('deliveries of a webhook', () => {
  const kit = useConsole({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '0,0,0,0' } });
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  const one = (given: Parameters<typeof hooked>[2] = {}) => hooked(kit.server, receiver, given);
  const answers = (status: number, body = ''): void => {
    receiver.answer = (_request, response) => response.writeHead(status).end(body);
  };
  /** Disabled by its first delivery, which it holds with two that came later. */
  const broken = async () => {
    const made = await one();
    answers(503, 'Down for maintenance');
    await ask(kit.server, made.token);
    await disabled(made.read);
    for (const name of ['b', 'c']) await ask(kit.server, made.token, `${name}@example.com`);
    return made;
  };
  const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');

  test('each is shown with its request and answer, and sent again as it was', async () => {
    const { owner, token, webhook_id, path } = await one();
    answers(201, 'Kept <b>it</b>');
    const { request_id } = await ask(kit.server, token);
    await receiver.until(1);
    const page = await kit.open(path, { as: owner });
    await page.getByRole('cell', { name: 'HTTP 201' }).waitFor();
    await kit.look(page, 'webhook');
    await page.getByLabel('State').selectOption('delivered');
    await page.getByRole('button', { name: 'Details of dsar.created' }).click();
    const dialog = page.getByRole('dialog', { name: 'dsar.created' });
    await dialog.getByText('Kept <b>it</b>').waitFor();
    await dialog.getByText(request_id).waitFor();
    await kit.look(page, 'webhook-delivery');
    answers(500, 'Not now');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    // It is not in the state that is listed, and is shown all the same.
    await dialog.getByText('Not now').waitFor();
    await page.getByText('Sent again, and not accepted.').waitFor();
    await kit.look(page, 'webhook-redelivery');
    const [first, second] = await receiver.until(2);
    expect(second?.body).toBe(first?.body);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('State').selectOption('');
    await page.getByText('2 shown, that is all').waitFor();
    const { items } = await owner.client.listDeliveries({ token, webhook_id });
    expect(items).toMatchObject([
      { kind: 'redelivery', state: 'failed', response_status: 500 },
      { kind: 'event', state: 'delivered', response_status: 201 },
    ]);
  });

  test('a test shows what the receiver answers, and never counts as a failure', async () => {
    const { owner, read, path } = await one({ events: ['breach.created'] });
    answers(401, 'Wrong signature');
    const page = await kit.open(path, { as: owner });
    await page.getByText('No deliveries').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText('Wrong signature').waitFor();
    await kit.look(page, 'webhook-test');
    const [received] = await receiver.until(1);
    expect(JSON.parse(received?.body as string)).toMatchObject({ event: 'breach.created' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: 'HTTP 401' }).waitFor();
    expect(await read()).toMatchObject({ status: 'active', consecutive_failures: 0 });
  });

  test('what a disabled webhook holds goes out with one key on one button', async () => {
    const { owner, token, webhook_id, read, path } = await broken();
    const page = await kit.open(path, { as: owner });
    await page.getByText('3 deliveries are held.').waitFor();
    await page.getByRole('button', { name: 'Details of dsar.created' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'dsar.created' });
    await dialog.getByText('Down for maintenance').waitFor();
    await kit.look(page, 'webhook-held');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const failures = receiver.received.length;
    answers(204);
    await page.getByRole('button', { name: 'Reactivate' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('is active again.').waitFor();
    await rows(page).getByText('HTTP 204').nth(2).waitFor();
    const sent = (await receiver.until(failures + 3)).slice(failures);
    const people = sent.map(({ body }) => JSON.parse(body).email);
    // What was tried before comes last.
    expect(people).toEqual(['b@example.com', 'c@example.com', 'a@example.com']);
    expect(await read()).toMatchObject({ status: 'active', held: 0, consecutive_failures: 0 });
    const { items } = await owner.client.listDeliveries({ token, webhook_id, state: 'delivered' });
    expect(items).toHaveLength(3);
  });

  test('when another owner reactivated it first, it says so', async () => {
    const { owner, token, webhook_id } = await broken();
    const page = await kit.open(`/sites/${token}/webhooks`, { as: owner });
    const button = page.getByRole('button', { name: /^Reactivate/ });
    await button.waitFor();
    answers(204);
    await owner.client.reactivateWebhook({ token, webhook_id });
    await button.click();
    await page.getByText('Somebody else has done this').waitFor();
    await page.getByRole('table').getByText('Active', { exact: true }).waitFor();
    expect(await button.count()).toBe(0);
  });

  test('everything that failed is sent again from one window, once however often it is asked for', async () => {
    const { owner, token, webhook_id, path } = await one();
    for (const name of ['a', 'b', 'c']) await ask(kit.server, token, `${name}@example.com`);
    await receiver.until(3);
    const { db } = kit.server.service.context;
    await until('all are delivered', async () => {
      const { items } = await owner.client.listDeliveries({ token, webhook_id, state: 'delivered' });
      return items.length === 3;
    });
    await db('deliveries').where({ webhook_id }).update({ state: 'failed', attempts: 5, delivered_at: null });
    const page = await kit.open(path, { as: owner });
    const open = async () => {
      await page.getByRole('button', { name: 'Send failed again' }).click();
      return page.getByRole('dialog', { name: 'Send failed deliveries again' });
    };
    const dialog = await open();
    await dialog.getByLabel('Failed since').waitFor();
    await kit.look(page, 'webhook-send-failed-again');
    await dialog.getByRole('button', { name: 'Send again' }).dblclick();
    await dialog.getByText('3 deliveries will be sent, oldest first.').waitFor();
    await kit.look(page, 'webhook-sent-failed-again');
    await receiver.until(6);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await rows(page).getByText('Delivered').nth(2).waitFor();
    const again = await open();
    await again.getByLabel('Event').selectOption('dsar.created');
    await again.getByRole('button', { name: 'Send again' }).click();
    await again.getByText('No delivery has failed since then.').waitFor();
    expect(receiver.received).toHaveLength(6);
    await page.goto(`${kit.server.url}/console/sites/${token}/webhooks`);
    await (await open()).getByText('All deliveries to every webhook').waitFor();
    const viewer = await kit.open(path, { as: await colleague(kit.server, owner, token, 'viewer') });
    await viewer.getByRole('cell', { name: 'HTTP 200' }).first().waitFor();
    expect(await viewer.getByRole('button', { name: 'Send failed again' }).count()).toBe(0);
  });

  test('a receiver that cannot be reached is named as the reason', async () => {
    const { owner, path } = await one();
    await receiver.stop();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText('There was no answer.').waitFor();
    await dialog.getByText('Failed', { exact: true }).waitFor();
  });

  test('an operator may send again, a viewer may not', async () => {
    const { owner, token, path } = await one();
    await ask(kit.server, token);
    await receiver.until(1);
    for (const role of ['operator', 'viewer'] as const) {
      const page = await kit.open(path, { as: await colleague(kit.server, owner, token, role) });
      await page.getByRole('cell', { name: 'HTTP 200' }).first().waitFor();
      await page.getByRole('button', { name: 'Details of dsar.created' }).first().click();
      const again = page.getByRole('button', { name: 'Send again' });
      if (role === 'operator') {
        await again.click();
        await page.getByText('Sent again, and accepted.').waitFor();
      } else {
        await page.getByText('Only operators and owners can send it again.').waitFor();
        expect(await again.count()).toBe(0);
      }
    }
    expect(receiver.received).toHaveLength(2);
  });

  test('events are listed with what receivers are told, also without a webhook', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/webhooks`, { as: owner });
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByText('No events yet').waitFor();
    await kit.look(page, 'events-empty');
    const { request_id } = await ask(kit.server, token);
    const title = 'A <img src=x onerror=alert(1)> title';
    const { breach_id } = await owner.client.createBreach({ token, body: breachBody({ title }) });
    await owner.client.reportBreach({ token, breach_id, body: { authority: 'HmbBfDI' } });
    const viewer = await colleague(kit.server, owner, token, 'viewer');
    const theirs = await kit.open(`/sites/${token}/webhooks/events`, { as: viewer });
    await theirs.getByText('3 shown, that is all').waitFor();
    const event = theirs.getByRole('combobox', { name: /^Event/ });
    const payload = theirs.getByText('Payload', { exact: true });
    const listed = theirs.getByRole('table', { name: 'Events' }).locator('tbody tr td:nth-child(2)');
    expect(await listed.allTextContents()).toEqual(['breach.reported', 'breach.created', 'dsar.created']);
    await payload.nth(1).click();
    await theirs.getByText(title).nth(1).waitFor();
    await kit.look(theirs, 'events');
    await event.selectOption('dsar.created');
    await theirs.getByText('1 shown, that is all').waitFor();
    await payload.click();
    await theirs.getByText(request_id).waitFor();
    await event.selectOption('dsar.resolved');
    await theirs.getByText('No matching event').waitFor();
    await theirs.getByRole('button', { name: 'Clear filters' }).click();
    await theirs.getByText('3 shown, that is all').waitFor();
  });
});
