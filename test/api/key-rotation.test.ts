import { randomBytes } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { Tokens } from '../../server/src/security/tokens';
import { Vault } from '../../server/src/security/vault';
import { checkedFetch } from '../helpers/contract';
import { cloneDatabase } from '../helpers/database';
import { refusal } from '../helpers/http/refusal';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { PASSWORD, startServer, type TestServer } from '../helpers/server';
import { INWARD } from '../helpers/webhooks/receiver';

jest.setTimeout(60_000);

const key = () => randomBytes(32).toString('base64');
const [oldSecret, newSecret] = [key(), key()];
const [oldKey, newKey] = [key(), key()];
let database: Awaited<ReturnType<typeof cloneDatabase>>;
const servers: TestServer[] = [];

beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await endChildren();
  await database.drop();
});

async function start(variables: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ databaseUrl: database.url, variables: { ...INWARD, ...variables } });
  servers.push(server);
  return server;
}
const clientOf = (server: TestServer, token: string) =>
  createAvow({ baseUrl: server.url, token, fetch: checkedFetch, retries: 0 });
const kidOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid;

test('JWT_SECRET is changed in steps that log nobody out, and a secret that was taken away ends its tokens', async () => {
  const before = await start({ JWT_SECRET: oldSecret });
  const { email, userId } = await before.person();
  const log = (server: TestServer) => server.visitor.login({ body: { email, password: PASSWORD } });
  const { token: older } = await log(before);
  // First every process learns the new secret, then it signs, then the old one goes.
  const learning = await start({ JWT_SECRET: oldSecret, JWT_SECRET_OTHERS: newSecret });
  const signing = await start({ JWT_SECRET: newSecret, JWT_SECRET_OTHERS: oldSecret });
  const { token: newer } = await log(signing);
  expect(kidOf(newer)).not.toBe(kidOf(older));
  for (const server of [learning, signing])
    for (const token of [older, newer]) expect((await clientOf(server, token).getMe()).id).toBe(userId);
  const after = await start({ JWT_SECRET: newSecret });
  expect((await clientOf(after, newer).getMe()).id).toBe(userId);
  expect((await refusal(clientOf(after, older).getMe())).status).toBe(401);
});

test('a token names its secret, and one that names another or none is judged by what signed it', async () => {
  const tokens = new Tokens(newSecret, [oldSecret]);
  const { token } = await new Tokens(oldSecret).issue(7);
  expect((await tokens.check(token)).userId).toBe(7);
  const [, payload, signature] = token.split('.');
  const forged = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: 'unknown' })).toString(
    'base64url',
  );
  await expect(tokens.check(`${forged}.${payload}.${signature}`)).rejects.toMatchObject({ status: 401 });
  expect(token).not.toContain(oldSecret);
});

