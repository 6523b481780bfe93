import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { createCode, createUser } from '../../server/src/services/accounts';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';
import { codeOf, join } from '../helpers/site/people';

const server = useServer();

const withToken = (token: string) =>
  createAvow({ baseUrl: server.url, token, fetch: checkedFetch, retries: 0 });
const newEmail = () => `${randomUUID()}@example.com`;
const SQUAT = 'the squatter chose this one';

/** A viewer of one site who makes a site of her own, invites a stranger there and opens the link herself. */
async function squat(email: string) {
  const site = await server.site();
  const viewer = await server.person('Vera Viewer');
  await join(site, viewer, 'viewer');
  const own = await viewer.client.createEnvironment({ body: { name: 'Trap', domain: 'trap.example.com' } });
  const { invitation_url } = await viewer.client.addMember({
    token: own.token,
    body: { email, role: 'viewer' },
  });
  const body = { code: codeOf(invitation_url), password: SQUAT };
  const { token, user } = await server.visitor.acceptInvitation({ body });
  return { client: withToken(token), userId: user.id, trap: own.token };
}

test('whoever claimed an address first gets into no site that invites it', async () => {
  const email = newEmail();
  const squatter = await squat(email);
  const site = await server.site();
  const member = await site.client.addMember({ token: site.token, body: { email, role: 'owner' } });
  expect(member.status).toBe('invited');
  expect((await squatter.client.listEnvironments()).items.map(({ token }) => token)).toEqual([squatter.trap]);
  expect((await refusal(squatter.client.getEnvironment({ token: site.token }))).status).toBe(404);
  const again = await server.visitor.login({ body: { email, password: SQUAT } });
  expect((await refusal(withToken(again.token).getEnvironment({ token: site.token }))).status).toBe(404);
});

test('the true holder whose address was claimed gets the account from the operator, then accepts', async () => {
  const email = newEmail();
  const squatter = await squat(email);
  const site = await server.site();
  const { invitation_url } = await site.client.addMember({
    token: site.token,
    body: { email, role: 'operator' },
  });
  const code = codeOf(invitation_url);
  const refused = await refusal(server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }));
  expect([refused.status, refused.code]).toEqual([409, 'conflict']);
  expect(refused.message).toContain('whoever runs the server');
  // As `npm run owner -- reset` does.
  const reset = await createCode(server.service.context.db, squatter.userId);
  const { token } = await server.visitor.acceptInvitation({ body: { code: reset, password: PASSWORD } });
  expect((await refusal(squatter.client.getMe())).status).toBe(401);
  expect((await refusal(server.visitor.login({ body: { email, password: SQUAT } }))).status).toBe(401);
  const joined = await withToken(token).joinEnvironment({ body: { code } });
  expect(joined).toEqual({
    ...{ token: site.token, name: 'Example shop', role: 'operator', added_at: joined.added_at },
  });
});

test('an account that the operator made is not proved by whoever opens another’s link to its address', async () => {
  const { db } = server.service.context;
  const email = newEmail();
  // As `npm run owner -- add` does; its link has ended.
  const { id } = await createUser(db, { email, name: email, passwordHash: null, isVerified: true });
  const squatter = await squat(email);
  expect(squatter.userId).toBe(id);
  expect((await squatter.client.getMe()).email_verified).toBe(false);
});

test('the link of the operator ends every way in that was there before the address was proved', async () => {
  const { db } = server.service.context;
  const squatter = await squat(newEmail());
  await squatter.client.createEnvironment({ body: { name: 'Own', domain: 'own.example.com' } });
  const { key } = await squatter.client.createKey({ body: { name: 'stays', scopes: ['environments:read'] } });
  await db('passkeys').insert({
    ...{ user_id: squatter.userId, name: 'of the squatter', credential_id: randomUUID(), user_handle: 'h' },
    ...{ passkey_id: randomUUID(), public_key: Buffer.alloc(77, 1), counter: 0, transports: [] },
    ...{ synced: false, created_at: new Date() },
  });
  await db('users').where({ id: squatter.userId }).update({ second_factor_since: new Date() });
  const code = await createCode(db, squatter.userId);
  const { token } = await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  expect((await withToken(token).getMe()).email_verified).toBe(true);
  expect(await db('passkeys').where({ user_id: squatter.userId })).toEqual([]);
  expect((await refusal(withToken(key).listEnvironments())).status).toBe(401);
});

test('an open invitation of another site is not what a claimed address gets', async () => {
  const email = newEmail();
  const site = await server.site();
  const { invitation_url } = await site.client.addMember({
    token: site.token,
    body: { email, role: 'owner' },
  });
  const squatter = await squat(email);
  expect((await squatter.client.listEnvironments()).items).toHaveLength(1);
  const { items } = await site.client.listMembers({ token: site.token });
  expect(items.filter(({ status }) => status === 'active').map(({ user_id }) => user_id)).toEqual([
    site.userId,
  ]);
  expect(
    (await server.visitor.lookAtInvitation({ body: { code: codeOf(invitation_url) } })).has_account,
  ).toBe(true);
});

