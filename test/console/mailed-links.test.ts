import { createLink } from '../../server/src/services/accounts';
import { describeInBrowser } from '../helpers/browser/browser';
import { useConsole } from '../helpers/console/console';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { PASSWORD } from '../helpers/server';

jest.setTimeout(90_000);

const NEW_PASSWORD = 'quite another horse';

describeInBrowser('the pages that mails lead to', () => {
  const { mails, options } = useMailServer();
  const kit = useConsole(options);

  /** The address in the newest of so many mails to somebody, below the console. */
  async function linkIn(count: number, email: string): Promise<string> {
    const text = (await mails.until(count, email)).at(-1)?.parsed.text ?? '';
    return /\/console(\/\S+#[\w-]{43})/.exec(text)?.[1] ?? `no link in: ${text}`;
  }

  test('a forgotten password is chosen anew, and whoever was logged in is not any more', async () => {
    const owner = await kit.server.site();
    const page = await kit.open('/login');
    await page.getByText('Forgot your password?').click();
    await page.getByRole('link', { name: 'Get a mail with a link' }).click();
    await page.getByLabel('E-mail address').fill(owner.email);
    await kit.look(page, 'forgotten-password');
    await page.getByRole('button', { name: 'Send the mail' }).click();
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
    await kit.look(page, 'forgotten-password-sent');
    const link = await linkIn(1, owner.email);
    expect(link).toMatch(/^\/reset-password#/);
    await page.goto(`${kit.server.url}/console${link}`);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await kit.look(page, 'reset-password');
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText(`All sessions of ${owner.email} have ended.`).waitFor();
    await expect(owner.client.getMe()).rejects.toMatchObject({ status: 401 });
    await page.getByRole('link', { name: 'To the log-in' }).click();
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('button', { name: 'Account' }).waitFor();

    // The link works once.
    await page.goto(`${kit.server.url}/console/forgotten-password`);
    await page.goto(`${kit.server.url}/console${link}`);
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('heading', { name: 'Choose a new password' }).count()).toBe(1);
  });

  test('a new password for one account ends no session of another, and a one-time link names who is logged in', async () => {
    const [owner, stranger] = [await kit.server.site(), await kit.server.person('Mallory')];
    await kit.server.visitor.requestPasswordReset({ body: { email: stranger.email } });
    const page = await kit.open(await linkIn(1, stranger.email), { as: owner });
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText(`All sessions of ${stranger.email} have ended.`).waitFor();
    const { context } = kit.server.service;
    const [, code] = (await createLink(context, context.db, stranger.userId)).split('#');
    await page.goto(`${kit.server.url}/console/setup#${code}`);
    await page.getByText(`You are logged in as ${owner.email}`).waitFor();
    await page.getByText(`This link is for ${stranger.email}, and logs you out here.`).waitFor();
  });

  test('an address is verified by whoever logs in to its account', async () => {
    const person = await kit.server.person('Ada Owner');
    await kit.server.service.context
      .db('users')
      .where({ id: person.userId })
      .update({ email_verified_at: null });
    await person.client.requestEmailVerification();
    const link = await linkIn(1, person.email);
    expect(link).toMatch(/^\/verify-email#/);
    const page = await kit.open(link);
    await page.getByText('Log in to the account of this address first.').waitFor();
    await kit.look(page, 'verify-email');
    await page.getByRole('link', { name: 'To the log-in' }).click();
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('button', { name: 'It is my address' }).click();
    await page.getByRole('heading', { name: 'Your address is verified' }).waitFor();
    expect(await person.client.getMe()).toMatchObject({ email_verified: true });
  });
});
