import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../helpers/browser/browser';
import { keep, keptSession } from '../helpers/console/kept-session';
import { violations } from '../helpers/docs/axe';
import { watch } from '../helpers/docs/watch';
import { PASSWORD, startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

const refused = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => false,
    ({ status }) => status === 401,
  );

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
  const login = (token: string, id: number) =>
    keptSession({ token, expires_at: '2099-01-01T00:00:00.000Z', user: { id } });
  const logIn = (token: string, id: number) => page.addInitScript(keep, login(token, id));
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

    await page.evaluate(keep, login(await tokenOf(userId), userId));
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
    await logIn(await tokenOf(userId), userId);
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

  test('a login that was ended in another tab, or left behind, is taken over no more, and ends on the server', async () => {
    const { userId } = await server.person();
    const token = await tokenOf(userId);
    const asOwner = (bearer: string) => createAvow({ baseUrl: server.url, token: bearer, retries: 0 });
    await page.goto(`${server.url}/docs/`);
    await page.evaluate(keep, login(token, userId));
    const form = await open('account', 'getMe');
    expect(await form.getByLabel('Bearer token').inputValue()).toBe(token);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // As a log-out in another tab does.
    await page.evaluate((id) => localStorage.removeItem(`avow.seen.${id}`), userId);
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText('The login of this tab has ended').waitFor();
    expect(asked).toEqual(['/api/auth/logout']);
    expect(await form.getByLabel('Bearer token').inputValue()).toBe('');
    expect(await page.evaluate(() => sessionStorage.getItem('avow.session'))).toBeNull();
    await until('it is ended', () => refused(asOwner(token).getMe()));

    const [left, there] = [await tokenOf(userId), await tokenOf(userId)];
    const ago = (bearer: string, minutes: number) =>
      keptSession(
        { token: bearer, expires_at: '2099-01-01T00:00:00.000Z', user: { id: userId } },
        minutes * 60_000,
      );
    await page.evaluate(keep, ago(there, 4));
    expect(await (await open('account', 'getMe')).getByLabel('Bearer token').inputValue()).toBe(there);
    await page.evaluate(keep, ago(left, 6));
    expect(await (await open('account', 'getMe')).getByLabel('Bearer token').inputValue()).toBe('');
    await until('it is ended', () => refused(asOwner(left).getMe()));
    expect(wrong).toEqual([]);
  });

  test('offers a file to be saved, and says kindly when the server is gone', async () => {
    const { token, userId } = await server.site();
    await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'reject_all' } });
    await logIn(await tokenOf(userId), userId);
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
