import { createAvow } from '@avow/sdk';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { endSession } from '../helpers/console/end-session';
import { PASSWORD } from '../helpers/server';

jest.setTimeout(90_000);

describeInBrowser('the session', () => {
  const kit = useConsole();

  test('an owner logs in and comes to the page that the address names', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.getByText('Forgot your password?').click();
    await page.getByText('npm run owner -- reset').waitFor();
    await kit.look(page, 'login');
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill('wrong password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('The e-mail address or the password is wrong').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/sites/${owner.token}`);
  });

  test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example'])(
    'after the login nobody is sent to %s',
    async (next) => {
      const owner = await kit.server.site();
      const page = await kit.open(`/login?next=${encodeURIComponent(next)}`);
      await page.getByLabel('E-mail address').fill(owner.email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByLabel('Password').press('Enter');
      await page.getByRole('button', { name: 'Account' }).waitFor();
      expect(new URL(page.url()).origin).toBe(kit.server.url);
    },
  );

  test('a new tab is logged in while another one is open; a log-out ends all of them, here and on the server', async () => {
    const owner = await kit.server.site();
    const first = await kit.open(`/sites/${owner.token}`);
    await first.getByLabel('E-mail address').fill(owner.email);
    await first.getByLabel('Password').fill(PASSWORD);
    await first.getByLabel('Password').press('Enter');
    await first.getByRole('heading', { name: 'Example shop' }).waitFor();
    const browser = first.context();
    const open = async () => {
      const page = await browser.newPage();
      await page.goto(`${kit.server.url}/console/sites/${owner.token}`);
      return page;
    };
    const second = await open();
    await second.getByRole('heading', { name: 'Example shop' }).waitFor();
    const stored = await second.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie);
    expect(stored).not.toContain('eyJ');
    const token = await second.evaluate(
      () => JSON.parse(sessionStorage.getItem('avow.session') ?? '{}').token,
    );
    await second.getByRole('button', { name: 'Account' }).click();
    const ended = second.waitForResponse(/auth\/logout/);
    await second.getByRole('button', { name: 'Log out' }).click();
    for (const page of [first, second]) await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect((await ended).status()).toBe(200);
    const copied = createAvow({ baseUrl: kit.server.url, token, retries: 0 });
    await expect(copied.getMe()).rejects.toMatchObject({ status: 401 });
    await expect(owner.client.getMe()).resolves.toMatchObject({ email: owner.email });
  });

  test('the session ends with the last tab: nothing is left for whoever opens the browser next', async () => {
    const owner = await kit.server.site();
    const first = await kit.open('/login');
    await first.getByLabel('E-mail address').fill(owner.email);
    await first.getByLabel('Password').fill(PASSWORD);
    await first.getByLabel('Password').press('Enter');
    await first.getByRole('button', { name: 'Account' }).waitFor();
    const browser = first.context();
    await first.close();
    const next = await browser.newPage();
    await next.goto(`${kit.server.url}/console/sites/${owner.token}`);
    await next.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  test('a session that ends in the middle asks for the password, and nothing that was typed is lost', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/settings/measures`, { as: owner });
    await page.getByRole('textbox', { name: 'Measures' }).fill('Encryption of connections');
    await endSession(page, owner);
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByLabel('Password').fill('wrong password');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.getByText('The e-mail address or the password is wrong').waitFor();
    await kit.look(page, 'login-again');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Security measures: saved').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/sites/${owner.token}/settings/measures`);
    expect(await page.getByRole('textbox', { name: 'Measures' }).inputValue()).toBe(
      'Encryption of connections',
    );
    const credentials = { email: owner.email, password: PASSWORD };
    const again = createAvow({ baseUrl: kit.server.url, credentials });
    const { settings } = await again.getEnvironment({ token: owner.token });
    expect(settings.security_measures).toEqual(['Encryption of connections']);
  });

  test('what waits for one person is not done for the next one, who sees nothing of what was read before', async () => {
    const [owner, next] = [await kit.server.site(), await kit.server.person()];
    const page = await kit.open(`/sites/${owner.token}/settings/measures`, { as: owner });
    await page.getByRole('textbox', { name: 'Measures' }).fill('Backups');
    await endSession(page, owner);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Log in again' }).waitFor();
    const other = await page.context().newPage();
    // It has the session of the first one, and its page asks for no password.
    await other.route('**/api/**', (route) => route.abort());
    await other.goto(`${kit.server.url}/console/account`);
    await other.getByRole('button', { name: 'Account' }).click();
    await other.getByRole('button', { name: 'Log out' }).click();
    const asked: string[] = [];
    page.on('request', (request) => void (request.method() === 'PATCH' && asked.push(request.url())));
    const refused = page.waitForResponse(
      (answer) => answer.url().endsWith(owner.token) && answer.status() === 404,
    );
    await page.getByLabel('E-mail address').fill(next.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await refused;
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Measures' }).count()).toBe(0);
    expect(asked).toEqual([]);
  });

  test('who does not want to log in again keeps what was typed', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/settings/measures`, { as: owner });
    await page.getByRole('textbox', { name: 'Measures' }).fill('Backups');
    await endSession(page, owner);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Log in again' }).getByRole('button', { name: 'Not now' }).click();
    await page.getByText('You are not logged in').waitFor();
    expect(await page.getByRole('textbox', { name: 'Measures' }).inputValue()).toBe('Backups');
  });

  test('a server that is gone is said kindly, and the form can be sent again when it is back', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}/settings/measures`, { as: owner });
    await page.getByRole('textbox', { name: 'Measures' }).fill('Backups');
    kit.expectOutage(page);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The server cannot be reached').waitFor();
    await kit.look(page, 'server-gone');
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Security measures: saved').waitFor();
    const { settings } = await owner.client.getEnvironment({ token: owner.token });
    expect(settings.security_measures).toEqual(['Backups']);
  });

  test('a page whose data cannot be read offers to try again', async () => {
    const owner = await kit.server.site();
    const page = await kit.open('/account', { as: owner });
    await page.getByText(owner.email).waitFor();
    kit.expectOutage(page);
    await page.route('**/analytics*', (route) => route.abort('connectionrefused'));
    await page.goto(`${kit.server.url}/console/sites/${owner.token}`);
    await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: 20_000 });
    await page.unroute('**/analytics*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No visitor has seen the banner').waitFor();
  });

  test('the keyboard reaches the page without the navigation, and every link of it', async () => {
    const owner = await kit.server.site();
    const page = await kit.open(`/sites/${owner.token}`, { as: owner });
    await page.getByRole('heading', { name: 'Example shop' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('All figures');
    await page.setViewportSize({ width: 360, height: 800 });
    const menu = page.getByRole('button', { name: 'Navigation' });
    await menu.focus();
    await page.keyboard.press('Enter');
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    await kit.look(page, 'navigation');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('link', { name: 'Members' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
  });
});
