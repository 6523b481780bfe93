import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { hold, waitingForLocks } from '../helpers/cluster/instruments';
import { notOnCluster } from '../helpers/cluster/skip';
import { checkedFetch } from '../helpers/contract';
import { refusal } from '../helpers/http/refusal';
import { type Client, useServer } from '../helpers/server';
import { member } from '../helpers/site/people';
import { until } from '../helpers/until';

const server = useServer();
const by = (apiKey: string): Client =>
  createAvow({ baseUrl: server.url, apiKey, fetch: checkedFetch, retries: 0 });

const testOfWaiting = notOnCluster('changes of copied tables, sites and accounts, wait for each other there');

type Call = (client: Client, token: string) => Promise<unknown>;

/** Begins a call that waits for a row, removes its sender meanwhile, and lets it go on. */
async function removedMeanwhile(
  call: Call,
  leave: (owner: Client, token: string, user_id: number) => Promise<unknown>,
  prepare?: Call,
) {
  const owner = await server.site();
  const { token } = owner;
  const other = await member(server, owner, 'owner');
  await prepare?.(owner.client, token);
  const held = `SELECT FROM environments WHERE token = '${token}' FOR UPDATE`;
  const release = await hold(server.databaseUrl, held);
  try {
    const refused = refusal(call(other.client, token));
    await until('the call waits', async () => (await waitingForLocks(server.databaseUrl)) > 0);
    await leave(owner.client, token, other.userId);
    await release();
    return { owner, error: await refused };
  } finally {
    await release();
  }
}

const remove = (owner: Client, token: string, user_id: number) => owner.removeMember({ token, user_id });
const demote = (owner: Client, token: string, user_id: number) =>
  owner.updateMember({ token, user_id, body: { role: 'viewer' } });

testOfWaiting.each([
  ['removed', remove, 404],
  ['no owner any more', demote, 403],
] as const)('a change that waits while its sender is %s stores nothing', async (_, leave, status) => {
  const { owner, error } = await removedMeanwhile(
    (client, token) => client.updateEnvironment({ token, body: { name: 'Taken over' } }),
    leave,
  );
  expect(error.status).toBe(status);
  expect((await owner.client.getEnvironment({ token: owner.token })).name).toBe('Example shop');
});

testOfWaiting('an API key writes nothing once its maker was removed', async () => {
  const { owner, error } = await removedMeanwhile(async (client, token) => {
    const body = { name: 'program', scopes: ['banner:write' as const] };
    const { key } = await client.createKey({ body });
    return by(key).generateBundle({ token, body: {} });
  }, remove);
  expect([403, 404]).toContain(error.status);
  expect((await owner.client.listBundles({ token: owner.token })).items).toEqual([]);
});

testOfWaiting('an owner who was removed meanwhile does not delete the site', async () => {
  const { owner, error } = await removedMeanwhile(
    (client, token) => client.deleteEnvironment({ token, name: 'Example shop' }),
    remove,
    (client, token) => client.updateEnvironment({ token, body: { status: 'archived' } }),
  );
  expect(error.status).toBe(403);
  expect((await owner.client.getEnvironment({ token: owner.token })).token).toBe(owner.token);
});

test('a decision that a member records is stored before their removal is answered, or not at all', async () => {
  const owner = await server.site();
  const { client, token } = owner;
  const other = await member(server, owner, 'operator');
  const release = await hold(server.databaseUrl, 'LOCK TABLE session_choices IN EXCLUSIVE MODE');
  try {
    const visitor = { address: '203.0.113.7' };
    const body = { session_id: randomUUID(), decision: 'accept_all' as const, visitor };
    const order: string[] = [];
    const written = other.client
      .logConsentForVisitor({ token, body }, { retries: 0 })
      .then(() => void order.push('written'));
    await until('the record waits', async () => (await waitingForLocks(server.databaseUrl)) > 0);
    const removed = client
      .removeMember({ token, user_id: other.userId })
      .then(() => void order.push('removed'));
    await until('the removal waits', async () => (await waitingForLocks(server.databaseUrl)) > 1);
    await release();
    await Promise.all([written, removed]);
    expect(order).toEqual(['written', 'removed']);
  } finally {
    await release();
  }
});

test('an owner may still leave, lower their own role and delete their site', async () => {
  const owner = await server.site();
  const other = await member(server, owner, 'owner');
  expect((await demote(other.client, owner.token, other.userId)) as object).toMatchObject({ role: 'viewer' });
  await demote(owner.client, owner.token, other.userId);
  await owner.client.updateMember({ token: owner.token, user_id: other.userId, body: { role: 'owner' } });
  await remove(other.client, owner.token, other.userId);
  expect((await refusal(other.client.getEnvironment({ token: owner.token }))).status).toBe(404);
});
