import { randomUUID } from 'node:crypto';
import { createCode } from '../../server/src/services/accounts';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { addApp, clientOf, refused } from '../helpers/second-factor';
import { PASSWORD, useServer } from '../helpers/server';
import { codeOf } from '../helpers/site/people';

jest.setTimeout(60_000);

const { mails: mailServer, options } = useMailServer();
const server = useServer(options);

const NEW = 'quite another horse';
const db = () => server.service.context.db;

/** Somebody makes an account with another's address, by a link of her own, and puts every way back in into it. */
async function squat() {
  const email = `${randomUUID()}@example.com`;
  const trap = await server.site();
  const { invitation_url } = await trap.client.addMember({
    token: trap.token,
    body: { email, role: 'viewer' },
  });
  const session = await server.visitor.acceptInvitation({
    body: { code: codeOf(invitation_url), password: PASSWORD },
  });
  const { id: user_id } = session.user;
  const { client } = await addApp(server, clientOf(server, session.token));
  const now = new Date();
  // As finishLink does it with an account at a provider.
  const times = { linked_at: now, last_used_at: now };
  const identity = { user_id, provider: 'acme', issuer: 'https://acme.example', email: null, ...times };
  await db()('identities').insert({
    ...{ ...identity, identity_id: randomUUID(), subject: randomUUID(), made_by: 'link' },
  });
  return { email, user_id, client };
}

const mailed = async (email: string, path: string): Promise<string> => {
  const find = async () => {
    const mails = await mailServer.until(1, email);
    const texts = mails.map(({ parsed }) => parsed.text).join();
    return new RegExp(`/console/${path}#([\\w-]{43})`).exec(texts)?.[1];
  };
  for (;;) {
    const code = await find();
    if (code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** What is left in an account with which somebody gets in, or stands in the way. */
const leftIn = async (user_id: number) =>
  Object.fromEntries(
    await Promise.all(
      ['identities', 'totp_secrets', 'passkeys', 'recovery_codes', 'notification_settings'].map(
        async (table) => [table, (await db()(table).where({ user_id })).length],
      ),
    ),
  );

test.each(['mail', 'operator'])(
  'who first proves an address by a link of the %s finds nothing of whoever claimed it before',
  async (way) => {
    const { email, user_id, client } = await squat();
    // Its person would be told nothing.
    await client.updateNotificationSettings({ body: { request_received: 'off' } });
    const before = { identities: 1, totp_secrets: 1, recovery_codes: 10, notification_settings: 1 };
    expect(await leftIn(user_id)).toMatchObject(before);
    if (way === 'mail') {
      await server.visitor.requestPasswordReset({ body: { email } });
      const code = await mailed(email, 'reset-password');
      await server.visitor.resetPassword({ body: { code, password: NEW } });
    } else {
      const code = await createCode(db(), user_id);
      await server.visitor.acceptInvitation({ body: { code, password: NEW } });
    }
    expect(new Set(Object.values(await leftIn(user_id)))).toEqual(new Set([0]));
    expect((await refused(client.getMe())).status).toBe(401);
    const { token } = await server.visitor.login({ body: { email, password: NEW } });
    expect(await clientOf(server, token).getMe()).toMatchObject({ email_verified: true });
  },
);

test('who has only the mailbox does not vouch for an account that somebody else made with its address', async () => {
  const { email, client } = await squat();
  const code = await mailed(email, 'verify-email');
  expect((await refused(server.visitor.verifyEmail({ body: { code } }))).status).toBe(401);
  const other = await server.person();
  expect((await refused(other.client.verifyEmail({ body: { code } }))).status).toBe(404);
  expect((await client.getMe()).email_verified).toBe(false);
  // Nobody has used the link up.
  expect((await client.verifyEmail({ body: { code } })).email).toBe(email);
});

/** The person whose address somebody has claimed takes it back. */
async function takeBack() {
  const claimed = await squat();
  await server.visitor.requestPasswordReset({ body: { email: claimed.email } });
  const code = await mailed(claimed.email, 'reset-password');
  await server.visitor.resetPassword({ body: { code, password: NEW } });
  const { token } = await server.visitor.login({ body: { email: claimed.email, password: NEW } });
  return { ...claimed, client: clientOf(server, token) };
}

const groupOf = async (id: number) =>
  db()('users').where({ id }).first('sponsor_id', 'by_invited', 'was_claimed');
const shop = { body: { name: 'Shop', domain: 'shop.example.com' } };

test('no site of who took an address back counts as one of who had claimed it', async () => {
  const { client, email, user_id } = await takeBack();
  const error = await refused(client.createEnvironment(shop));
  expect([error.status, error.message]).toEqual([403, expect.stringContaining('has invited your address')]);
  // Whom the person knows says whose they are; an invitation of somebody else does nothing.
  const [friend, other] = [await server.site(), await server.site()];
  const invite = async (site: typeof friend, address: string) =>
    codeOf(
      (await site.client.addMember({ token: site.token, body: { email: address, role: 'viewer' } }))
        .invitation_url,
    );
  const wrong = await invite(other, `${randomUUID()}@example.com`);
  expect((await refused(client.joinEnvironment({ body: { code: wrong } }))).status).toBe(403);
  expect((await groupOf(user_id)).was_claimed).toBe(true);
  await client.joinEnvironment({ body: { code: await invite(friend, email) } });
  expect(await groupOf(user_id)).toEqual({
    sponsor_id: friend.userId,
    by_invited: false,
    was_claimed: false,
  });
  await client.createEnvironment(shop);
});

test('who verifies the address of an account that they accepted stays in the group of who invited them', async () => {
  const { email, user_id, client } = await squat();
  const { sponsor_id } = await groupOf(user_id);
  await client.verifyEmail({ body: { code: await mailed(email, 'verify-email') } });
  expect(await groupOf(user_id)).toEqual({ sponsor_id, by_invited: false, was_claimed: false });
  await client.createEnvironment(shop);
});
