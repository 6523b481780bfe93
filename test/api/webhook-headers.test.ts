import { Writable } from 'node:stream';
import { createAvow } from '@avow/sdk';
import pino from 'pino';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { startServer, type TestServer } from '../helpers/server';
import { tablesOf } from '../helpers/site/rows';
import { answering, receive } from '../helpers/webhooks/receive';
import { INWARD } from '../helpers/webhooks/receiver';

let server: TestServer;
const logged: string[] = [];
beforeAll(async () => {
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  server = await startServer({ variables: INWARD, log: pino({ level: 'trace' }, stream) });
});
afterAll(() => server.stop());

type Headers = Record<string, string>;

async function hooked(headers: Headers) {
  const { client, token } = await server.site();
  const receiver = await receive();
  const made = await client.createWebhook({ token, body: { url: receiver.url, events: '*', headers } });
  const at = { token, webhook_id: made.webhook_id };
  const change = (changes: Record<string, string | null>) =>
    client.updateWebhook({ ...at, body: { headers: changes } });
  /** The headers of a test that is sent now. */
  const sent = async () => {
    await client.testWebhook(at);
    return receiver.received.at(-1)?.headers ?? {};
  };
  return { client, token, at, made, receiver, change, sent };
}

const create = async (headers: unknown) => {
  const { client, token } = await server.site();
  const body = { url: 'http://127.0.0.1:9/', events: '*' as const, headers: headers as Headers };
  return client.createWebhook({ token, body });
};

test('a webhook sends its own headers beside the signature, which they cannot replace', async () => {
  const { made, sent } = await hooked({ Authorization: 'Bearer abc def', 'X-Tenant': '7' });
  expect(made.header_names).toEqual(['authorization', 'x-tenant']);
  expect(await sent()).toMatchObject({
    authorization: 'Bearer abc def',
    'x-tenant': '7',
    'content-type': 'application/json',
    'x-service-signature': expect.stringMatching(/^sha256=/),
    'webhook-id': expect.any(String),
  });
});

test('a change sets and removes single ones; others stay, unread', async () => {
  const { change, sent, client, at } = await hooked({ Authorization: 'Bearer old', 'X-Tenant': '7' });
  expect(
    (await change({ AUTHORIZATION: 'Bearer new', 'X-Tenant': null, 'X-More': 'a b' })).header_names,
  ).toEqual(['authorization', 'x-more']);
  const headers = await sent();
  expect(headers).toMatchObject({ authorization: 'Bearer new', 'x-more': 'a b' });
  expect(headers).not.toHaveProperty('x-tenant');
  await client.updateWebhook({ ...at, body: { description: 'Changed' } });
  expect(await sent()).toMatchObject({ authorization: 'Bearer new' });
  expect((await change({ authorization: null, 'x-more': null, 'x-none': null })).header_names).toEqual([]);
});

test('no value goes to another address, unless it is given again', async () => {
  const { at, sent, client, token, receiver } = await hooked({
    Authorization: 'Bearer abc',
    'X-Tenant': '7',
  });
  const thief = await receive();
  const { key } = await client.createKey({
    body: { name: 'hooks', site: token, scopes: ['webhooks:write'] },
  });
  const program = createAvow({ baseUrl: server.url, apiKey: key, retries: 0 });
  const moved = (headers?: Record<string, string | null>) =>
    program.updateWebhook({ ...at, body: { url: thief.url, ...(headers && { headers }) } });
  for (const some of [undefined, {}, { Authorization: 'Bearer mine' }]) {
    const error = await refusal(moved(some));
    expect([error.status, pathsOf(error)]).toEqual([400, ['body.headers']]);
    expect(error.message + JSON.stringify(error.errors)).toContain('x-tenant');
  }
  expect((await client.getWebhook(at)).url).toBe(receiver.url);
  await program.updateWebhook({ ...at, body: { url: receiver.url, description: 'Sends where it did' } });
  expect(await sent()).toMatchObject({ authorization: 'Bearer abc', 'x-tenant': '7' });
  expect(thief.received).toEqual([]);
  await moved({ authorization: 'Bearer new', 'x-tenant': null });
  await client.testWebhook(at);
  expect(thief.received.at(-1)?.headers).toMatchObject({ authorization: 'Bearer new' });
  expect(thief.received.at(-1)?.headers).not.toHaveProperty('x-tenant');
});

