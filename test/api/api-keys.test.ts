import { randomBytes } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { UserRow } from '../../server/src/db/models';
import type { Scope, Settings } from '../../server/src/domain/types';
import { applyRetention } from '../../server/src/jobs/retention';
import { checksumOf, newKey } from '../../server/src/security/api-key';
import { ServerSecrets } from '../../server/src/security/server-secrets';
import { Vault } from '../../server/src/security/vault';
import { createLink } from '../../server/src/services/accounts';
import { storeKey } from '../../server/src/services/api-keys';
import { disableAccount } from '../../server/src/services/disable-account';
import { resealSecret } from '../../server/src/services/reseal-secrets';
import { itIs } from '../helpers/at-time';
import { checkedFetch } from '../helpers/contract';
import { contract, exampleRequest, idsOf, makeId } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { refusal } from '../helpers/http/refusal';
import { type Client, startServer, type TestServer, useServer } from '../helpers/server';
import { codeOf, join } from '../helpers/site/people';
import { INWARD } from '../helpers/webhooks/receiver';

const variables = {
  ...INWARD,
  ROLE: 'api',
  JWT_SECRET: 'a secret of at least 32 characters!',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const server = useServer({ variables });

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const SCOPES: readonly Scope[] = contract.document.components.schemas.Scope.enum;
const DAY = 86_400_000;

const by = (apiKey: string, { url }: { url: string } = server): Client =>
  createAvow({ baseUrl: url, apiKey, fetch: checkedFetch, retries: 0 });
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();

describe('every operation with every scope', () => {
  const taking = contract.operations.filter(({ bearer, optionalLogin }) => bearer || optionalLogin);

  test('the contract says of each operation which scope a key needs, and names each scope', () => {
    for (const { id, scope, declared } of taking) {
      const named = declared.security.flatMap((one: Record<string, string[]>) => one.ApiKey ?? []);
      expect([id, named]).toEqual([id, scope === undefined ? [] : [scope]]);
    }
    const used = new Set(taking.map(({ scope }) => scope));
    expect(SCOPES.filter((scope) => !used.has(scope))).toEqual([]);
    expect(taking.filter(({ scope }) => scope !== undefined).length).toBeGreaterThan(50);
  });

  test.each(taking.map((operation) => ({ id: operation.id, operation })))('$id', async ({ operation }) => {
    const { client, token, userId } = await server.site();
    const site = { token, bearer: (await server.service.context.tokens.issue(userId)).token };
    const path: Record<string, string> = { token };
    for (const name of idsOf(operation))
      path[name] = (await makeId(server, site, name)) ?? '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
    const ask = async (scopes: Scope[]) => {
      const { key } = await client.createKey({ body: { name: 'test', scopes } });
      return raw(server.url, exampleRequest(operation, path, key));
    };
    const others = SCOPES.filter(
      (scope) =>
        scope !== operation.scope &&
        // Who reads all consents also reads the log of them.
        !(operation.scope === 'log:read' && scope === 'consents:read'),
    );
    const { status, json } = await ask(others);
    expect([status, json.data.code]).toEqual([403, 'forbidden']);
    if (operation.scope === undefined) {
      expect(json.message).toMatch('API keys cannot');
      return;
    }
    expect(json.message).toMatch(`lacks the scope ${operation.scope}:`);
    for (const scope of others.slice(0, 3)) expect((await ask([scope])).status).toBe(403);
    // The record's state may not allow it, but the scope does.
    expect([operation.status, 400, 404, 409]).toContain((await ask([operation.scope])).status);
  });
});

test('a key is shown once, and neither lists nor the database hold it', async () => {
  const { client, token } = await server.site();
  const made = await client.createKey({
    body: { name: 'nightly', set: 'export', scopes: ['dsar:write'], site: token, networks: ['127.0.0.0/8'] },
  });
  const { key, ...shown } = made;
  expect(key).toMatch(/^avow_[0-9A-Za-z]{50}$/);
  expect(key.slice(5, 17)).toBe(made.key_id);
  expect(made.scopes).toEqual(expect.arrayContaining(['consents:read', 'dsar:write']));
  expect(made.scopes).not.toContain('consents:write');
  expect(made).toMatchObject({ site: { token }, status: 'active', expires_at: null, last_used: null });
  expect((await client.listKeys()).items).toEqual([shown]);
  const [row] = await server.service.context.db('api_keys').where({ key_id: made.key_id });
  expect(JSON.stringify(row)).not.toContain(key.slice(17));
  expect(Buffer.from(row.hash).includes(Buffer.from(key.slice(17, 33)))).toBe(false);
});

test('a key reads what its owner reads, and says when it was last used', async () => {
  const { client, token } = await server.site();
  const { key } = await client.createKey({ body: { name: 'reader', scopes: ['consents:read'] } });
  expect(await by(key).listConsents({ token })).toEqual(await client.listConsents({ token }));
  const [listed] = (await client.listKeys()).items;
  expect(listed?.last_used).toEqual({
    day: new Date().toISOString().slice(0, 10),
    ip_masked: '127.0.***.***',
  });
});

test('a key for one site knows of no other, and makes none', async () => {
  const { client, token } = await server.site();
  const other = await client.createEnvironment({ body: { name: 'Other', domain: 'other.example.com' } });
  const scopes: Scope[] = ['environments:read', 'environments:write', 'consents:read'];
  const bound = by((await client.createKey({ body: { name: 'bound', scopes, site: token } })).key);
  const free = by((await client.createKey({ body: { name: 'free', scopes } })).key);
  const tokensOf = async (one: Client) => (await one.listEnvironments()).items.map((site) => site.token);
  expect(await tokensOf(bound)).toEqual([token]);
  expect((await tokensOf(free)).sort()).toEqual([token, other.token].sort());
  expect((await refusal(bound.listConsents({ token: other.token }))).status).toBe(404);
  expect((await free.listConsents({ token: other.token })).items).toEqual([]);
  const body = { name: 'Third', domain: 'third.example.com' };
  expect((await refusal(bound.createEnvironment({ body }))).status).toBe(403);
  expect(await free.createEnvironment({ body })).toMatchObject({ name: 'Third' });
});

test('a key that may not erase shortens no retention, in small steps neither', async () => {
  const { client, token } = await server.site();
  const keyWith = async (...scopes: Scope[]) =>
    by((await client.createKey({ body: { name: 'settings', scopes, site: token } })).key);
  const narrow = await keyWith('environments:write');
  const eraser = await keyWith('environments:write', 'erasures:write');
  const keep = (one: Client, retention_days: Settings['retention_days']) =>
    one.updateEnvironment({ token, body: { settings: { retention_days } } });
  const { retention_days: present } = (await client.getEnvironment({ token })).settings;
  for (const shorter of [
    { ...present, consents: present.consents - 1 },
    { ...present, events: 30 },
    // The default is longer.
    { ...present, requests: 30 },
    { ...present, erasures: 1094 },
  ]) {
    const error = await refusal(keep(narrow, shorter));
    expect([error.status, error.message]).toEqual([403, expect.stringContaining('erasures:write')]);
  }
  expect((await client.getEnvironment({ token })).settings.retention_days).toEqual(present);
  const longer = { consents: present.consents + 1, events: present.events, requests: 1095, erasures: 2000 };
  expect((await keep(narrow, longer)).settings.retention_days).toEqual(longer);
  expect((await refusal(keep(narrow, present))).status).toBe(403);
  expect((await keep(eraser, present)).settings.retention_days).toEqual(present);
  await keep(client, { ...present, events: 30 });
});

test('a scan with a key for another site is no evidence for this one', async () => {
  const { client, token } = await server.site();
  const other = await client.createEnvironment({ body: { name: 'Other', domain: 'other.example.com' } });
  const scopes: Scope[] = ['scans:write'];
  const start = async (site: string) => {
    const { key } = await client.createKey({ body: { name: 'scans', scopes, site } });
    const { scan_id } = await by(key).startCookieScan({
      body: { url: 'https://shop.example.com/', token },
    });
    const row = await server.service.context.db('cookie_scans').where({ scan_id }).first();
    return row.environment_id !== null;
  };
  expect([await start(other.token), await start(token)]).toEqual([false, true]);
});

test('only owners make keys, and a key works only where its maker is an owner', async () => {
  const owned = await server.site();
  const { client, token } = owned;
  const person = await server.person();
  await join(owned, person, 'operator');
  const body = { name: 'export', set: 'export' as const, site: token };
  expect((await refusal(person.client.createKey({ body }))).status).toBe(403);
  expect((await refusal(person.client.createKey({ body: { name: 'all', set: 'export' } }))).status).toBe(403);
  await client.updateMember({ token, user_id: person.userId, body: { role: 'owner' } });
  const one = by((await person.client.createKey({ body })).key);
  const all = by((await person.client.createKey({ body: { name: 'all', set: 'export' } })).key);
  for (const key of [one, all]) expect((await key.listConsents({ token })).items).toEqual([]);
  await client.updateMember({ token, user_id: person.userId, body: { role: 'operator' } });
  // What was bound to the site ends for good, the other key here only.
  expect((await refusal(one.listConsents({ token }))).status).toBe(401);
  expect((await refusal(all.listConsents({ token }))).status).toBe(403);
  expect((await all.listEnvironments()).items).toEqual([]);
  await client.updateMember({ token, user_id: person.userId, body: { role: 'owner' } });
  expect((await refusal(one.listConsents({ token }))).status).toBe(401);
  expect((await all.listConsents({ token })).items).toEqual([]);
  await client.removeMember({ token, user_id: person.userId });
  expect((await refusal(all.listConsents({ token }))).status).toBe(404);
  const users = server.service.context.db('users');
  await users.where({ id: person.userId }).update({ disabled_at: new Date() });
  expect((await refusal(all.listConsents({ token }))).status).toBe(401);
});

test('keys end with their account: disabled, or given to somebody by a new password', async () => {
  const { db } = server.service.context;
  const end = {
    disabled: (user: UserRow) => db.transaction((trx) => disableAccount(trx, user)),
    reset: async (user: UserRow) => {
      const code = codeOf(await createLink(server.service.context, db, user.id));
      await server.visitor.acceptInvitation({ body: { code, password: 'staple horse correct' } });
    },
  };
  for (const [how, ends] of Object.entries(end)) {
    const { client, token, userId } = await server.site();
    const { key, key_id } = await client.createKey({ body: { name: how, set: 'export' } });
    await ends(await UserRow.query(db).findById(userId).throwIfNotFound());
    expect([how, (await refusal(by(key).listConsents({ token }))).status]).toEqual([how, 401]);
    const [row] = await db('api_keys').where({ key_id });
    expect([how, row.revoked_at]).toEqual([how, expect.any(Date)]);
  }
});

test('a first key that is rolled back does not take the secret of the next ones with it', async () => {
  const own = await startServer({ variables });
  const { context } = own.service;
  const { client, token, userId: user_id } = await own.site();
  const row = { user_id, environment_id: null, name: 'lost', scopes: [], networks: [], expires_at: null };
  const trx = await context.db.transaction();
  await storeKey(context, trx, row);
  await trx.rollback();
  const { key } = await client.createKey({ body: { name: 'kept', set: 'export' } });
  const other = await startServer({ variables, databaseUrl: own.databaseUrl });
  expect((await by(key, other).listConsents({ token })).items).toEqual([]);
  await other.stop();
  await own.stop();
});

test('no key makes owners', async () => {
  const { client, token } = await server.site();
  const { key } = await client.createKey({ body: { name: 'members', scopes: ['members:write'] } });
  const body = { email: 'mallory@example.com', role: 'owner' as const };
  expect((await refusal(by(key).addMember({ token, body }))).status).toBe(403);
});

test('a repeated request with a key for one site does not get the answer for another', async () => {
  const { client, token } = await server.site();
  const scopes: Scope[] = ['environments:write'];
  const free = by((await client.createKey({ body: { name: 'free', scopes } })).key);
  const bound = by((await client.createKey({ body: { name: 'bound', scopes, site: token } })).key);
  const body = { name: 'Third', domain: 'third.example.com' };
  const options = { idempotencyKey: '2026-11-23' };
  const made = await free.createEnvironment({ body }, options);
  expect((await free.createEnvironment({ body }, options)).token).toBe(made.token);
  expect((await refusal(bound.createEnvironment({ body }, options))).status).toBe(403);
});

test('a request that is refused is no use of a key', async () => {
  const { client, token } = await server.site();
  const { key } = await client.createKey({ body: { name: 'unused', scopes: ['events:read'] } });
  expect((await refusal(by(key).listConsents({ token }))).status).toBe(403);
  expect((await client.listKeys()).items[0]?.last_used).toBeNull();
});

test('the owners of a site see all keys that reach it, and end those that are bound to it', async () => {
  const owned = await server.site();
  const { client, token } = owned;
  const other = await server.person();
  await join(owned, other, 'owner');
  const bound = await other.client.createKey({ body: { name: 'bound', set: 'webhooks', site: token } });
  const free = await other.client.createKey({ body: { name: 'free', set: 'webhooks' } });
  const stranger = await server.site();
  const foreign = await stranger.client.createKey({ body: { name: 'foreign', set: 'webhooks' } });
  await by(free.key).listWebhooks({ token });
  const { items } = await client.listSiteKeys({ token });
  // What another owner's key is for elsewhere is not this site's business.
  expect(items[0]).toMatchObject({ name: null, networks: [], last_used: null, site: null });
  expect((await other.client.listSiteKeys({ token })).items[0]).toMatchObject({ name: 'free' });
  expect(items.map(({ key_id, made_by }) => [key_id, made_by.email])).toEqual([
    [free.key_id, other.email],
    [bound.key_id, other.email],
  ]);
  const end = (key_id: string) => client.revokeSiteKey({ token, key_id });
  expect((await refusal(end(foreign.key_id))).status).toBe(404);
  expect((await refusal(end(free.key_id))).status).toBe(409);
  expect(await end(bound.key_id)).toMatchObject({ key_id: bound.key_id });
  expect((await refusal(by(bound.key).listWebhooks({ token }))).status).toBe(401);
  expect((await refusal(client.revokeKey({ key_id: free.key_id }))).status).toBe(404);
  expect((await by(free.key).listWebhooks({ token })).items).toEqual([]);
});

test('a revoked key ends on every process with its next request, and stays listed', async () => {
  const two = await startServer({ variables, databaseUrl: server.databaseUrl });
  const { client, token } = await server.site();
  const { key, key_id } = await client.createKey({ body: { name: 'short', set: 'export' } });
  for (const one of [server, two] as TestServer[])
    expect((await by(key, one).listConsents({ token })).items).toEqual([]);
  const first = await client.revokeKey({ key_id });
  const again = await client.revokeKey({ key_id });
  for (const one of [server, two] as TestServer[])
    expect((await refusal(by(key, one).listConsents({ token }))).status).toBe(401);
  await two.stop();
  expect(again).toEqual(first);
  expect((await client.listKeys()).items).toMatchObject([{ key_id, status: 'revoked' }]);
});

test('a key ends when it expires, and 90 days later nothing is left of it', async () => {
  const { client, token } = await server.site();
  const past = await refusal(
    client.createKey({ body: { name: 'past', set: 'export', expires_at: inDays(-1) } }),
  );
  expect([past.status, past.errors[0]?.path]).toEqual([400, 'body.expires_at']);
  const { key, key_id } = await client.createKey({
    body: { name: 'short', set: 'export', expires_at: inDays(0.2) },
  });
  expect((await by(key).listConsents({ token })).items).toEqual([]);
  itIs(Date.now() + 0.3 * DAY);
  const error = await refusal(by(key).listConsents({ token }));
  expect([error.status, error.message]).toEqual([401, expect.stringMatching('has expired: take a new one')]);
  expect((await client.listKeys()).items).toMatchObject([{ key_id, status: 'expired' }]);
  jest.useRealTimers();
  jest.restoreAllMocks();
  const { db, log } = server.service.context;
  const left = () => db('api_keys').where({ key_id }).pluck('key_id');
  await applyRetention(db, log, new Date(Date.now() + 89 * DAY));
  expect(await left()).toEqual([key_id]);
  await applyRetention(db, log, new Date(Date.now() + 91 * DAY));
  expect(await left()).toEqual([]);
});

test('a key is refused outside of its networks', async () => {
  const { client, token } = await server.site();
  const make = async (...networks: string[]) =>
    by((await client.createKey({ body: { name: 'office', set: 'export', networks } })).key);
  expect((await (await make('203.0.113.0/24', '127.0.0.1')).listConsents({ token })).items).toEqual([]);
  const error = await refusal((await make('203.0.113.0/24', '2001:db8::/32')).listConsents({ token }));
  expect([error.status, error.message]).toEqual([401, expect.stringMatching('other networks')]);
  for (const network of ['10.0.0.0/33', '999.1.1.1', '::ffff:0:0/96', '::1/129']) {
    const refused = await refusal(make(network));
    expect([network, refused.status, refused.errors[0]?.path]).toEqual([network, 400, 'body.networks[0]']);
  }
});

describe('a rotated key', () => {
  test('works beside the new one for as long as was said, and the new one lives as long', async () => {
    const { client, token } = await server.site();
    const old = await client.createKey({
      body: { name: 'job', scopes: ['consents:read'], networks: ['127.0.0.1'], expires_at: inDays(30) },
    });
    const next = await client.rotateKey({ key_id: old.key_id, body: { overlap_hours: 2 } });
    expect(next).toMatchObject({ name: 'job', scopes: ['consents:read'], networks: ['127.0.0.1'] });
    const days = (Date.parse(next.expires_at as string) - Date.now()) / DAY;
    expect(Math.abs(days - 30)).toBeLessThan(0.1);
    for (const { key } of [old, next]) expect((await by(key).listConsents({ token })).items).toEqual([]);
    expect((await client.listKeys()).items.find(({ key_id }) => key_id === old.key_id)).toMatchObject({
      replaced_by: next.key_id,
    });
    expect((await refusal(client.rotateKey({ key_id: old.key_id, body: {} }))).status).toBe(409);
    itIs(Date.now() + DAY / 8);
    expect((await refusal(by(old.key).listConsents({ token }))).status).toBe(401);
    expect((await by(next.key).listConsents({ token })).items).toEqual([]);
  });

  test('ends at once without an overlap, and nobody rotates what has ended or is another’s', async () => {
    const { client, token } = await server.site();
    const old = await client.createKey({ body: { name: 'leaked', set: 'export' } });
    const next = await client.rotateKey({ key_id: old.key_id, body: { overlap_hours: 0 } });
    expect((await refusal(by(old.key).listConsents({ token }))).status).toBe(401);
    await client.revokeKey({ key_id: next.key_id });
    expect((await refusal(client.rotateKey({ key_id: next.key_id, body: {} }))).status).toBe(409);
    const stranger = await server.site();
    const foreign = stranger.client.rotateKey({ key_id: next.key_id, body: {} });
    expect((await refusal(foreign)).status).toBe(404);
  });
});

test('what is no key is refused by its form, and another’s secret behind an id does not help', async () => {
  const { client, token } = await server.site();
  const [one, two] = [
    await client.createKey({ body: { name: 'one', set: 'export' } }),
    await client.createKey({ body: { name: 'two', set: 'export' } }),
  ];
  const ask = (bearer: string) =>
    raw(server.url, {
      path: `/api/cookies/${token}/consents`,
      headers: { Authorization: `Bearer ${bearer}` },
    });
  const last = one.key.endsWith('0') ? '1' : '0';
  for (const bearer of [
    ...['avow_', 'avow_x', `${one.key}0`, one.key.slice(0, -1) + last],
    `${one.key.slice(0, 17)}${two.key.slice(17)}`,
  ]) {
    const { status, json } = await ask(bearer);
    expect([status, json.data.code]).toEqual([401, 'unauthorized']);
    expect(JSON.stringify(json)).not.toContain(bearer.slice(20) || 'avow_');
  }
  expect((await ask(one.key)).status).toBe(200);
});

const ask = (bearer: string, token: string) =>
  raw(server.url, { path: `/api/cookies/${token}/consents`, headers: { Authorization: `Bearer ${bearer}` } });

test('a key that this server never made costs no look-up, though its checksum is right', async () => {
  const { client, token } = await server.site();
  const { key } = await client.createKey({ body: { name: 'real', set: 'export' } });
  expect((await ask(key, token)).status).toBe(200);
  const asked: string[] = [];
  const note = ({ sql }: { sql: string }) => asked.push(sql);
  const { db } = server.service.context;
  db.on('query', note);
  const foreign = randomBytes(32);
  for (let i = 0; i < 5; i += 1) expect((await ask(newKey(foreign).text, token)).status).toBe(401);
  // Another text behind the id of a key that works.
  const body = `${key.slice(0, 17)}${newKey(foreign).text.slice(17, 49)}`;
  expect((await ask(body + checksumOf(body), token)).status).toBe(401);
  expect(asked).toEqual([]);
  expect((await ask(key, token)).status).toBe(200);
  expect(asked.length).toBeGreaterThan(0);
  db.removeListener('query', note);
});

test('a key waits for its turn with strangers until it has worked, and again once it works no more', async () => {
  const { client, token } = await server.site();
  const { key, key_id } = await client.createKey({ body: { name: 'real', set: 'export' } });
  const turns = jest.spyOn(server.service.context.turns, 'take');
  const askCounted = async () => {
    turns.mockClear();
    return [(await ask(key, token)).status, turns.mock.calls.length];
  };
  expect(await askCounted()).toEqual([200, 1]);
  expect(await askCounted()).toEqual([200, 0]);
  await client.revokeKey({ key_id });
  expect(await askCounted()).toEqual([401, 0]);
  expect(await askCounted()).toEqual([401, 1]);
});

test('an account has at most 50 keys that work', async () => {
  const { client } = await server.site();
  const make = () => client.createKey({ body: { name: 'many', scopes: ['events:read'] } });
  const { key_id } = await make();
  for (let i = 1; i < 50; i += 1) await make();
  expect((await refusal(make())).status).toBe(409);
  const leaked = await client.rotateKey({ key_id, body: { overlap_hours: 0 } });
  await client.revokeKey({ key_id: leaked.key_id });
  expect(await make()).toMatchObject({ status: 'active' });
  expect((await client.listKeys({ limit: 20 })).next_cursor).not.toBeNull();
  let listed = 0;
  for await (const { scopes } of client.listKeys.each({ limit: 20 })) listed += scopes.length;
  expect(listed).toBe(52);
});

test('the history of a request names the account, and the key by which a program acted', async () => {
  const { client, token, email, userId } = await server.site();
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email: 'visitor@example.com' },
  });
  const { key, key_id } = await client.createKey({ body: { name: 'desk', set: 'dsar_desk' } });
  const { history } = await by(key).startDsar({ token, request_id });
  expect(history.at(-1)).toMatchObject({ actor: email, action: 'started', key_id, user_id: userId });
  expect(history[0]).not.toHaveProperty('key_id');
  expect(history[0]).not.toHaveProperty('user_id');
});

