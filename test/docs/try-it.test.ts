import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { violations } from '../helpers/docs/axe';
import { watch } from '../helpers/docs/watch';
import { PASSWORD, startServer, type TestServer } from '../helpers/server';

describeInBrowser('trying an operation from its page', () => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let wrong: string[];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    wrong = watch(page, server.url);
  });
  afterEach(() => context.close());

  const open = async (address: string, id: string) => {
    await page.goto(`${server.url}/docs/api/${address}`);
    await page.getByRole('button', { name: `Try it ${id}`, exact: true }).click();
    return page.getByRole('form', { name: `Try ${id}` });
  };
  const body = (session_id: string, rest: object = {}) =>
    JSON.stringify({ session_id, decision: 'accept_all', ...rest });
  /** As the console does it after a login. */
  const logIn = async (token: string) => {
    await page.addInitScript(
      (value) => sessionStorage.setItem('avow.session', value),
      JSON.stringify({ token, expires_at: '2099-01-01T00:00:00.000Z' }),
    );
  };
  const tokenOf = async (userId: number) => (await server.service.context.tokens.issue(userId)).token;

  test('logs a consent, and reads it back with the bearer token of a login', async () => {
    const { client, token, userId } = await server.site();
    const session = randomUUID();
    const form = await open('visitor', 'logConsent');
    await form.getByLabel('token').fill(token);
    await form.getByLabel('Body').fill(body(session));
    await form.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('201 Created').waitFor();
    expect(await page.locator('.try-answer pre').textContent()).toContain(session);

    await page.evaluate(
      (value) => sessionStorage.setItem('avow.session', value),
      JSON.stringify({ token: await tokenOf(userId), expires_at: '2099-01-01T00:00:00.000Z' }),
    );
    const list = await open('consents', 'listConsents');
    // The site is remembered, the login taken over.
    expect(await list.getByLabel('token', { exact: true }).inputValue()).toBe(token);
    await list.getByText('Optional parameters').click();
    await list.getByLabel('session_id').fill(session);
    await list.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('200 OK').waitFor();
    const shown = JSON.parse((await page.locator('.try-answer pre').textContent()) ?? '');
    expect(shown.data.items.map((item: { session_id: string }) => item.session_id)).toEqual([session]);
    expect((await client.listConsents({ token, session_id: session })).items).toHaveLength(1);
    expect(wrong).toEqual([]);
  });

  test('shows every problem of a refused request at its field', async () => {
    const { token } = await server.site();
    const form = await open('visitor', 'logConsent');
    await form.getByLabel('token').fill(token);
    await form.getByLabel('Body').fill('{"session_id":"no","decision":"perhaps"}');
    await form.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('400 Bad Request').waitFor();
    const area = form.getByLabel('Body');
    expect(await area.getAttribute('aria-invalid')).toBe('true');
    const problems = await page.locator('.try-problems').textContent();
    for (const path of ['body.session_id', 'body.decision']) {
      expect(problems).toContain(path);
      expect(await form.locator('[id="try-logConsent-body-error"]').textContent()).toContain(path);
    }
    expect(await violations(page)).toEqual([]);
    // What was typed is still there.
    expect(await area.inputValue()).toContain('perhaps');
  });

  test('says what is wrong before it asks: no JSON, no site', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const form = await open('visitor', 'logConsent');
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText('Needed for the address.').waitFor();
    await form.getByLabel('token').fill('env_0123456789abcdefghijAB');
    await form.getByLabel('Body').fill('{"session_id":');
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText('This is not JSON').waitFor();
    expect(asked.filter((url) => url.includes('/api/consents'))).toEqual([]);
  });

  test('asks before it deletes, and a no is a no', async () => {
    const { client, token, userId } = await server.site();
    const session_id = randomUUID();
    await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
    await logIn(await tokenOf(userId));
    const form = await open('consents', 'eraseSession');
    await form.getByLabel('token', { exact: true }).fill(token);
    await form.getByLabel('session_id').fill(session_id);
    const send = form.getByRole('button', { name: 'Send request' });
    await send.click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Do not send' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await client.listConsents({ token, session_id })).items).toHaveLength(1);
    await send.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send eraseSession' }).click();
    await page.getByText('200 OK').waitFor();
    expect((await client.listConsents({ token, session_id })).items).toEqual([]);
  });

  test('a login that is tried here serves the next form; the curl line never shows the token', async () => {
    const { email } = await server.person();
    const login = await open('account', 'login');
    await login.getByLabel('Body').fill(JSON.stringify({ email, password: PASSWORD }));
    await login.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('The token is used by the forms of this page').waitFor();
    await page.getByRole('button', { name: 'Try it getMe', exact: true }).click();
    const form = page.getByRole('form', { name: 'Try getMe' });
    const place = page.locator('.try[data-operation=getMe]');
    await place.getByText('As curl').click();
    expect(await place.locator('pre').first().textContent()).toBe(
      `curl '${server.url}/api/me' \\\n  -H "Authorization: Bearer $TOKEN"`,
    );
    await form.getByRole('button', { name: 'Send request' }).click();
    await place.getByText('200 OK').waitFor();
    expect(await place.locator('.try-answer pre').textContent()).toContain(email);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      'eyJ',
    );
  });

  test('offers a file to be saved, and says kindly when the server is gone', async () => {
    const { token, userId } = await server.site();
    await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'reject_all' } });
    await logIn(await tokenOf(userId));
    const form = await open('consents', 'exportConsents');
    await form.getByLabel('token', { exact: true }).fill(token);
    await form.getByText('Optional parameters').click();
    await form.getByLabel('format').selectOption('csv');
    await form.getByRole('button', { name: 'Send request' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Save / }).click();
    expect((await saving).suggestedFilename()).toMatch(/\.csv$/);
    await context.setOffline(true);
    await form.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('No answer: the server cannot be reached').waitFor();
    expect(await form.getByLabel('token', { exact: true }).inputValue()).toBe(token);
  });
});
