import { randomUUID } from 'node:crypto';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, useServer } from '../helpers/server';
import { join } from '../helpers/site/people';

const server = useServer();

type Role = 'owner' | 'operator' | 'viewer';

/** A site and another person in it. */
async function shared(role: Role) {
  const one = await server.site();
  const two = await server.person('Dana Officer');
  await join(one, two, role);
  return { token: one.token, one, two };
}

const rolesIn = async (token: string): Promise<Record<number, Role>> => {
  const rows = await server.service.context
    .db('members')
    .join('environments', 'environments.id', 'members.environment_id')
    .where({ token })
    .select('user_id', 'role');
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
};

test('another role holds from the person’s next request on, in both directions', async () => {
  const { token, one, two } = await shared('viewer');
  const settings = { policy_version: '2' };
  const change = () => two.client.updateEnvironment({ token, body: { settings } });
  expect((await refusal(change())).status).toBe(403);
  const raised = await one.client.updateMember({ token, user_id: two.userId, body: { role: 'owner' } });
  expect(raised).toMatchObject({
    ...{ user_id: two.userId, email: two.email, name: 'Dana Officer', role: 'owner', status: 'active' },
  });
  expect((await change()).role).toBe('owner');
  await one.client.updateMember({ token, user_id: two.userId, body: { role: 'operator' } });
  expect((await refusal(change())).status).toBe(403);
  expect((await two.client.getEnvironment({ token })).role).toBe('operator');
});

test('the time of joining stays, and the same role again changes nothing', async () => {
  const { token, one, two } = await shared('viewer');
  const [before] = (await one.client.listMembers({ token })).items;
  const after = await one.client.updateMember({ token, user_id: two.userId, body: { role: 'viewer' } });
  expect(after).toEqual(before);
});

test('the last owner stays one, and may be given that role again', async () => {
  const { token, one } = await shared('operator');
  for (const role of ['operator', 'viewer'] as const) {
    const error = await refusal(one.client.updateMember({ token, user_id: one.userId, body: { role } }));
    expect([error.status, error.code]).toEqual([409, 'conflict']);
  }
  const body = { role: 'owner' as const };
  expect((await one.client.updateMember({ token, user_id: one.userId, body })).role).toBe('owner');
});

test('somebody who was invited and has not come does not count as the owner who stays', async () => {
  const { client, token, userId } = await server.site();
  const email = `${randomUUID()}@example.com`;
  const invited = await client.addMember({ token, body: { email, role: 'owner' } });
  const demote = () => client.updateMember({ token, user_id: userId, body: { role: 'viewer' } });
  expect((await refusal(demote())).status).toBe(409);
  expect((await refusal(client.removeMember({ token, user_id: userId }))).status).toBe(409);
  const code = invited.invitation_url?.split('#')[1] as string;
  await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
  expect((await demote()).role).toBe('viewer');
});

test('an owner may give up the role when another one stays', async () => {
  const { token, one, two } = await shared('owner');
  await one.client.updateMember({ token, user_id: one.userId, body: { role: 'viewer' } });
  const back = one.client.updateMember({ token, user_id: one.userId, body: { role: 'owner' } });
  expect((await refusal(back)).status).toBe(403);
  expect((await two.client.getEnvironment({ token })).role).toBe('owner');
});

test('two owners who demote each other, or themselves, at once leave one', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { token, one, two } = await shared('owner');
    const isCrossed = round % 2 === 0;
    const body = { role: 'viewer' as const };
    const outcomes = await Promise.allSettled([
      one.client.updateMember({ token, user_id: isCrossed ? two.userId : one.userId, body }),
      two.client.updateMember({ token, user_id: isCrossed ? one.userId : two.userId, body }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(Object.values(await rolesIn(token)).sort()).toEqual(['owner', 'viewer']);
  }
});

test('demoting one owner while the other leaves does not leave none', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { token, one, two } = await shared('owner');
    await Promise.allSettled([
      one.client.removeMember({ token, user_id: one.userId }),
      two.client.updateMember({ token, user_id: two.userId, body: { role: 'operator' } }),
    ]);
    expect(Object.values(await rolesIn(token)).filter((role) => role === 'owner')).toHaveLength(1);
  }
});

test('who is no member has no role to change', async () => {
  const { client, token } = await server.site();
  const stranger = await server.person();
  for (const user_id of [stranger.userId, 2_147_483_647]) {
    const error = await refusal(client.updateMember({ token, user_id, body: { role: 'owner' } }));
    expect([error.status, error.code]).toEqual([404, 'not_found']);
  }
  expect((await refusal(stranger.client.getEnvironment({ token }))).status).toBe(404);
});

test('only owners are told when, and by which provider, somebody logged in last', async () => {
  const { token, one, two } = await shared('viewer');
  await server.service.context.db('identities').insert({
    ...{ identity_id: randomUUID(), user_id: two.userId, provider: 'acme' },
    ...{ issuer: 'https://acme.example', subject: randomUUID(), email: two.email },
    ...{ made_by: 'login', linked_at: new Date(0), last_used_at: new Date('2026-11-20T09:00:00.000Z') },
  });
  const seenBy = async ({ client }: Awaited<ReturnType<typeof shared>>['one' | 'two']) => {
    const { items } = await client.listMembers({ token });
    return items.find(({ user_id }) => user_id === two.userId)?.signed_on;
  };
  const last = { provider: 'acme', at: '2026-11-20T09:00:00.000Z' };
  expect(await seenBy(one)).toEqual(last);
  expect(await seenBy(two)).toBeNull();
  for (const [role, seen] of [['operator', null] as const, ['owner', last] as const]) {
    const given = await one.client.updateMember({ token, user_id: two.userId, body: { role } });
    expect(given.signed_on).toEqual(last);
    expect(await seenBy(two)).toEqual(seen);
  }
});
