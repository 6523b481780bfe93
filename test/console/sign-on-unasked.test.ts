import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { addPerson } from '../helpers/console/add-person';
import { useConsole } from '../helpers/console/console';
import { keep, keptSession } from '../helpers/console/kept-session';
import { addApp } from '../helpers/second-factor';
import { PASSWORD } from '../helpers/server';
import { logInThere } from '../helpers/sign-on/log-in-there';
import { startProvider, type TestProvider } from '../helpers/sign-on/provider';
import { linkTo } from '../helpers/sign-on/walk';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const userOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('avow.session') ?? '{}').user?.email);

describeInBrowser('a log-in by a provider that a page of another origin begins', () => {
  let acme: TestProvider;
  let evil: TestProvider;
  const variables: Record<string, string> = {};
  beforeAll(async () => {
    [acme, evil] = await Promise.all([startProvider(), startProvider()]);
    Object.assign(variables, {
      ...{ OIDC_PROVIDERS: 'acme,evil', OIDC_EVIL_NAME: 'Evil' },
      ...{ ...acme.variables('acme'), ...evil.variables('evil') },
    });
  });
  const kit = useConsole({
    variables,
    isElsewhere: (url) => [acme, evil].some(({ issuer }) => url.startsWith(issuer)),
  });
  beforeAll(async () => {
    kit.server.service.context.config.publicUrl = kit.server.url;
    await Promise.all([acme.register('acme', kit.server), evil.register('evil', kit.server)]);
  });
  afterAll(async () => {
    await Promise.all([acme?.stop(), evil?.stop()]);
  });

  /** An account with a password, to which somebody of the stranger's provider is linked. */
  async function attacker() {
    const person = await kit.server.person('Mallory');
    const login = `mallory-${person.userId}`;
    await linkTo(person.client, login, { provider: 'evil' });
    return { ...person, login };
  }
  /** A page of the stranger leads the tab to the console. */
  async function led(page: Page, path: string): Promise<void> {
    await page.goto(`${evil.issuer}/.well-known/openid-configuration`);
    await page.evaluate((address) => location.assign(address), `${kit.server.url}/console${path}`);
  }
  const sessionsByProvider = async (userId: number) =>
    (
      await kit.server.service.context
        .db('login_sessions')
        .where({ user_id: userId, begun_by: 'oidc' })
        .select('login_session_id')
    ).length;

  test('begins by a press alone, and replaces the session of nobody else in any tab', async () => {
    const mallory = await attacker();
    const owner = await kit.server.site();
    const first = await kit.open(`/sites/${owner.token}/members`, { as: owner });
    await first.getByRole('button', { name: 'Add a person' }).waitFor();
    const second = await first.context().newPage();
    await evil.asked();
    await led(second, '/sign-on/evil?next=/account');
    await second.getByText(`You are logged in here as ${owner.email}`).waitFor();
    await kit.look(second, 'sign-on-begin');
    expect(await evil.asked()).not.toHaveProperty('/auth');
    await second.getByRole('button', { name: 'Log in with Evil' }).click();
    await logInThere(second, mallory.login);
    await second.getByText(`You are logged in as ${owner.email}`).waitFor();
    await second.getByText(`Evil says that you are ${mallory.email}`).waitFor();
    await kit.look(second, 'sign-on-somebody-else');
    expect([await userOf(first), await userOf(second)]).toEqual([owner.email, owner.email]);
    expect(await sessionsByProvider(mallory.userId)).toBe(1);
    await second.getByRole('button', { name: `Stay ${owner.email}` }).click();
    await second.getByRole('button', { name: 'Account' }).waitFor();
    await until('the session of the stranger has ended', async () => {
      const left = await sessionsByProvider(mallory.userId);
      return left === 0;
    });
    expect([await userOf(first), await userOf(second)]).toEqual([owner.email, owner.email]);
    expect(await owner.client.getMe()).toMatchObject({ email: owner.email });
    expect(await first.getByRole('button', { name: 'Add a person' }).count()).toBe(1);
    await second.close();
  });

  test('whoever wants to go on as somebody else is logged out first, in all tabs', async () => {
    const mallory = await attacker();
    const owner = await kit.server.site();
    const page = await kit.open('/sign-on/evil?next=/account', { as: owner });
    await page.getByRole('button', { name: 'Log in with Evil' }).click();
    await logInThere(page, mallory.login);
    await page.getByRole('button', { name: `Log out, and go on as ${mallory.email}` }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await userOf(page)).toBe(mallory.email);
  });

  test('without a session it takes one press, and shows the account before it is used', async () => {
    const mallory = await attacker();
    const page = await kit.open('/sign-on/evil');
    const enter = async () => {
      await page.getByRole('button', { name: 'Log in with Evil' }).click();
      await logInThere(page, mallory.login);
      await page.getByText(`Evil says that you are Mallory, ${mallory.email}`).waitFor();
      expect(await userOf(page)).toBeUndefined();
    };
    await enter();
    await kit.look(page, 'sign-on-whose-account');
    await page.getByRole('button', { name: 'It is not mine' }).click();
    await page.getByLabel('E-mail address').waitFor();
    await until('its session has ended', async () => (await sessionsByProvider(mallory.userId)) === 0);
    expect(await userOf(page)).toBeUndefined();
    await page.context().clearCookies();
    await page.goto(`${kit.server.url}/console/sign-on/evil?next=/account`);
    await enter();
    await page.getByRole('button', { name: `Go on as ${mallory.email}` }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await userOf(page)).toBe(mallory.email);
  });

  test('in the account of somebody else, a press of Link asks for its password, and names both accounts', async () => {
    const mallory = await attacker();
    await acme.people({ olga: { email: 'olga@acme.example', email_verified: true } });
    const page = await kit.open('/login?next=/account');
    await page.getByRole('button', { name: 'Log in with Evil' }).click();
    await logInThere(page, mallory.login);
    await page.getByRole('button', { name: 'Link Acme' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await page.getByText('a log-in at a provider, or of more than 15 minutes ago, is not enough').waitFor();
    expect(await page.getByRole('link', { name: /Prove it with/ }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await logInThere(page, 'olga');
    await page.getByText('olga@acme.example').waitFor();
    await page.getByText(mallory.email).waitFor();
    await page.getByRole('button', { name: 'Do not link' }).click();
    await page.getByRole('button', { name: 'Unlink Evil' }).waitFor();
    const { identities } = await mallory.client.listIdentities();
    expect(identities.map(({ provider }) => provider)).toEqual(['evil']);
  });

  test('nor does a press add an authenticator app without it', async () => {
    const mallory = await attacker();
    const page = await kit.open('/login?next=/account/security');
    await page.getByRole('button', { name: 'Log in with Evil' }).click();
    await logInThere(page, mallory.login);
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await page.getByText('a log-in at a provider, or of more than 15 minutes ago, is not enough').waitFor();
    expect(await page.getByRole('link', { name: /Prove it with/ }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
  });

  test('an account without a password whose passkey is lost is proved by a recovery code', async () => {
    const mallory = await attacker();
    const { codes } = await addApp(kit.server, mallory.client);
    const { db } = kit.server.service.context;
    const user_id = mallory.userId;
    await db('passkeys').insert({
      ...{ passkey_id: randomUUID(), user_id, credential_id: randomUUID(), public_key: Buffer.from('key') },
      ...{ user_handle: 'aGFuZGxl', counter: '0', transports: [], synced: false, name: 'Lost' },
      ...{ created_at: new Date(), used_on: null },
    });
    await db('totp_secrets').where({ user_id }).delete();
    await db('users').where({ id: user_id }).update({ password_hash: null });
    const page = await kit.open('/login?next=/account/security');
    await page.getByRole('button', { name: 'Log in with Evil' }).click();
    await logInThere(page, mallory.login);
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await page.getByText('This step needs a passkey or a code').waitFor();
    await kit.look(page, 'reproof-code');
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[1] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
  });

  test('a proof by somebody else is refused, and lets nobody go on as them', async () => {
    const mallory = await attacker();
    const owner = await kit.server.site();
    const mine = `owner-${owner.userId}`;
    await linkTo(owner.client, mine, { provider: 'evil' });
    // The same, 16 minutes later.
    const facts = { authenticatedAt: Date.now() - 16 * 60_000 };
    const old = await kit.server.service.context.tokens.issue(owner.userId, undefined, facts);
    const page = await kit.open(`/sites/${owner.token}/members`, { as: owner });
    const user = await page.evaluate(() => JSON.parse(sessionStorage.getItem('avow.session') ?? '{}').user);
    const session = { token: old.token, expires_at: old.expiresAt.toISOString(), user };
    await page.evaluate(keep, keptSession(session));
    await page.reload();
    await addPerson(page);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Prove it with Evil in a new tab' }).click();
    const beside = await opened;
    await beside.getByRole('button', { name: 'Prove it with Evil' }).click();
    await logInThere(beside, mallory.login);
    await beside.getByText('prove it with the account that you are logged in with').waitFor();
    expect(await beside.getByRole('button', { name: `go on as ${mallory.email}` }).count()).toBe(0);
    await until('its session has ended', async () => (await sessionsByProvider(mallory.userId)) === 0);
    expect([await userOf(page), await userOf(beside)]).toEqual([owner.email, owner.email]);
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    expect((await owner.client.listMembers({ token: owner.token })).items).toHaveLength(1);
  });
});
