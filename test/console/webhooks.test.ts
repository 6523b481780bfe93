import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { endSession } from '../helpers/console/end-session';
import { ask, fillWebhooks, hooked } from '../helpers/console/hooks';
import { colleague } from '../helpers/console/roles';
import { PASSWORD } from '../helpers/server';
import { INWARD, type Receiver, startReceiver } from '../helpers/webhooks/receiver';

jest.setTimeout(120_000);

describeInBrowser('webhooks', () => {
  const kit = useConsole({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '0,0,0,0' } });
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  const one = (given: Parameters<typeof hooked>[2] = {}) => hooked(kit.server, receiver, given);
  const rows = (page: Page) => page.getByRole('table', { name: 'Webhooks' }).locator('tbody tr');
  const create = (page: Page) => page.getByRole('button', { name: 'Create' }).click();
  const keep = (page: Page) => page.getByRole('button', { name: 'I have stored it' }).click();

  test('are listed with how they go, and found by their state', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/webhooks`, { as: owner });
    await page.getByText('No webhook yet').waitFor();
    await kit.look(page, 'webhooks-empty');
    receiver.answer = (_request, response) => response.writeHead(503).end();
    await fillWebhooks(kit.server, owner, token, receiver);
    await page.reload();
    await rows(page).first().waitFor();
    const shown = await rows(page).allTextContents();
    expect(shown).toEqual([
      expect.stringMatching(/^CRM.*All events.*Active.*0/),
      expect.stringMatching(/^Privacy mailbox.*dsar\.created, dsar\.resolved.*Failing.*answered 503/),
      expect.stringMatching(/^Data warehouse.*Disabled.*Reactivate.*answered 503.*3–$/),
    ]);
    await kit.look(page, 'webhooks');
    await page.getByLabel('State').selectOption('disabled');
    await page.getByText('1 shown, that is all').waitFor();
    await page.getByRole('link', { name: 'Data warehouse' }).click();
    await page.getByText('3 deliveries are held.').waitFor();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await kit.look(page, 'webhook-disabled');
    await page.goBack();
    await page.getByText('1 shown, that is all').waitFor();
    await page.getByLabel('State').selectOption('failing');
    await page.getByRole('link', { name: 'Privacy mailbox' }).click();
    await page.getByText('Failing: 2 of 5 failures in a row').waitFor();
    await kit.look(page, 'webhook-failing');
  });

  test('one is created; what is wrong is said at its field, and the secret is shown once', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/webhooks`, { as: owner });
    await page.getByRole('link', { name: 'New webhook' }).first().click();
    await page.getByLabel('Address').fill('ftp://receiver.example.com');
    await page.getByLabel('Description').fill('<b>CRM</b> & more');
    await page.getByRole('radio', { name: 'Only these' }).check({ force: true });
    await create(page);
    const choice = page.getByRole('group', { name: 'Events to send' });
    await choice.getByText('Choose at least one event.').waitFor();
    const first = choice.getByRole('checkbox').first();
    expect(await first.evaluate((field) => field === document.activeElement)).toBe(true);
    await kit.look(page, 'webhook-without-events');
    await page.getByRole('checkbox', { name: /dsar\.created/ }).check({ force: true });
    await create(page);
    await page.locator('.field-error', { hasText: /http/ }).waitFor();
    expect(await page.getByLabel('Address').evaluate((field) => field === document.activeElement)).toBe(true);
    expect((await owner.client.listWebhooks({ token })).items).toEqual([]);
    await kit.look(page, 'webhook-new');
    await page.getByLabel('Address').fill(receiver.url);
    await create(page);
    const dialog = page.getByRole('dialog', { name: 'The webhook is created' });
    const secret = (await dialog.locator('pre').textContent()) as string;
    expect(secret).toMatch(/^whsec_\S{40,}$/);
    await page.keyboard.press('Escape');
    await kit.look(page, 'webhook-secret');
    await keep(page);
    await page.getByRole('heading', { name: '<b>CRM</b> & more' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect((await owner.client.listWebhooks({ token })).items).toMatchObject([
      { url: receiver.url, description: '<b>CRM</b> & more', events: ['dsar.created'], method: 'POST' },
    ]);
  });

  test('neither a server that is gone nor a session that ends loses what was typed', async () => {
    const owner = await kit.server.site();
    const { token } = owner;
    const page = await kit.open(`/sites/${token}/webhooks/new`, { as: owner });
    await page.getByLabel('Address').fill(receiver.url);
    kit.expectOutage(page);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await create(page);
    await page.getByText('The server cannot be reached').waitFor({ timeout: 30_000 });
    await page.getByRole('link', { name: '← Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await page.unroute('**/api/**');
    await page.goBack();
    await page.getByText('Your draft is still here').waitFor();
    expect(await page.getByLabel('Address').inputValue()).toBe(receiver.url);
    await endSession(page, owner);
    await create(page);
    await page.getByRole('heading', { name: 'Log in again' }).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await keep(page);
    await page.getByText('Active', { exact: true }).waitFor();
    const { db } = kit.server.service.context;
    expect(await db('webhooks').where({ url: receiver.url })).toHaveLength(1);
  });

  test('one is edited; only what was touched is changed', async () => {
    const { owner, token, webhook_id, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
    await dialog.getByLabel('Description').fill('Newsletter');
    await dialog.getByRole('radio', { name: 'Only these' }).check({ force: true });
    await dialog.getByRole('checkbox', { name: /breach\.created/ }).check({ force: true });
    await dialog.getByLabel('Address').fill('http://user:secret@127.0.0.1/');
    await kit.look(page, 'webhook-edit');
    await owner.client.updateWebhook({ token, webhook_id, body: { method: 'GET' } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.field-error').waitFor();
    expect(await read()).toMatchObject({ url: receiver.url, description: 'CRM', events: '*' });
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Newsletter' }).waitFor();
    const kept = { url: receiver.url, method: 'GET' };
    expect(await read()).toMatchObject({ ...kept, description: 'Newsletter', events: ['breach.created'] });
  });

  test('the secret is changed and shown once; when another owner was faster, it says so', async () => {
    const { owner, token, webhook_id, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'New secret' }).click();
    const form = page.getByRole('dialog', { name: 'Make a new secret' });
    const theirs = await owner.client.rotateWebhookSecret({ token, webhook_id });
    await form.getByRole('button', { name: 'Make a new secret' }).click();
    await form.getByText('Somebody else has changed this').waitFor();
    await form.getByText('An older secret still signs until').waitFor();
    await kit.look(page, 'webhook-rotate');
    expect((await read()).previous_secret_until).toBe(theirs.previous_secret_until);
    await form.getByRole('radio', { name: 'Not at all' }).check({ force: true });
    await form.getByRole('button', { name: 'Make a new secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'The new secret' });
    const secret = (await dialog.locator('pre').textContent()) as string;
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(theirs.secret);
    await keep(page);
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    expect((await read()).previous_secret_until).toBeNull();
  });

  test('a new secret whose answer was lost is shown by the next click', async () => {
    const { owner, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'New secret' }).click();
    const form = page.getByRole('dialog', { name: 'Make a new secret' });
    const answers: string[] = [];
    kit.expectOutage(page);
    await page.route('**/rotate-secret', async (route) => {
      const answer = await route.fetch();
      answers.push((await answer.json()).data.secret);
      await route.abort('connectionreset');
    });
    await form.getByRole('button', { name: 'Make a new secret' }).click();
    await form.getByText('The server cannot be reached').waitFor({ timeout: 30_000 });
    await page.unroute('**/rotate-secret');
    const begun = (await read()).previous_secret_until;
    expect(begun).not.toBeNull();
    await form.getByRole('radio', { name: 'One day' }).waitFor({ state: 'attached' });
    await form.getByRole('button', { name: 'Make a new secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'The new secret' });
    expect(await dialog.locator('pre').textContent()).toBe(answers[0]);
    expect(new Set(answers).size).toBe(1);
    expect((await read()).previous_secret_until).toBe(begun);
  });

  test('one is paused and resumed by a click', async () => {
    const { owner, token, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused: nothing is sent').waitFor();
    await ask(kit.server, token);
    await page.getByText('1 delivery is held').waitFor();
    await kit.look(page, 'webhook-paused');
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    expect(receiver.received).toEqual([]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('goes on.').waitFor();
    await receiver.until(1);
    expect(await read()).toMatchObject({ status: 'active', paused_at: null });
  });

  test('own headers are sent and named, and their values never shown again', async () => {
    const { owner, token, webhook_id, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    const edit = async (lines: string) => {
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
      await dialog.getByLabel(/own headers/i).fill(lines);
      await dialog.getByRole('button', { name: 'Save' }).click();
      return dialog;
    };
    const dialog = await edit('Authorization');
    await dialog.getByText('Write “Authorization” as a name, a colon and a value.').waitFor();
    await dialog.getByLabel(/own headers/i).fill('Host: other.example.com');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.field-error', { hasText: 'Must not be set: host belongs to' }).waitFor();
    await kit.look(page, 'webhook-headers');
    await dialog.getByLabel(/own headers/i).fill('Authorization: Bearer k3y:1\nX-Tenant: 7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('authorization, x-tenant', { exact: true }).waitFor();
    await owner.client.testWebhook({ token, webhook_id });
    const [received] = await receiver.until(1);
    expect(received?.headers).toMatchObject({ authorization: 'Bearer k3y:1', 'x-tenant': '7' });
    await (await edit('x-tenant:')).waitFor({ state: 'detached' });
    expect((await read()).header_names).toEqual(['authorization']);
    expect(await page.content()).not.toContain('k3y');
  });

  test('a viewer sees where to, and not the rest of the address', async () => {
    const { owner, token, webhook_id, path } = await one();
    receiver.answer = ({ path: asked }, response) => response.writeHead(404).end(`Cannot POST ${asked}`);
    const url = `${new URL(receiver.url).origin}/k3y-of-the-receiver`;
    await owner.client.updateWebhook({ token, webhook_id, body: { url } });
    await owner.client.testWebhook({ token, webhook_id });
    const page = await kit.open(path, { as: await colleague(kit.server, owner, token, 'viewer') });
    await page
      .getByText(`${new URL(url).origin}/***`)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Details of dsar.created' }).click();
    await page.getByText('Operators and owners see its text.').waitFor();
    await kit.look(page, 'webhook-viewer');
    expect(await page.content()).not.toContain('k3y');
    const theirs = await kit.open(path, { as: owner });
    await theirs.getByText(url).first().waitFor();
  });

  test('one is deleted only after a question', async () => {
    const { owner, token, read, path } = await one();
    await ask(kit.server, token);
    await receiver.until(1);
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Its deliveries are deleted too').waitFor();
    await kit.look(page, 'webhook-delete');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await read()).toMatchObject({ status: 'active' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The webhook is deleted.').waitFor();
    await page.getByText('No webhook yet').waitFor();
    expect((await owner.client.listWebhooks({ token })).items).toEqual([]);
  });

  test('who may not change them is told so', async () => {
    const { owner, token, webhook_id, path } = await one();
    const { db } = kit.server.service.context;
    await db('webhooks').where({ webhook_id }).update({ status: 'disabled' });
    const offered = /Reactivate|Pause|Edit|Delete|New secret|Send a test/;
    for (const role of ['viewer', 'operator'] as const) {
      const page = await kit.open(path, { as: await colleague(kit.server, owner, token, role) });
      await page.getByText('Disabled: nothing is sent').waitFor();
      await page.getByText('An owner can reactivate it.').waitFor();
      await page.getByText('Only owners can change webhooks.').waitFor();
      expect(await page.getByRole('button', { name: offered }).count()).toBe(0);
      await page.getByRole('link', { name: '← Webhooks' }).click();
      await rows(page).first().waitFor();
      expect(await page.getByRole('link', { name: 'New webhook' }).count()).toBe(0);
      await page.goto(`${kit.server.url}/console/sites/${token}/webhooks/new`);
      await page.getByText('Only owners can create webhooks.').waitFor();
    }
  });

  test('as many as a site may have are paged, and the disabled one among them is found', async () => {
    const { owner, token, webhook_id } = await one();
    const { db } = kit.server.service.context;
    await db.raw(
      `INSERT INTO webhooks (webhook_id, environment_id, url, events, method, description, secret, status, consecutive_failures, created_at, updated_at)
       SELECT gen_random_uuid(), environment_id, url, events, method, 'Receiver ' || n, secret, status, 0,
         created_at - n * interval '1 second', updated_at FROM webhooks, generate_series(1, 99) n WHERE webhook_id = ?`,
      [webhook_id],
    );
    await db('webhooks').where({ description: 'Receiver 90' }).update({ status: 'disabled' });
    const page = await kit.open(`/sites/${token}/webhooks`, { as: owner });
    await page.getByText('50 shown').waitFor();
    expect(await rows(page).first().textContent()).toContain('CRM');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('100 shown').waitFor();
    expect(await rows(page).last().textContent()).toContain('Receiver 99');
    await page.getByLabel('State').selectOption('disabled');
    await page.getByText('1 shown, that is all').waitFor();
    await page.getByRole('link', { name: 'Receiver 90' }).waitFor();
  });
});