test('a link changes no password of an account that exists', async () => {
  const victim = await server.person();
  const { client, token } = await server.site();
  const body = { email: victim.email.toUpperCase(), role: 'viewer' as const };
  const code = codeOf((await client.addMember({ token, body })).invitation_url);
  const stolen = await refusal(server.visitor.acceptInvitation({ body: { code, password: SQUAT } }));
  expect(stolen.status).toBe(409);
  expect((await victim.client.getMe()).id).toBe(victim.userId);
  expect((await server.visitor.login({ body: { email: victim.email, password: PASSWORD } })).user.id).toBe(
    victim.userId,
  );
});

test('only the account of the invited address accepts, and a refusal leaves the link as it was', async () => {
  const [guest, stranger] = [await server.person(), await server.person()];
  const { client, token } = await server.site();
  const { invitation_url } = await client.addMember({ token, body: { email: guest.email, role: 'viewer' } });
  const body = { code: codeOf(invitation_url) };
  const wrong = await refusal(stranger.client.joinEnvironment({ body }));
  expect([wrong.status, wrong.code]).toEqual([403, 'forbidden']);
  await guest.client.joinEnvironment({ body });
  expect((await guest.client.getEnvironment({ token })).role).toBe('viewer');
  expect((await refusal(guest.client.joinEnvironment({ body }))).status).toBe(404);
});

test('a lost answer is repeated with the same key; without a login nobody joins', async () => {
  const guest = await server.person();
  const { client, token } = await server.site();
  const { invitation_url } = await client.addMember({ token, body: { email: guest.email, role: 'viewer' } });
  const body = { code: codeOf(invitation_url) };
  expect((await refusal(server.visitor.joinEnvironment({ body }))).status).toBe(401);
  const idempotencyKey = randomUUID();
  const first = await guest.client.joinEnvironment({ body }, { idempotencyKey });
  expect(await guest.client.joinEnvironment({ body }, { idempotencyKey })).toEqual(first);
});

test('an invitation tells its maker nothing of whether the address has an account', async () => {
  const known = await server.person('Known Person');
  const { client, token } = await server.site();
  const shape = async (email: string) => {
    const {
      user_id,
      email: _,
      name,
      added_at,
      invitation_url,
      ...rest
    } = await client.addMember({
      token,
      body: { email, role: 'viewer' },
    });
    return {
      ...rest,
      isNamed: name !== email,
      length: invitation_url?.length,
      isOwn: user_id === known.userId,
    };
  };
  expect(await shape(known.email)).toEqual(await shape(newEmail()));
});

test('a link of an account and one of a site are told apart before they are used', async () => {
  const { client, token } = await server.site();
  const email = newEmail();
  const body = { email, role: 'operator' as const };
  const code = codeOf((await client.addMember({ token, body })).invitation_url);
  const look = () => server.visitor.lookAtInvitation({ body: { code } });
  const facts = await look();
  expect(facts).toEqual({
    purpose: 'site',
    email,
    has_account: false,
    site: { name: 'Example shop', role: 'operator' },
    expires_at: facts.expires_at,
  });
  await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  expect((await refusal(look())).status).toBe(404);
  const { userId, email: own } = await server.person();
  const reset = await createCode(server.service.context.db, userId);
  expect(await server.visitor.lookAtInvitation({ body: { code: reset } })).toMatchObject({
    purpose: 'account',
    email: own,
    has_account: true,
  });
});

test('two invitations of one address that are accepted at once make one account', async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = newEmail();
    const sites = await Promise.all([server.site(), server.site()]);
    const codes = await Promise.all(
      sites.map(async ({ client, token }) =>
        codeOf((await client.addMember({ token, body: { email, role: 'viewer' } })).invitation_url),
      ),
    );
    const outcomes = await Promise.allSettled(
      codes.map((code) => server.visitor.acceptInvitation({ body: { code, password: PASSWORD } })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [lost] = outcomes.filter((one) => one.status === 'rejected');
    expect(lost?.reason.status).toBe(409);
  }
});

test('a link that an older version made opens nothing any more', async () => {
  const { db } = server.service.context;
  const { userId } = await server.person();
  const other = await server.person();
  const code = await createCode(db, userId);
  await db('invitations').where({ user_id: userId }).update({ made_by: other.userId });
  expect((await refusal(server.visitor.lookAtInvitation({ body: { code } }))).status).toBe(404);
  expect(
    (await refusal(server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }))).status,
  ).toBe(404);
});
