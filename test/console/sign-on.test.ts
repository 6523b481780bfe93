import { createLink } from '../../server/src/services/accounts';
import { describeInBrowser } from '../helpers/browser/browser';
import { addPerson } from '../helpers/console/add-person';
import { useConsole } from '../helpers/console/console';
import { keep, keptSession } from '../helpers/console/kept-session';
import { addApp, clientOf, codeNow } from '../helpers/second-factor';
import { logInThere } from '../helpers/sign-on/log-in-there';
import { startProvider, type TestProvider } from '../helpers/sign-on/provider';
import { comeBack, signOn } from '../helpers/sign-on/walk';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

describeInBrowser('single sign-on', () => {
  let acme: TestProvider;
  /** Filled when the provider runs; the server starts after it. */
  const variables: Record<string, string> = {};
  beforeAll(async () => {
    acme = await startProvider();
    Object.assign(variables, { OIDC_PROVIDERS: 'acme', ...acme.variables('acme') });
  });
  const kit = useConsole({ variables, isElsewhere: (url) => url.startsWith(acme.issuer) });
  let shop: Awaited<ReturnType<typeof kit.server.site>>;
  beforeAll(async () => {
    kit.server.service.context.config.publicUrl = kit.server.url;
    await acme.register('acme', kit.server);
    shop = await kit.server.site();
    const access = [
      { group: 'shop owners', grant: { role: 'owner', site: shop.token } },
      { group: 'staff', grant: null },
    ];
    for (const { provider } of kit.server.service.context.providers.values())
      Object.assign(provider, { access });
    await acme.people({
      ada: { email: 'ada@acme.example', email_verified: true, name: 'Ada', groups: ['shop owners'] },
      bob: { email: 'bob@acme.example', email_verified: false, name: 'Bob', groups: ['staff'] },
    });
  });
  afterAll(() => acme?.stop());
  afterEach(() => acme.faults({}));

  test('the whole way: in by the provider with the role of a group, seen by the owner, and out at the provider too', async () => {
    const page = await kit.open(`/sites/${shop.token}/sign-on`);
    await page.getByRole('button', { name: 'Log in with Acme' }).waitFor();
    await kit.look(page, 'login-providers');
    const seen: string[] = [];
    page.on('request', (request) => seen.push(request.url()));
    await page.getByRole('button', { name: 'Log in with Acme' }).click();
    await logInThere(page, 'ada');
    await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
    await page.getByText('ada@acme.example').waitFor();
    await page.getByText('shop owners').waitFor();
    await kit.look(page, 'single-sign-on');
    // Neither the address nor any request has held the token, and the code is gone from the address.
    expect(page.url()).toBe(`${kit.server.url}/console/sites/${shop.token}/sign-on`);
    expect(seen.filter((url) => url.includes('eyJ'))).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.getItem('avow.sign-on'))).toBeNull();
    const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('avow.session') ?? '{}').token);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    // The provider asks whether to end its own session, and leads back.
    await page.getByRole('button', { name: /Yes, sign me out/ }).click();
    await page.getByRole('button', { name: 'Log in with Acme' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/login');
    const answer = await fetch(`${kit.server.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
  });

  test('whoever cancels there, is refused here, or finds the provider away is told so, and can try again', async () => {
    const page = await kit.open('/login');
    await page.getByRole('button', { name: 'Log in with Acme' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('Acme did not log you in').waitFor();
    await kit.look(page, 'sign-on-declined');
    await page.getByRole('button', { name: 'Try again' }).click();
    await logInThere(page, 'bob');
    await page.getByText('Acme has not verified your e-mail address').waitFor();
    await page.getByRole('link', { name: 'Other ways to log in' }).click();
    await page.getByLabel('E-mail address').waitFor();
  });

  test('before somebody is removed whose groups gave the role, it is said that they give it again', async () => {
    await signOn(kit.server.visitor, 'ada');
    const page = await kit.open(`/sites/${shop.token}/members`, { as: shop });
    const remove = (email: string) => page.getByRole('button', { name: `Remove ${email}` }).click();
    await remove('ada@acme.example');
    const question = page.getByRole('alertdialog', { name: 'Remove ada@acme.example?' });
    await question.getByText('The groups of acme gave them this role. As long as').waitFor();
    await kit.look(page, 'members-remove-given');
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('ada@acme.example was removed').waitFor();
    // As it was said.
    await signOn(kit.server.visitor, 'ada');
    const { items } = await shop.client.listMembers({ token: shop.token });
    expect(items.find(({ email }) => email === 'ada@acme.example')?.given_by).toBe('acme');
  });

  test('an address that somebody else has prepared logs nobody in', async () => {
    const { state, code, iss = '' } = await comeBack(kit.server.visitor.beginSignOn, 'ada');
    const victim = await kit.open(`/sign-on/acme?${new URLSearchParams({ state, code, iss })}`);
    await victim.getByText('This log-in did not begin in this tab').waitFor();
    expect(await victim.evaluate(() => sessionStorage.getItem('avow.session'))).toBeNull();
    expect(victim.url()).toBe(`${kit.server.url}/console/sign-on/acme`);
  });

  test('an account with a password is linked by its owner, who then gets in by the provider', async () => {
    const owner = await kit.server.person('Olivia Owner');
    await acme.people({ olivia: { email: 'olivia@elsewhere.example', email_verified: false } });
    const page = await kit.open('/account', { as: owner });
    await page.getByRole('button', { name: 'Link Acme' }).click();
    await logInThere(page, 'olivia');
    await page.getByRole('heading', { name: 'Link Acme?' }).waitFor();
    await page.getByText('olivia@elsewhere.example').waitFor();
    await page.getByText(owner.email).waitFor();
    await kit.look(page, 'confirm-link');
    expect((await owner.client.listIdentities()).identities).toEqual([]);
    await page.getByRole('button', { name: 'Link them' }).click();
    await page.getByText('olivia@elsewhere.example').waitFor();
    await page.getByRole('button', { name: 'Unlink Acme' }).waitFor();
    await kit.look(page, 'account-linked');
    expect((await owner.client.listIdentities()).identities).toMatchObject([{ provider: 'acme' }]);
  });

  test('somebody without a password does the second step here, and proves in a tab beside that it is them', async () => {
    const carl = { email: 'carl@acme.example', email_verified: true, name: 'Carl', groups: ['shop owners'] };
    await acme.people({ carl });
    const first = clientOf(kit.server, (await signOn(kit.server.visitor, 'carl')).token);
    const { secret } = await addApp(kit.server, first);
    const page = await kit.open(`/sites/${shop.token}/members`);
    await page.getByRole('button', { name: 'Log in with Acme' }).click();
    await logInThere(page, 'carl');
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(codeNow(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Add a person' }).waitFor();

    // The same, 16 minutes later.
    const stored = () => page.evaluate(() => JSON.parse(sessionStorage.getItem('avow.session') ?? '{}'));
    const { user } = await stored();
    const facts = { secondFactor: true, authenticatedAt: Date.now() - 16 * 60_000 };
    const old = await kit.server.service.context.tokens.issue(user.id, undefined, facts);
    const session = { token: old.token, expires_at: old.expiresAt.toISOString(), user };
    await page.evaluate(keep, keptSession(session));
    await page.reload();
    await addPerson(page);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Prove it with Acme in a new tab' }).click();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await kit.look(page, 'reproof-provider');
    const beside = await opened;
    await beside.getByRole('button', { name: 'Prove it with Acme' }).click();
    // They are logged in there, and are asked all the same.
    await beside.locator('input[name=login]').fill('carl');
    await beside.locator('input[name=password]').fill('any');
    await beside.locator('button[type=submit]').click();
    await beside.getByRole('textbox', { name: 'Code' }).fill(codeNow(secret, 1));
    await beside.getByRole('button', { name: 'Continue' }).click();
    await beside.getByText('the page that waited goes on').waitFor();
    await page.getByText('someone@example.com').first().waitFor();
    const { token } = await stored();
    const { items } = await clientOf(kit.server, token).listMembers({ token: shop.token });
    expect(items.map((member) => member.email)).toContain('someone@example.com');
    // The session of before has ended.
    await until('it is ended', async () =>
      clientOf(kit.server, old.token)
        .getMe()
        .then(
          () => false,
          ({ status }) => status === 401,
        ),
    );
  });

  test('without passwords the page has none, and the operator’s link lets in all the same', async () => {
    const { config } = kit.server.service.context;
    config.passwordLogin = false;
    try {
      const owner = await kit.server.person('Olivia Owner');
      const page = await kit.open('/login');
      await page.getByRole('button', { name: 'Log in with Acme' }).waitFor();
      expect(await page.getByLabel('Password').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
      await page.goto(`${kit.server.url}/console/forgotten-password`);
      await page.getByText('This server takes no passwords and no passkeys').waitFor();
      expect(await page.getByLabel('E-mail address').count()).toBe(0);
      const { context } = kit.server.service;
      await page.goto(await createLink(context, context.db, owner.userId));
      await page.getByLabel('Password').fill('a way in for emergencies');
      await page.getByRole('button', { name: 'Save the password' }).click();
      await page.getByRole('button', { name: 'Account' }).waitFor();
    } finally {
      config.passwordLogin = true;
    }
  });
});
