import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { PASSWORD } from '../helpers/server';

jest.setTimeout(90_000);

const NEW_PASSWORD = 'staple horse correct';

describeInBrowser('the own account', () => {
  const kit = useConsole();

  test('the password is changed; what is wrong is said at its field, and the session goes on', async () => {
    const owner = await kit.server.person('Ada Owner');
    const page = await kit.open('/account', { as: owner });
    await page.getByText(owner.email).waitFor();
    await kit.look(page, 'account');
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Is not your present password.').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    await page.reload();
    await page.getByText(owner.email).waitFor();
    await expect(owner.client.getMe()).rejects.toMatchObject({ status: 401 });
    const again = kit.server.visitor.login({ body: { email: owner.email, password: NEW_PASSWORD } });
    expect((await again).user.email).toBe(owner.email);
  });

  test('every session is ended at once, after a question', async () => {
    const owner = await kit.server.person('Ada Owner');
    const page = await kit.open('/account/security', { as: owner });
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await expect(owner.client.getMe()).rejects.toMatchObject({ status: 401 });
  });

  test('the theme is chosen and kept, and logging out ends the session of this tab', async () => {
    const owner = await kit.server.site();
    const page = await kit.open('/', { as: owner });
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Dark' }).click();
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    expect(await theme()).toBe('dark');
    await page.reload();
    expect(await theme()).toBe('dark');
    await page.getByRole('button', { name: 'Account' }).click();
    await kit.look(page, 'account-menu');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('avow.session'))).toBeNull();
  });
});
