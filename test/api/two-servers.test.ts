import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { checkedFetch } from '../helpers/contract';
import { startServer, type TestServer } from '../helpers/server';
import { countsOf } from '../helpers/site/counts';
import { eventually } from '../helpers/until';

let one: TestServer;
let two: TestServer;
beforeAll(async () => {
  // The same keys, as processes of one installation have them.
  const variables = {
    JWT_SECRET: 'a secret of at least 32 characters!',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  one = await startServer({ variables });
  two = await startServer({ variables, databaseUrl: one.databaseUrl });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const at = (server: TestServer, token: string) =>
  createAvow({ baseUrl: server.url, token, fetch: checkedFetch, retries: 0 });

test('a change of settings on one process reaches visitors of the other', async () => {
  const { client, token } = await one.site();
  const session_id = randomUUID();
  const ask = () => two.visitor.getPreferences({ token, session_id });
  expect((await ask()).environment.policy_version).toBe('1');
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  await eventually(ask, ({ environment }) => environment.policy_version === '2');
  const record = await two.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  expect(record).toMatchObject({ policy_version: '2', banner_version: 2 });
  await client.updateEnvironment({ token, body: { status: 'paused' } });
  await eventually(
    () => ask().catch((error) => error),
    (answer) => answer.status === 403,
  );
});

test('a decision on one process is read on the other at once', async () => {
  const { token } = await one.site();
  const session_id = randomUUID();
  for (const decision of ['accept_all', 'reject_all', 'accept_all'] as const) {
    await one.visitor.logConsent({ token, body: { session_id, decision } });
    expect((await two.visitor.getPreferences({ token, session_id })).decision).toBe(decision);
  }
});

test('counts of both processes add up', async () => {
  const { token } = await one.site();
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => (i % 2 ? one : two).visitor.recordImpression({ token, body: {} })),
  );
  expect(await countsOf(one, token)).toEqual({ 'impression en unknown': 100 });
});

test('a token of one is good on the other, and ends on both', async () => {
  const { userId } = await one.person();
  const { token } = await one.service.context.tokens.issue(userId);
  expect((await at(two, token).getMe()).id).toBe(userId);
  await at(two, token).revokeTokens();
  for (const server of [one, two])
    await expect(at(server, token).getMe()).rejects.toMatchObject({ status: 401 });
});

test('a key that was used on one is known on the other', async () => {
  const { userId } = await one.person();
  const { token } = await one.service.context.tokens.issue(userId);
  const body = { name: 'Shop', domain: 'shop.example.com' };
  const options = { idempotencyKey: randomUUID() };
  const first = await at(one, token).createEnvironment({ body }, options);
  expect(await at(two, token).createEnvironment({ body }, options)).toEqual(first);
});
