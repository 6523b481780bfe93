import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { findGroup, NOBODY } from '../../server/src/db/account-groups';
import { nextUserId } from '../../server/src/db/next-user-id';
import { Tenants, tenantsOf } from '../../server/src/db/tenants';
import { mailTenants } from '../../server/src/mail/mail-lines';
import { createUser } from '../../server/src/services/accounts';
import { ACCOUNTS_PER_DAY } from '../../server/src/services/sponsors';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { type Client, PASSWORD, useServer } from '../helpers/server';
import { codeOf } from '../helpers/site/people';

const server = useServer({
  variables: {
    SITES_PER_ACCOUNT: '3',
    ROLE: 'api',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'on',
  },
});

const db = (table: string) => server.service.context.db(table);
const shop = () => ({ body: { name: 'Shop', domain: `${randomUUID()}.example.com` } });

/** The code of a link by which an owner invites an address that nobody has. */
async function link(client: Client, token: string, role: 'owner' | 'viewer' = 'viewer'): Promise<string> {
  const body = { email: `${randomUUID()}@example.com`, role };
  const { invitation_url } = await client.addMember({ token, body });
  return invitation_url?.split('#')[1] as string;
}

/** A new account that an owner makes by inviting an address. */
async function mint(client: Client, token: string, role?: 'owner') {
  const code = await link(client, token, role);
  const session = await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  const own = createAvow({ baseUrl: server.url, token: session.token, fetch: checkedFetch, retries: 0 });
  return { client: own, userId: session.user.id };
}

const sponsorOf = async (id: number) => (await db('users').where({ id }).first('sponsor_id')).sponsor_id;

test('an account that an invitation makes belongs to the group of whoever invited, however far down', async () => {
  const owner = await server.site();
  const first = await mint(owner.client, owner.token, 'owner');
  const second = await mint(first.client, owner.token);
  expect(await sponsorOf(owner.userId)).toBeNull();
  expect([await sponsorOf(first.userId), await sponsorOf(second.userId)]).toEqual([
    owner.userId,
    owner.userId,
  ]);
});

test('an account that the operator made, and whose link has ended, is of the group whose invitation opens it', async () => {
  const owner = await server.site();
  const { db: knex } = server.service.context;
  const email = `${randomUUID()}@example.com`;
  const { id } = await createUser(knex, { email, name: email, passwordHash: null });
  const { invitation_url } = await owner.client.addMember({
    token: owner.token,
    body: { email, role: 'viewer' },
  });
  const code = invitation_url?.split('#')[1] as string;
  const { user } = await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  expect([user.id, await sponsorOf(id)]).toEqual([id, owner.userId]);
});

test('whom an account invites that is nobody’s yet is nobody’s, until somebody invites them who has a place', async () => {
  const { db: knex } = server.service.context;
  const [nobody, friend] = [await server.site(), await server.site()];
  await db('users').where({ id: nobody.userId }).update({ was_claimed: true });
  const invited = await mint(nobody.client, nobody.token);
  const rowOf = () => db('users').where({ id: invited.userId }).first('sponsor_id', 'was_claimed');
  expect(await rowOf()).toEqual({ sponsor_id: nobody.userId, was_claimed: true });
  expect([await findGroup(knex, nobody.userId), await findGroup(knex, invited.userId)]).toEqual([
    NOBODY,
    NOBODY,
  ]);
  const { email } = await invited.client.getMe();
  const join = async ({ client, token }: typeof friend) => {
    const { invitation_url } = await client.addMember({ token, body: { email, role: 'viewer' } });
    await invited.client.joinEnvironment({ body: { code: codeOf(invitation_url) } });
  };
  const other = await server.site();
  await db('users').where({ id: other.userId }).update({ was_claimed: true });
  await join(other);
  expect((await rowOf()).was_claimed).toBe(true);
  await join(friend);
  expect(await rowOf()).toEqual({ sponsor_id: friend.userId, was_claimed: false });
  expect(await findGroup(knex, invited.userId)).toBe(friend.userId);
});

test('an account that is there already stays what it is, whoever invites it', async () => {
  const owner = await server.site();
  const other = await server.person();
  const body = { email: other.email, role: 'owner' as const };
  const { invitation_url } = await owner.client.addMember({ token: owner.token, body });
  await other.client.joinEnvironment({ body: { code: invitation_url?.split('#')[1] as string } });
  expect(await sponsorOf(other.userId)).toBeNull();
  // The site that it owns counts for the other group.
  for (let n = 0; n < 3; n += 1) await other.client.createEnvironment(shop());
  await owner.client.createEnvironment(shop());
});

