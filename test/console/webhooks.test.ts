import type { Input } from '@avow/sdk';
import { describeInBrowser } from '../helpers/browser';
import { INWARD, type Receiver, startReceiver } from '../helpers/receiver';
import { useConsole } from './support/console';
import { colleague } from './support/roles';

jest.setTimeout(120_000);

describeInBrowser('webhooks', () => {
  const kit = useConsole({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '1,1,1,1' } });
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  const one = async (given: Partial<Input<'createWebhook'>['body']> = {}) => {
    const owner = await kit.server.site();
    const { token } = owner;
    const body = { url: receiver.url, description: 'CRM', events: '*' as const, ...given };
    const { webhook_id } = await owner.client.createWebhook({ token, body });
    const read = () => owner.client.getWebhook({ token, webhook_id });
    return { owner, token, webhook_id, read, path: `/sites/${token}/webhooks/${webhook_id}` };
  };
  const ask = (token: string) =>
    kit.server.visitor.submitDsar({ token, body: { request_type: 'access', email: 'a@example.com' } });

  test('one is created; what is wrong is said at its field, and the secret is shown once', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/webhooks`, { as: owner });
    await page.getByRole('link', { name: 'New webhook' }).first().click();
    await page.getByLabel('Address').fill('ftp://receiver.example.com');
    await page.getByLabel('Description').fill('<b>CRM</b> & more');
    await page.getByRole('radio', { name: 'Only these' }).check({ force: true });
    await page.getByRole('checkbox', { name: /dsar\.created/ }).check({ force: true });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.field-error').first().waitFor();
    expect(await page.getByLabel('Address').evaluate((field) => field === document.activeElement)).toBe(true);
    await kit.look(page, 'webhook-new');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog', { name: 'The webhook is created' });
    const secret = await dialog.locator('pre').textContent();
    await page.keyboard.press('Escape');
    await kit.look(page, 'webhook-secret');
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('heading', { name: '<b>CRM</b> & more' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect((await owner.client.listWebhooks({ token: owner.token })).items).toMatchObject([
      { url: receiver.url, description: '<b>CRM</b> & more', events: ['dsar.created'], method: 'POST' },
    ]);
  });

  test('a delivery is shown with its request and answer, and sent again', async () => {
    const { owner, token, path } = await one();
    receiver.answer = (_request, response) => response.writeHead(201).end('Kept <b>it</b>');
    const { request_id } = await ask(token);
    await receiver.until(1);
    const page = await kit.open(path, { as: owner });
    await page.getByRole('cell', { name: 'HTTP 201' }).waitFor();
    await kit.look(page, 'webhook');
    await page.getByRole('button', { name: 'Details of dsar.created' }).click();
    const dialog = page.getByRole('dialog', { name: 'dsar.created' });
    await dialog.getByText('Kept <b>it</b>').waitFor();
    await dialog.getByText(request_id).waitFor();
    await kit.look(page, 'webhook-delivery');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again, and accepted.').waitFor();
    const [first, second] = await receiver.until(2);
    expect(second?.body).toBe(first?.body);
  });

  test('a test shows what the receiver answers', async () => {
    const { owner, path } = await one({ events: ['breach.created'] });
    receiver.answer = (_request, response) => response.writeHead(401).end('Wrong signature');
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText('Wrong signature').waitFor();
    expect(JSON.parse((await receiver.until(1))[0]?.body as string)).toMatchObject({
      event: 'breach.created',
    });
  });

  test('the secret is changed and shown once; the webhook is deleted only after a question', async () => {
    const { owner, token, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'The new secret' });
    expect(await dialog.locator('pre').textContent()).toMatch(/\S{20,}/);
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText('Still signs until').waitFor();
    expect((await read()).previous_secret_until).not.toBeNull();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await read();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The webhook is deleted.').waitFor();
    expect((await owner.client.listWebhooks({ token })).items).toEqual([]);
  });

  test('an operator sees a disabled webhook and is not offered to reactivate it', async () => {
    const { owner, token, webhook_id, path } = await one();
    await kit.server.service.context.db('webhooks').where({ webhook_id }).update({ status: 'disabled' });
    const operator = await colleague(kit.server, owner, token, 'operator');
    const page = await kit.open(path, { as: operator });
    await page.getByText('Disabled: nothing is sent').waitFor();
    await page.getByText('An owner can reactivate it.').waitFor();
    expect(await page.getByRole('button', { name: 'Reactivate' }).count()).toBe(0);
    await page.goto(`${kit.server.url}/console/sites/${token}/webhooks/new`);
    await page.getByText('Only owners can create webhooks.').waitFor();
  });
});
