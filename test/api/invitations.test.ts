import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { createCode } from '../../server/src/services/accounts';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, startServer, type TestServer, useServer } from '../helpers/server';
import { codeOf } from '../helpers/site/people';

const server = useServer();

const withToken = (token: string, url = server.url) =>
  createAvow({ baseUrl: url, token, fetch: checkedFetch, retries: 0 });

async function invite(role: 'owner' | 'operator' | 'viewer' = 'viewer') {
  const site = await server.site();
  const email = `${randomUUID()}@example.com`;
  const member = await site.client.addMember({ token: site.token, body: { email, role } });
  return { site, member, invited: email, code: codeOf(member.invitation_url) };
}

test('an invitation makes an account with the chosen password, which sees the environment', async () => {
  const { site, member, invited, code } = await invite('operator');
  expect(member.status).toBe('invited');
  const session = await server.visitor.acceptInvitation({ body: { code, name: 'Ivy', password: PASSWORD } });
  expect(session.user).toEqual({ id: member.user_id, name: 'Ivy', email: invited });
  const { items } = await withToken(session.token).listEnvironments();
  expect(items).toMatchObject([{ token: site.token, role: 'operator' }]);
  expect((await site.client.listMembers({ token: site.token })).items[0]?.status).toBe('active');
  expect((await server.visitor.login({ body: { email: invited, password: PASSWORD } })).user.name).toBe(
    'Ivy',
  );
});

test('a link works once, also when it is used many times at once', async () => {
  const { code } = await invite();
  const tries = Array.from({ length: 5 }, () =>
    server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }),
  );
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const error = await refusal(server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }));
  expect([error.status, error.code]).toEqual([404, 'not_found']);
});

test('a link ends after seven days, and an unknown code is no link', async () => {
  const { code } = await invite();
  const { db } = server.service.context;
  const { expires_at } = await db('site_invitations').orderBy('expires_at', 'desc').first('expires_at');
  await db('site_invitations').update({ expires_at: new Date(expires_at.getTime() - 7 * 86_400_000) });
  for (const wrong of [code, 'x'.repeat(43)]) {
    const error = await refusal(
      server.visitor.acceptInvitation({ body: { code: wrong, password: PASSWORD } }),
    );
    expect(error.status).toBe(404);
  }
});

test('a refused password leaves the link as it was', async () => {
  const { code } = await invite();
  const short = await refusal(server.visitor.acceptInvitation({ body: { code, password: 'too short' } }));
  expect([short.status, short.errors[0]?.path]).toEqual([400, 'body.password']);
  await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
});

test('the code is kept only as a hash', async () => {
  const { code } = await invite();
  const rows = await server.service.context.db('site_invitations').whereNotNull('code_hash');
  expect(JSON.stringify(rows)).not.toContain(code);
  expect(rows.some(({ code_hash }) => code_hash.equals(Buffer.from(code, 'base64url')))).toBe(false);
});

test('an invitation that was taken back opens nothing', async () => {
  const { site, member, code } = await invite();
  await site.client.removeMember({ token: site.token, user_id: member.user_id });
  const error = await refusal(server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }));
  expect(error.status).toBe(404);
});

describe('the set-up link', () => {
  let fresh: TestServer;
  beforeEach(async () => {
    fresh = await startServer({ variables: { DEMO: 'on' } });
  });
  afterEach(() => fresh.stop());
  const link = () => createCode(fresh.service.context.db, null);

  test('makes the first owner, who gets the demo site', async () => {
    const code = await link();
    const body = { code, email: 'first@example.com', name: 'First Owner', password: PASSWORD };
    const session = await fresh.visitor.acceptInvitation({ body });
    expect(session.user).toMatchObject({ name: 'First Owner', email: 'first@example.com' });
    const client = withToken(session.token, fresh.url);
    const { items } = await client.listEnvironments();
    expect(items).toMatchObject([{ name: 'Demo site', role: 'owner' }]);
    expect((await refusal(fresh.visitor.acceptInvitation({ body }))).status).toBe(404);
  });

  test('needs an address, and asking for it does not use the link up', async () => {
    const code = await link();
    const error = await refusal(fresh.visitor.acceptInvitation({ body: { code, password: PASSWORD } }));
    expect([error.status, error.errors[0]?.path]).toEqual([400, 'body.email']);
    await fresh.visitor.acceptInvitation({ body: { code, email: 'first@example.com', password: PASSWORD } });
  });

  test('makes one owner, however many browsers have it open', async () => {
    const code = await link();
    const tries = Array.from({ length: 5 }, (_, i) =>
      fresh.visitor.acceptInvitation({ body: { code, email: `first${i}@example.com`, password: PASSWORD } }),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('makes nobody once there is an owner', async () => {
    const code = await link();
    await fresh.person();
    const error = await refusal(
      fresh.visitor.acceptInvitation({ body: { code, email: 'late@example.com', password: PASSWORD } }),
    );
    expect([error.status, error.code]).toEqual([409, 'conflict']);
  });
});