test('a group has as many sites as one account, whoever of it makes them', async () => {
  const owner = await server.site();
  const [first, second] = [await mint(owner.client, owner.token), await mint(owner.client, owner.token)];
  await first.client.createEnvironment(shop());
  await second.client.createEnvironment(shop());
  for (const { client } of [owner, first, second]) {
    const error = await refusal(client.createEnvironment(shop()));
    expect([error.status, error.code]).toEqual([409, 'conflict']);
    expect(error.message).toMatch(/at most 3 sites .* invitations made.* raise SITES_PER_ACCOUNT\./);
  }
  // As `npm run owner -- add` does.
  await db('users').where({ id: first.userId }).update({ sponsor_id: null });
  await first.client.createEnvironment(shop());
  await owner.client.createEnvironment(shop());
});

test('half of the sites of a group are kept for the account that began it', async () => {
  const owner = await server.person();
  const invited = [await server.person(), await server.person()] as const;
  for (const { userId } of invited)
    await db('users').where({ id: userId }).update({ sponsor_id: owner.userId });
  for (const { client } of invited) await client.createEnvironment(shop());
  const error = await refusal(invited[0].client.createEnvironment(shop()));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect(error.message).toMatch(/at most 2 of the 3 sites .* make your account independent\.$/);
  await owner.client.createEnvironment(shop());
});

test('a site that the account which began the group made is none of the half of the others', async () => {
  const owner = await server.site();
  const first = await mint(owner.client, owner.token, 'owner');
  const { token } = await owner.client.createEnvironment(shop());
  const { id } = await db('environments').where({ token }).first('id');
  await db('members').insert({
    environment_id: id,
    user_id: first.userId,
    role: 'owner',
    added_at: new Date(),
  });
  await first.client.createEnvironment(shop());
});

test('sites of strangers whose owners accounts become take no place of theirs, nor of their group', async () => {
  const owner = await server.person();
  const invited = await server.person();
  await db('users').where({ id: invited.userId }).update({ sponsor_id: owner.userId });
  for (let n = 0; n < 4; n += 1) {
    const stranger = await server.site();
    const body = { email: invited.email, role: 'viewer' as const };
    const { invitation_url } = await stranger.client.addMember({ token: stranger.token, body });
    await invited.client.joinEnvironment({ body: { code: invitation_url?.split('#')[1] as string } });
    // Without asking them.
    const role = { token: stranger.token, user_id: invited.userId, body: { role: 'owner' as const } };
    await stranger.client.updateMember(role);
  }
  for (let n = 0; n < 2; n += 1) await invited.client.createEnvironment(shop());
  await owner.client.createEnvironment(shop());
  expect((await refusal(owner.client.createEnvironment(shop()))).status).toBe(409);
});