test('keys outlive a rotation of SECRETS_KEY, and end when it is lost', async () => {
  const own = await startServer({ variables });
  const { client, token } = await own.site();
  const { key } = await client.createKey({ body: { name: 'long', set: 'export' } });
  const next = Buffer.alloc(32, 9).toString('base64');
  const { db } = own.service.context;
  const old = variables.SECRETS_KEY;
  const changed = await resealSecret(db, new Vault(next, [old]), false);
  expect(changed).toEqual({ changed: 1, lost: 0 });
  const after = await startServer({
    variables: { ...variables, SECRETS_KEY: next, SECRETS_KEY_OTHERS: old },
    databaseUrl: own.databaseUrl,
  });
  expect((await by(key, after).listConsents({ token })).items).toEqual([]);
  await after.stop();
  const strange = new Vault(Buffer.alloc(32, 1).toString('base64'));
  expect(await resealSecret(db, strange, false)).toEqual({ changed: 0, lost: 1 });
  expect(await resealSecret(db, strange, true)).toEqual({ changed: 0, lost: 1 });
  expect((await new ServerSecrets(db, strange).read('api_keys')).length).toBe(32);
  expect((await refusal(by(key, own).listConsents({ token }))).status).toBe(401);
  expect((await client.listKeys()).items).toMatchObject([{ status: 'revoked' }]);
  await own.stop();
});

test('a key has a limit of its own, from however many addresses its requests come', async () => {
  const limits = { perAddress: 4, perSite: 1_000 };
  const own = await startServer({
    limits,
    variables: { ...variables, RATE_LIMIT: 'on', TRUST_PROXY: '1' },
  });
  const { userId, token } = await own.site();
  const { bearer } = { bearer: (await own.service.context.tokens.issue(userId)).token };
  const owner = createAvow({ baseUrl: own.url, token: bearer, retries: 0 });
  const { key } = await owner.createKey({ body: { name: 'busy', set: 'export' } });
  const ask = async (credential: string, i: number) =>
    (
      await raw(own.url, {
        path: `/api/cookies/${token}/events`,
        headers: { Authorization: `Bearer ${credential}`, 'X-Forwarded-For': `203.0.113.${i}` },
      })
    ).status;
  const statuses: number[] = [];
  for (let i = 1; i <= 21; i += 1) statuses.push(await ask(key, i));
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  expect(await ask(bearer, 30)).toBe(200);
  await own.stop();
});
