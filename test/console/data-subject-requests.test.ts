import { createAvow } from '@avow/sdk';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { backdate, DAY, fillRequests } from '../helpers/console/desk';
import { endSession } from '../helpers/console/end-session';
import { colleague } from '../helpers/console/roles';
import { PASSWORD } from '../helpers/server';

jest.setTimeout(120_000);

describeInBrowser('the desk for requests', () => {
  const kit = useConsole();

  const desk = async () => {
    const owner = await kit.server.site({ time_zone: 'Europe/Berlin' });
    const ids = await fillRequests(kit.server, owner, owner.token);
    return { owner, ids, path: `/sites/${owner.token}/dsar` };
  };
  const one = async (body: object = {}) => {
    const owner = await kit.server.site();
    const { request_id } = await kit.server.visitor.submitDsar({
      token: owner.token,
      body: { request_type: 'erasure', email: 'jules@example.com', ...body },
    });
    const read = () => owner.client.getDsar({ token: owner.token, request_id });
    return { owner, request_id, read, path: `/sites/${owner.token}/dsar/${request_id}` };
  };
  const note = (page: Page) => page.getByRole('textbox', { name: 'Note' });
  const rows = (page: Page) => page.getByRole('table', { name: 'Requests' }).locator('tbody tr');

  test('lists what must be answered first at the top, and finds the rest by its filters', async () => {
    const { owner, path } = await desk();
    const page = await kit.open(path, { as: owner });
    await rows(page).first().waitFor();
    const people = await rows(page).locator('td:first-child .hint').allTextContents();
    expect(people).toEqual([
      'lotte.janssen@example.com',
      'j.moreau@example.com',
      'no-more-mail@example.com',
      'j.moreau@example.com',
      'k.brandt@example.com',
    ]);
    expect(await rows(page).first().textContent()).toMatch(/3 days overdue/);
    await kit.look(page, 'requests');
    await page.getByLabel('State').selectOption('overdue');
    await page.getByText('1 shown, that is all').waitFor();
    await page.getByLabel('State').selectOption('resolved');
    await page.getByText('emil.olsen@example.com', { exact: true }).waitFor();
    const clear = page.getByRole('button', { name: 'Clear filters' });
    await clear.click();
    await clear.waitFor({ state: 'detached' });
    await page.getByLabel('E-mail address').fill('not an address');
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .locator('.field-error')
      .getByText(/e-mail/i)
      .waitFor();
    await page.getByLabel('E-mail address').fill('J.Moreau@example.com');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('2 shown, that is all').waitFor();
    await page.reload();
    await page.getByText('2 shown, that is all').waitFor();
  });

  test('shows a request with its days left, what the law asks for, and the earlier one of the same person', async () => {
    const { owner, ids, path } = await desk();
    const page = await kit.open(`${path}/${ids[5]}`, { as: owner });
    await page.getByRole('heading', { name: 'Erasure for Jules Moreau' }).waitFor();
    await page.getByText('27 days left').waitFor();
    await page.getByRole('heading', { name: 'What to do (GDPR Art. 17 and 19)' }).waitFor();
    await kit.look(page, 'request');
    await page.getByRole('link', { name: 'see the earlier request' }).click();
    await page.waitForURL(`**/${ids[1]}`);
    await page.getByText('Identity verified by e-mail.').waitFor();
  });

  test('leads to the consent records of the visitor who asks', async () => {
    const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
    const { owner, path } = await one({ session_id });
    await kit.server.visitor.logConsent({ token: owner.token, body: { session_id, decision: 'accept_all' } });
    const page = await kit.open(path, { as: owner });
    await page.getByRole('link', { name: 'Consent records of this visitor' }).click();
    await page.getByRole('table', { name: 'Consent records' }).getByText(session_id).waitFor();
  });

  test('a request is started, extended and resolved by keyboard alone', async () => {
    const { owner, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Start' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Answered a control question.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Work has started.').waitFor();
    expect(await read()).toMatchObject({
      status: 'in_progress',
      history: [
        { action: 'created' },
        { action: 'started', note: 'Answered a control question.', actor: owner.email },
      ],
    });
    await page.getByRole('button', { name: 'Extend' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const { due_at } = await read();
    const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    await dialog.getByText(until.format(Date.parse(due_at) + 60 * DAY)).waitFor();
    await kit.look(page, 'request-extend');
    await page.keyboard.type('Three systems have to be searched.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The deadline is extended.').waitFor();
    expect(await read()).toMatchObject({ extension_reason: 'Three systems have to be searched.' });
    await page.getByRole('button', { name: 'Extend' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Resolve' }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.getByRole('radio', { name: /^Fulfilled (?!in part)/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Orders are kept for the tax office.');
    await dialog.getByRole('button', { name: 'Resolve' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The request is resolved.').waitFor();
    expect(await read()).toMatchObject({
      status: 'resolved',
      resolution: 'partially_fulfilled',
      resolution_note: 'Orders are kept for the tax office.',
    });
    await page.getByRole('button', { name: 'Resolve' }).waitFor({ state: 'detached' });
    await kit.look(page, 'request-resolved');
    // A resolution that was a mistake is taken back.
    await page.getByRole('button', { name: 'Reopen' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('The history keeps how it was answered').waitFor();
    await kit.look(page, 'request-reopen');
    await page.keyboard.type('It was the answer to another person.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The request is open again.').waitFor();
    expect(await read()).toMatchObject({ status: 'in_progress', resolution: null });
    await page.getByText('It was the answer to another person.').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
  });

  test('an extension without a reason is refused at its field', async () => {
    const { owner, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Extend' }).click();
    await page.getByRole('button', { name: 'Extend', exact: true }).last().click();
    await page.locator('.field-error').waitFor();
    expect(await page.getByLabel('Reason').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await read()).toMatchObject({ extended_until: null });
  });

  test('when another operator was faster, it says so, shows the record as it is, and keeps what was typed', async () => {
    const { owner, request_id, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Resolve' }).click();
    await note(page).fill('Deleted in the shop.');
    await owner.client.resolveDsar({ token: owner.token, request_id, body: { resolution: 'refused' } });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByText('Somebody else has changed this').waitFor();
    await dialog.getByText('Meanwhile the request is:').waitFor();
    expect(await note(page).inputValue()).toBe('Deleted in the shop.');
    await kit.look(page, 'request-conflict');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Refused', { exact: true }).waitFor();
  });

  test('a session that ends in the middle asks for the password, and then the call is made', async () => {
    const { owner, request_id, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Start' }).click();
    await note(page).fill('Called back.');
    await endSession(page, owner);
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'Log in again' }).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Work has started.').waitFor();
    const credentials = { email: owner.email, password: PASSWORD };
    const again = createAvow({ baseUrl: kit.server.url, credentials });
    const { history } = await again.getDsar({ token: owner.token, request_id });
    expect(history.at(-1)).toMatchObject({ action: 'started', note: 'Called back.' });
  });

  test('a server that is gone loses nothing that was typed, also when the page is left and found again', async () => {
    const { owner, read, path } = await one();
    const page = await kit.open(path, { as: owner });
    await page.getByRole('button', { name: 'Resolve' }).click();
    await note(page).fill('Everything deleted.');
    kit.expectOutage(page);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByText('The server cannot be reached').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: '← Requests' }).click();
    // The page of the list has to be there before there is a way back from it.
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.unroute('**/api/**');
    await page.goBack();
    await page.getByRole('button', { name: 'Resolve' }).click();
    expect(await note(page).inputValue()).toBe('Everything deleted.');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The request is resolved.').waitFor();
    expect((await read()).resolution_note).toBe('Everything deleted.');
  });

  test('a viewer reads and is told who may answer', async () => {
    const { owner, path } = await one();
    const viewer = await colleague(kit.server, owner, owner.token, 'viewer');
    const page = await kit.open(path, { as: viewer });
    await page.getByText('Only operators and owners can answer requests.').waitFor();
    expect(await page.getByRole('button', { name: /Start|Extend|Resolve/ }).count()).toBe(0);
  });

  test('mark-up in what a person wrote is text', async () => {
    const message = '<img src=x onerror=alert(1)> <b>delete</b> me';
    const { owner, path } = await one({ name: '<script>alert(1)</script>', message });
    const page = await kit.open(path, { as: owner });
    await page.getByRole('heading', { name: 'Erasure for <script>alert(1)</script>' }).waitFor();
    await page.getByText(message).waitFor();
  });

  test('ten thousand requests are paged', async () => {
    const { owner, request_id, path } = await one();
    const { db } = kit.server.service.context;
    await backdate(kit.server, request_id, 31);
    await db.raw(
      `INSERT INTO dsar_requests (environment_id, request_id, request_type, email, email_key, language, status, created_at, due_at, history)
       SELECT environment_id, gen_random_uuid(), request_type, 'n' || n || '@example.com', 'n' || n || '@example.com', language, status,
         date_trunc('milliseconds', now()) - n * interval '1 second', date_trunc('milliseconds', now()) + interval '30 days' - n * interval '1 second', history
       FROM dsar_requests, generate_series(1, 10000) n WHERE request_id = ?`,
      [request_id],
    );
    const page = await kit.open(path.replace(/\/[^/]+$/, ''), { as: owner });
    await page.getByText('50 shown').waitFor();
    expect(await rows(page).first().textContent()).toContain('jules@example.com');
    expect(await rows(page).nth(1).textContent()).toContain('n10000@example.com');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('100 shown').waitFor();
    expect(await rows(page).last().textContent()).toContain('n9902@example.com');
  });
});