test('of many requests of a group at once no more succeed than there is room for', async () => {
  const owner = await server.site();
  const first = await mint(owner.client, owner.token);
  const made = await Promise.allSettled(
    [owner, first, owner, first, owner, first].map(({ client }) => client.createEnvironment(shop())),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
});

test('webhooks of all sites of a group share as those of one account', async () => {
  const owner = await server.site();
  const first = await mint(owner.client, owner.token);
  const other = await server.site();
  const { token } = await first.client.createEnvironment(shop());
  const sites = [
    [owner.client, owner.token],
    [first.client, token],
    [other.client, other.token],
  ] as const;
  const { db } = server.service.context;
  const ids: string[] = [];
  for (const [, site] of sites) ids.push((await db('environments').where({ token: site }).first('id')).id);
  const tenants = new Tenants(db);
  await tenants.learn(ids);
  expect(ids.map((id) => tenants.of(id)?.account)).toEqual(
    [owner.userId, owner.userId, other.userId].map(String),
  );
});

test('a site counts for who made it, whoever was made its owner and whoever stopped to be one', async () => {
  const [site, other] = [await server.site(), await server.site()];
  const { db: knex } = server.service.context;
  const code = codeOf(
    (await site.client.addMember({ token: site.token, body: { email: other.email, role: 'viewer' } }))
      .invitation_url,
  );
  await other.client.joinEnvironment({ body: { code } });
  const change = (user_id: number, role: 'owner' | 'operator') =>
    site.client.updateMember({ token: site.token, user_id, body: { role } });
  await change(other.userId, 'owner');
  await change(site.userId, 'operator');
  const { id } = await knex('environments').where({ token: site.token }).first('id');
  const accounts = async () => (await tenantsOf(knex, [id])).map(({ account }) => account);
  expect(await accounts()).toEqual([String(site.userId)]);
  expect((await mailTenants(knex, [id])).map(({ account }) => account)).toEqual([String(site.userId)]);
  // What nobody is known to have made stands for itself.
  await knex('environments').where({ id }).update({ made_by: null });
  expect(await accounts()).toEqual([id]);
  await knex('environments').where({ id }).update({ made_by: 2_000_000_000 });
  expect(await accounts()).toEqual([id]);
});

test('a site tells which part of a group made it: whoever began it, whom they invited, or whom these invited', async () => {
  const owner = await server.site();
  const first = await mint(owner.client, owner.token, 'owner');
  const second = await mint(first.client, owner.token);
  const tokens = [owner.token];
  for (const { client } of [first, second]) tokens.push((await client.createEnvironment(shop())).token);
  const idOf = async (token: string): Promise<string> =>
    (await db('environments').where({ token }).first('id')).id;
  const ids = await Promise.all(tokens.map(idOf));
  const makers = async () => {
    const tenants = await tenantsOf(server.service.context.db, ids);
    return ids.map((id) => tenants.find(({ site }) => site === id)?.maker);
  };
  const named = [`account ${first.userId}`, `by invited ${second.userId}`];
  expect(await makers()).toEqual(['founder', ...named]);
  await db('environments').where({ id: ids[0] }).update({ made_by: null });
  expect(await makers()).toEqual(['founder', ...named]);
});

describe('of accounts that a group makes by invitations', () => {
  /** As if the group had made so many. */
  const made = async (group: number, count: number, at = new Date(), by_invited = false) => {
    const dates = { tokens_valid_from: at, created_at: at };
    for (let n = 0; n < count; n += 1) {
      const email = `${randomUUID()}@example.com`;
      const id = await nextUserId(server.service.context.db);
      await db('users').insert({
        id,
        email,
        email_key: email,
        name: 'Made',
        sponsor_id: group,
        by_invited,
        ...dates,
      });
    }
  };

  test('only so many are made in 24 hours; then the link waits, and says for how long', async () => {
    const owner = await server.site();
    const yesterday = new Date(Date.now() - 24 * 3_600_000 - 1000);
    await made(owner.userId, 10, yesterday);
    await made(owner.userId, ACCOUNTS_PER_DAY - 1, new Date(Date.now() - 1.5 * 3_600_000));
    const first = await mint(owner.client, owner.token, 'owner');
    const codes = [await link(owner.client, owner.token), await link(first.client, owner.token)];
    for (const code of codes) {
      const error = await refusal(server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }));
      expect([error.status, error.code]).toEqual([429, 'rate_limited']);
      expect(error.message).toMatch(/open the link again in 23 hours, or ask whoever runs the server/);
    }
    // Others make theirs.
    const other = await server.site();
    await mint(other.client, other.token);
    await db('users').where({ sponsor_id: owner.userId }).update({ created_at: yesterday });
    for (const code of codes) await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  });

  test('half is kept for the invitations of the account that began the group', async () => {
    const owner = await server.site();
    const first = await mint(owner.client, owner.token, 'owner');
    await made(owner.userId, ACCOUNTS_PER_DAY / 2 - 1, new Date(), true);
    const second = await mint(first.client, owner.token);
    expect(await sponsorOf(second.userId)).toBe(owner.userId);
    const code = await link(first.client, owner.token);
    const error = await refusal(server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }));
    expect([error.status, error.code]).toEqual([429, 'rate_limited']);
    expect(error.message).toMatch(/has made 25 accounts by invitations/);
    await mint(owner.client, owner.token);
  });

  test('links that are used at once make no more', async () => {
    const owner = await server.site();
    await made(owner.userId, ACCOUNTS_PER_DAY - 2);
    const codes = [];
    for (let n = 0; n < 4; n += 1) codes.push(await link(owner.client, owner.token));
    const answers = await Promise.allSettled(
      codes.map((code) => server.visitor.acceptInvitation({ body: { code, password: PASSWORD } })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('somebody who has an account accepts all the same', async () => {
    const owner = await server.site();
    await made(owner.userId, ACCOUNTS_PER_DAY);
    const other = await server.person();
    const body = { email: other.email, role: 'viewer' as const };
    const { invitation_url } = await owner.client.addMember({ token: owner.token, body });
    const code = invitation_url?.split('#')[1] as string;
    const taken = await refusal(server.visitor.acceptInvitation({ body: { code, password: PASSWORD } }));
    expect(taken.status).toBe(409);
    expect((await other.client.joinEnvironment({ body: { code } })).role).toBe('viewer');
  });
});
