import { randomUUID } from 'node:crypto';
import { refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { join } from '../helpers/site/people';

const server = useServer();

const newEmail = () => `${randomUUID()}@example.com`;

test('a person with an account who accepts becomes a member and sees the environment in that role', async () => {
  const { client, token, userId } = await server.site();
  const other = await server.person('Dana Officer');
  await join({ client, token }, other, 'operator');
  const [member] = (await client.listMembers({ token })).items;
  expect(member).toEqual({
    ...{
      user_id: other.userId,
      email: other.email,
      name: 'Dana Officer',
      role: 'operator',
      status: 'active',
      last_owner: false,
      webhooks: 0,
    },
    ...{ given_by: null, signed_on: null },
    added_at: member?.added_at,
  });
  expect((await other.client.getEnvironment({ token })).role).toBe('operator');
  const { items } = await other.client.listMembers({ token });
  expect(items.map(({ user_id, role }) => [user_id, role])).toEqual([
    [other.userId, 'operator'],
    [userId, 'owner'],
  ]);
});

test('nobody sets a password for somebody else', async () => {
  const { client, token } = await server.site();
  const email = newEmail();
  const body = { email, role: 'viewer' as const, password: 'chosen by somebody else' };
  const error = await refusal(client.addMember({ token, body }));
  expect([error.status, error.errors[0]?.path]).toEqual([400, 'body.password']);
  const login = { email, password: body.password };
  expect((await refusal(server.visitor.login({ body: login }))).status).toBe(401);
});

test('who is a member already is not added again, in another role neither', async () => {
  const { client, token, email } = await server.site();
  const error = await refusal(
    client.addMember({ token, body: { email: email.toUpperCase(), role: 'viewer' } }),
  );
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect((await client.listMembers({ token })).items).toMatchObject([{ role: 'owner' }]);
});

test('a removed member sees nothing any more', async () => {
  const { client, token } = await server.site();
  const other = await server.person();
  await join({ client, token }, other, 'operator');
  expect(await client.removeMember({ token, user_id: other.userId })).toEqual({ user_id: other.userId });
  expect((await refusal(other.client.getEnvironment({ token }))).status).toBe(404);
  expect((await other.client.listEnvironments()).items).toEqual([]);
  expect((await refusal(client.removeMember({ token, user_id: other.userId }))).status).toBe(404);
});

test('the last owner stays, however many others there are', async () => {
  const { client, token, userId } = await server.site();
  await join({ client, token }, await server.person(), 'operator');
  const error = await refusal(client.removeMember({ token, user_id: userId }));
  expect([error.status, error.code]).toEqual([409, 'conflict']);
  expect(error.message).toContain('last owner');
  expect((await client.getEnvironment({ token })).role).toBe('owner');
  const lastOf = async () =>
    (await client.listMembers({ token })).items.flatMap(({ last_owner, user_id }) =>
      last_owner ? [user_id] : [],
    );
  expect(await lastOf()).toEqual([userId]);
  await join({ client, token }, await server.person(), 'owner');
  expect(await lastOf()).toEqual([]);
});

test('an owner may leave when another one stays', async () => {
  const { client, token, userId } = await server.site();
  const other = await server.person();
  await join({ client, token }, other, 'owner');
  await client.removeMember({ token, user_id: userId });
  expect((await refusal(client.getEnvironment({ token }))).status).toBe(404);
  expect((await other.client.getEnvironment({ token })).role).toBe('owner');
});

test('two owners who remove each other at once leave one', async () => {
  for (let round = 0; round < 10; round += 1) {
    const one = await server.site();
    const two = await server.person();
    await join(one, two, 'owner');
    const outcomes = await Promise.allSettled([
      one.client.removeMember({ token: one.token, user_id: two.userId }),
      two.client.removeMember({ token: one.token, user_id: one.userId }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rest = await server.service.context
      .db('members')
      .join('environments', 'environments.id', 'members.environment_id')
      .where({ token: one.token, role: 'owner' });
    expect(rest).toHaveLength(1);
  }
});

test('two owners who leave at once do not both go', async () => {
  for (let round = 0; round < 10; round += 1) {
    const one = await server.site();
    const two = await server.person();
    await join(one, two, 'owner');
    const outcomes = await Promise.allSettled([
      one.client.removeMember({ token: one.token, user_id: one.userId }),
      two.client.removeMember({ token: one.token, user_id: two.userId }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  }
});

test('members and invitations are paged together, newest first', async () => {
  const { client, token, userId } = await server.site();
  const ids = [userId];
  for (let i = 0; i < 5; i += 1) {
    const person = await server.person();
    if (i % 2 === 0) {
      await join({ client, token }, person, 'viewer');
      ids.unshift(person.userId);
    } else {
      const body = { email: person.email, role: 'viewer' as const };
      ids.unshift((await client.addMember({ token, body })).user_id);
    }
  }
  const seen: number[] = [];
  for await (const { user_id } of client.listMembers.each({ token, limit: 2 })) seen.push(user_id);
  expect(seen).toEqual(ids);
});

test('a repeated addMember with the same key answers the same link and adds once', async () => {
  const { client, token } = await server.site();
  const body = { email: newEmail(), role: 'viewer' as const };
  const idempotencyKey = randomUUID();
  const first = await client.addMember({ token, body }, { idempotencyKey });
  expect(await client.addMember({ token, body }, { idempotencyKey })).toEqual(first);
  const stored = await server.service.context.db('idempotency_keys').where({ key: idempotencyKey }).first();
  expect(stored.answer.toString('latin1')).not.toContain('setup#');
  const other = await refusal(
    client.addMember({ token, body: { ...body, role: 'owner' } }, { idempotencyKey }),
  );
  expect([other.status, other.code]).toEqual([409, 'conflict']);
});

test('two owners of a site who invite the same person at once: one gets a link, the other is told why not', async () => {
  const one = await server.site();
  const two = await server.person();
  await join(one, two, 'owner');
  const { token } = one;
  const body = { email: newEmail(), role: 'viewer' as const };
  const outcomes = await Promise.allSettled(
    [one, two].map(({ client }) => client.addMember({ token, body })),
  );
  const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect([refused?.reason.status, refused?.reason.code]).toEqual([409, 'conflict']);
  const again = await refusal(
    one.client.addMember({ token, body: { ...body, email: body.email.toUpperCase() } }),
  );
  expect(again.message).toContain('invited already');
});