test.each([
  ...[
    'Host',
    'connection',
    'Keep-Alive',
    'TE',
    'Trailer',
    'transfer-encoding',
    'Upgrade',
    'Proxy-Connection',
  ],
  ...['Content-Length', 'Content-Type', 'Content-Encoding', 'Expect', 'User-Agent', 'Accept-Encoding'],
  ...['X-Service-Signature', 'x-service-event', 'webhook-id', 'Webhook-Signature', 'Proxy-Authorization'],
  ...['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Metadata', 'Metadata-Flavor', 'X-aws-ec2-metadata-token'],
  ...['X_Forwarded_For', 'webhook_id', 'X_Service_Test', 'x-service_test', 'Content_Type', 'Metadata_Flavor'],
  ...['X_Real_IP', 'X_aws_ec2_metadata_token', 'X-aws-ec2-metadata-token-ttl-seconds', 'Transfer_Encoding'],
  ...['True-Client-IP', 'CF-Connecting-IP', 'X-Client-IP', 'Client_IP', 'X-Google-Metadata-Request'],
  ...['X-Original-URL', 'X-Rewrite-URL', 'Proxy', 'Proxy_Anything', 'HTTP2-Settings', 'X-Identity-Header'],
])('%s is not to be set', async (name) => {
  const error = await refusal(create({ [name]: 'x' }));
  expect([error.status, pathsOf(error)]).toEqual([400, [`body.headers.${name}`]]);
  expect(error.errors[0]?.code).toBe('reserved');
});

test('a reserved name that is there from before can be removed, and not be set again', async () => {
  const { client, token, at, change } = await hooked({ 'X-Tenant': '7' });
  const { vault, db } = server.service.context;
  const { webhook_id } = at;
  await db('webhooks')
    .where({ webhook_id })
    .update({ headers: vault.seal(JSON.stringify([['x_real_ip', '1']])), header_names: ['x_real_ip'] });
  expect((await refusal(change({ X_Real_IP: '2' }))).errors[0]?.code).toBe('reserved');
  expect((await change({ X_Real_IP: null })).header_names).toEqual([]);
  expect((await client.getWebhook({ token, webhook_id })).header_names).toEqual([]);
});

test.each([
  ['a name with a space', { 'X Tenant': '1' }],
  ['a name with a colon', { 'X:': '1' }],
  ['an empty name', { '': '1' }],
  ['a name of 65 characters', { [`X${'a'.repeat(64)}`]: '1' }],
  ['an empty value', { 'X-A': '' }],
  ['a line end', { 'X-A': 'a\r\nHost: b' }],
  ['a space at the end', { 'X-A': 'a ' }],
  ['another letter than ASCII', { 'X-A': 'é' }],
  ['a value of 1025 characters', { 'X-A': 'a'.repeat(1025) }],
  ['a number', { 'X-A': 1 }],
  ['null where nothing is', { 'X-A': null }],
  ['eleven', Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}a`, 'a']))],
  ['one name in two cases', { 'X-A': 'a', 'x-a': 'b' }],
  [
    'more than 4096 characters in all',
    Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`X-a${n}`, 'a'.repeat(1000)])),
  ],
])('%s is refused', async (_, headers) => {
  const error = await refusal(create(headers));
  expect(error.status).toBe(400);
  for (const path of pathsOf(error)) expect(path).toMatch(/^body\.headers/);
});

test('what is there counts too: ten at most after a change', async () => {
  const ten = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`X-a${n}`, 'a']));
  const { change } = await hooked(ten);
  expect(pathsOf(await refusal(change({ 'X-b': 'b' })))).toEqual(['body.headers']);
  expect((await change({ 'X-b': 'b', 'X-a0': null })).header_names).toHaveLength(10);
  expect((await hooked({ constructor: 'a', toString: 'b' })).made.header_names).toEqual([
    'constructor',
    'tostring',
  ]);
});

test('values are shown to nobody, lie readable in no column and are never logged', async () => {
  const value = 'Bearer-very-secret-header-value';
  const { client, token, at, made, change, receiver } = await hooked({ Authorization: value });
  receiver.answer = answering(500, 'no');
  await client.testWebhook(at);
  const shown = JSON.stringify([
    ...[
      made,
      await client.getWebhook(at),
      await client.listWebhooks({ token }),
      await change({ 'X-A': 'b' }),
    ],
  ]);
  expect(shown).not.toContain(value);
  const { db } = server.service.context;
  const texts: string[] = [];
  for (const table of (await tablesOf(db)).keys())
    for (const row of await db(table).select('*'))
      for (const one of Object.values(row))
        texts.push(Buffer.isBuffer(one) ? one.toString('latin1') : JSON.stringify(one));
  expect(texts.join('\n')).not.toContain(value);
  expect(texts.join('\n')).toContain('authorization');
  expect(logged.join('')).not.toContain(value);
});
