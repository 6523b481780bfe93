import type { Page } from 'playwright-core';
import { describeInBrowser } from '../helpers/browser/browser';
import { addPerson } from '../helpers/console/add-person';
import { useConsole } from '../helpers/console/console';
import { keep, keptSession } from '../helpers/console/kept-session';
import { clientOf, codeNow, personWithApp } from '../helpers/second-factor';
import { PASSWORD } from '../helpers/server';

jest.setTimeout(90_000);

const logIn = async (page: Page, email: string) => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Password').press('Enter');
};

describeInBrowser('how somebody logs in', () => {
  const kit = useConsole();

  test('an authenticator app is added by its QR code, and asked for at the next log-in', async () => {
    const owner = await kit.server.site();
    const page = await kit.open('/account/security', { as: owner });
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
    const secret = (await page
      .getByText(/^[A-Z2-7]{32}$/)
      .first()
      .textContent()) as string;
    await kit.look(page, 'security-app');
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('is not the code that the app shows now').first().waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(codeNow(secret, -1));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 codes are left').waitFor();
    await kit.look(page, 'security');

    const next = await kit.open(`/sites/${owner.token}`);
    await logIn(next, owner.email);
    await next.getByRole('heading', { name: 'Second step' }).waitFor();
    await kit.look(next, 'second-step');
    await next.getByRole('textbox', { name: 'Code' }).fill(codeNow(secret));
    await next.getByRole('button', { name: 'Continue' }).click();
    await next.getByRole('heading', { name: 'Example shop' }).waitFor();
  });

  test('sessions are listed; one ends, then all others, and this one goes on', async () => {
    const owner = await kit.server.site();
    const login = () => kit.server.visitor.login({ body: { email: owner.email, password: PASSWORD } });
    const others = [await login(), await login()];
    const page = await kit.open('/account/security', { as: owner });
    const rows = page.getByRole('row');
    await page.getByText('This session').waitFor();
    const before = await rows.count();
    await page
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click();
    await page.getByText('Session ended').waitFor();
    // The list is read again before that is said.
    expect(await rows.count()).toBe(before - 1);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('All other sessions ended').waitFor();
    for (const { token } of others)
      await expect(clientOf(kit.server, token).getMe()).rejects.toMatchObject({ status: 401 });
    await page.getByRole('button', { name: /^End the session of/ }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('This session').waitFor();
  });

  test('a dangerous step asks who is there when the log-in was long ago, and is then done', async () => {
    const { email, userId, secret, client } = await personWithApp(kit.server);
    const { token } = await client.createEnvironment({
      body: { name: 'Example shop', domain: 'shop.example.com' },
    });
    const user = { id: userId, name: 'Ada Owner', email };
    const old = await kit.server.service.context.tokens.issue(userId, undefined, {
      ...{ secondFactor: true, authenticatedAt: Date.now() - 16 * 60_000 },
    });
    // Later than what has ended the sessions of before.
    const page = await kit.open('/login');
    const session = { token: old.token, expires_at: old.expiresAt.toISOString(), user };
    await page.evaluate(keep, keptSession(session));
    await page.goto(`${kit.server.url}/console/sites/${token}/members`);
    await addPerson(page);
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await kit.look(page, 'reproof');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('textbox', { name: 'Code' }).fill(codeNow(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('someone@example.com').first().waitFor();
    const { items } = await clientOf(
      kit.server,
      await page.evaluate(() => JSON.parse(sessionStorage.getItem('avow.session') ?? '{}').token),
    ).listMembers({ token });
    expect(items.map((member) => member.email)).toContain('someone@example.com');
  });

  test('a member without a second factor is told so on a site that requires one, and adds it', async () => {
    const { client } = await personWithApp(kit.server);
    const body = { name: 'Strict shop', domain: 'shop.example.com' };
    const { token } = await client.createEnvironment({ body });
    const viewer = await kit.server.person();
    const { db } = kit.server.service.context;
    const [{ id }] = await db('environments').where({ token }).select('id');
    await db('members').insert({
      environment_id: id,
      user_id: viewer.userId,
      role: 'viewer',
      added_at: new Date(),
    });
    await client.setSecondFactorRule({ token, body: { required: true } });
    const page = await kit.open(`/sites/${token}`, { as: viewer });
    await page.getByText('This environment requires a second factor').first().waitFor();
    await page.goto(`${kit.server.url}/console/account/security`);
    await page.getByText('Sites of yours require a second factor').waitFor();
    await page.getByText('Strict shop').waitFor();
  });

  test('a passkey is made, is the second step, and lets in alone', async () => {
    const { context, port } = kit.server.service;
    // Browsers make passkeys for names, not for addresses.
    const url = `http://localhost:${port}`;
    context.publicUrl = () => url;
    const owner = await kit.server.site();
    const first = await kit.open('/login');
    const browser = await first.context().browser()?.newContext();
    if (browser === undefined) throw new Error('there is no browser');
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(20_000);
      const devices = await browser.newCDPSession(page);
      await devices.send('WebAuthn.enable');
      await devices.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
          ...{ isUserVerified: true, automaticPresenceSimulation: true },
        },
      });
      await page.goto(`${url}/console/account/security`);
      await logIn(page, owner.email);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('my laptop');
      await page.getByRole('button', { name: 'Create passkey' }).click();
      await page.getByRole('button', { name: 'I have kept them' }).click();
      await page.getByRole('button', { name: 'Remove my laptop' }).waitFor();
      await page.getByRole('button', { name: 'Rename my laptop' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('my work laptop');
      await kit.look(page, 'passkey-rename');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await page.getByText('Passkey renamed').waitFor();
      await page.getByRole('button', { name: 'Remove my work laptop' }).waitFor();
      await page.evaluate(() => sessionStorage.clear());
      await page.goto(`${url}/console/login`);
      await logIn(page, owner.email);
      await page.getByRole('heading', { name: 'Second step' }).waitFor();
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('button', { name: 'Account' }).waitFor();
      await page.evaluate(() => sessionStorage.clear());
      await page.goto(`${url}/console/login`);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('button', { name: 'Account' }).waitFor();
      const { token } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('avow.session') ?? '{}'));
      const { items } = await clientOf(kit.server, token).listSessions();
      expect(items.map(({ begun_by, second_factor }) => [begun_by, second_factor]).slice(0, 2)).toEqual([
        ['passkey', true],
        ['password', true],
      ]);
      // Removed, it lets nobody in, and the password alone does again.
      const { passkeys } = await clientOf(kit.server, token).getSecondFactors();
      const passkey_id = passkeys[0]?.passkey_id as string;
      await clientOf(kit.server, token).removePasskey({ passkey_id });
      await page.evaluate(() => sessionStorage.clear());
      await page.goto(`${url}/console/login`);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByText('This passkey is not known here').waitFor();
      await logIn(page, owner.email);
      await page.getByRole('button', { name: 'Account' }).waitFor();
    } finally {
      await browser.close();
    }
  });
});