test('SECRETS_KEY is changed: both keys open, reseal seals everything with the new one, the old one is needed no more', async () => {
  const before = await start({ SECRETS_KEY: oldKey });
  const { client, token, userId } = await before.site();
  const headers = { 'x-api-key': 'key-of-the-receiver' };
  const sealedHeaders = JSON.stringify(Object.entries(headers));
  const body = { url: 'http://127.0.0.1:9/hook', events: '*' as const, headers };
  const idempotencyKey = 'before-the-change';
  const made = await client.createWebhook({ token, body }, { idempotencyKey });
  const changing = { SECRETS_KEY: newKey, SECRETS_KEY_OTHERS: oldKey, JWT_SECRET: oldSecret };
  const during = await start(changing);
  const { token: bearer } = await during.service.context.tokens.issue(userId);
  const later = await clientOf(during, bearer).createWebhook({
    token,
    body: { ...body, url: `${body.url}2` },
  });
  expect(await clientOf(during, bearer).createWebhook({ token, body }, { idempotencyKey })).toEqual(made);
  const secretsBy = async (vault: Vault) => {
    const rows = await during.service.context.db('webhooks').orderBy('created_at');
    return rows.map(({ secret, headers: sealed }) => [vault.open(secret), vault.open(sealed)]);
  };
  expect(() => new Vault(oldKey).open(new Vault(newKey, [oldKey]).seal('x'))).toThrow();
  const run = (variables: Record<string, string>) =>
    runToEnd('server/cli/main.js', ['reseal'], { DATABASE_URL: database.url, ...variables });
  const lost = await run({ SECRETS_KEY: newKey });
  expect([lost.code, lost.errors]).toEqual([1, expect.stringContaining('add the key that sealed them')]);
  const done = await run({ SECRETS_KEY: newKey, SECRETS_KEY_OTHERS: oldKey });
  expect(done).toMatchObject({ code: 0, errors: '' });
  expect(done.output).toContain("webhooks' secrets and headers: 2 sealed anew");
  // Those of the site and of the first webhook.
  expect(done.output).toContain('kept answers of idempotency keys: 2 sealed anew');
  expect(await secretsBy(new Vault(newKey))).toEqual([
    [made.secret, sealedHeaders],
    [later.secret, sealedHeaders],
  ]);
  expect((await run({ SECRETS_KEY: newKey, SECRETS_KEY_OTHERS: oldKey })).output).toContain(
    'headers: 0 sealed',
  );
  const after = await start({ SECRETS_KEY: newKey, JWT_SECRET: oldSecret });
  const { token: last } = await after.service.context.tokens.issue(userId);
  expect(await clientOf(after, last).createWebhook({ token, body }, { idempotencyKey })).toEqual(made);
});

test('a lost SECRETS_KEY ends API keys, and reseal says so', async () => {
  const before = await start({ SECRETS_KEY: oldKey });
  const { client } = await before.site();
  await client.createKey({ body: { name: 'nightly', set: 'export' } });
  const reseal = (variables: Record<string, string>, ...args: string[]) =>
    runToEnd('server/cli/main.js', ['reseal', ...args], { DATABASE_URL: database.url, ...variables });
  const kept = await reseal({ SECRETS_KEY: newKey, SECRETS_KEY_OTHERS: oldKey });
  expect(kept.output).toContain(
    'of the fingerprints of sessions, and of what waits to be sealed: 2 sealed anew',
  );
  const lost = await reseal({ SECRETS_KEY: oldKey }, '--lost');
  expect(lost).toMatchObject({ code: 0, errors: '' });
  expect(lost.output).toContain('All API keys have ended');
  expect((await client.listKeys()).items).toMatchObject([{ status: 'revoked' }]);
  // What no longer is there cannot be lost again.
  expect((await reseal({ SECRETS_KEY: oldKey }, '--lost')).output).not.toContain('API keys have ended');
});

test('with several keys a secret names the one that sealed it, and shows nothing of it', () => {
  const [during, back] = [new Vault(newKey, [oldKey]), new Vault(oldKey, [newKey])];
  const named = (vault: Vault) =>
    vault
      .seal('whsec')
      .subarray(0, -(12 + 16 + 5))
      .toString('hex');
  expect(named(during)).not.toBe('');
  expect([named(during), named(back)]).toEqual([named(during), named(new Vault(oldKey, [key()]))]);
  expect(named(back)).not.toBe(named(during));
  expect(during.isCurrent(during.seal('whsec'))).toBe(true);
  expect(during.isCurrent(back.seal('whsec'))).toBe(false);
  expect(back.open(during.seal('whsec'))).toBe('whsec');
  for (const one of [oldKey, newKey])
    expect(Buffer.from(one, 'base64').toString('hex')).not.toContain(named(during).slice(8));
});

test('with one key a secret is sealed as the version before seals it', () => {
  const sealed = new Vault(oldKey).seal('whsec');
  expect(sealed).toHaveLength(12 + 16 + 5);
  expect(new Vault(newKey, [oldKey]).open(sealed)).toBe('whsec');
  expect(new Vault(newKey, [oldKey]).isCurrent(sealed)).toBe(false);
});
