import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import pino from 'pino';
import { describeError } from '../../server/src/observability/logger';
import { createCode } from '../../server/src/services/accounts';
import { addTrigger } from '../helpers/cluster/instruments';
import { contract, exampleBody } from '../helpers/http/contract-requests';
import { post, raw } from '../helpers/http/raw';
import { PASSWORD, startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';
import { answering, receive } from '../helpers/webhooks/receive';
import { INWARD } from '../helpers/webhooks/receiver';

const lines: string[] = [];
let server: TestServer;
beforeAll(async () => {
  const log = pino(
    { level: 'trace', serializers: { error: describeError } },
    { write: (line: string) => void lines.push(line) },
  );
  server = await startServer({ log, variables: { ...INWARD, TRUST_PROXY: '1' } });
});
afterAll(() => server.stop());

test('a delivery that fails is logged with what the receiver answered', async () => {
  const { token, client } = await server.site();
  const { url } = await receive(answering(500));
  const { webhook_id } = await client.createWebhook({ token, body: { url, events: '*' } });
  const { delivery_id } = await client.testWebhook({ token, webhook_id });
  const line = lines.map((text) => JSON.parse(text)).find((one) => one.delivery_id === delivery_id);
  expect(line).toMatchObject({ msg: 'delivery', status: 500, reason: 'The receiver answered 500.' });
  expect(line).not.toHaveProperty('error');
});

test('an erased session leaves a line with the site and the account, and not the session', async () => {
  const { token, client, userId } = await server.site();
  const session_id = randomUUID();
  await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  await client.eraseSession({ token, session_id });
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'a member erased a session');
  expect(line).toMatchObject({ environment_id: id, user: userId, consents: 1, complete: true });
  expect(JSON.stringify(line)).not.toContain(session_id);
});

test('a visitor who leaves in the middle of a request is not taken for an outage of the database', async () => {
  const { token } = await server.site();
  const before = lines.length;
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  const head = `POST /api/consents/${token}/log HTTP/1.1\r\nHost: a\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: 100\r\n\r\n{`, () =>
    setTimeout(() => socket.resetAndDestroy(), 200),
  );
  const since = () => lines.slice(before).map((text) => JSON.parse(text));
  await until('the request is logged', () => since().some(({ status }) => status === 499));
  expect(since().filter(({ level }) => level > 30)).toEqual([]);
});

test('the log names requests and operations, and holds nothing of a person', async () => {
  const { token, email, client, userId } = await server.site();
  const bearer = (await server.service.context.tokens.issue(userId)).token;
  const address = { 'X-Forwarded-For': '198.51.100.77' };
  const [session_id, visitor, guest] = [
    randomUUID(),
    `${randomUUID()}@example.com`,
    `${randomUUID()}@example.com`,
  ];
  await post(server.url, '/api/auth/console', { email, password: PASSWORD }, address);
  await post(server.url, '/api/auth/console', { email, password: 'wrong password' }, address);
  await post(server.url, `/api/consents/${token}/log`, { session_id, decision: 'accept_all' }, address);
  await raw(server.url, { path: `/api/preferences/${token}?session_id=${session_id}`, headers: address });
  const form = exampleBody(contract.operations.find(({ id }) => id === 'recordFormConsent') as never);
  await post(server.url, `/api/form-consents/${token}`, { ...form, subject: { email: visitor } }, address);
  const invited = await client.addMember({ token, body: { email: guest, role: 'viewer' } });
  await client.listFormConsents({ token, email: visitor });
  await client.eraseSession({ token, session_id });
  const code = await createCode(server.service.context.db, userId);
  await post(
    server.url,
    '/api/auth/accept-invitation',
    { code, password: PASSWORD },
    { ...address, 'X-Request-Id': 'named' },
  );
  const text = lines.join('\n');
  for (const operation of [
    'login',
    'logConsent',
    'getPreferences',
    'recordFormConsent',
    'eraseSession',
    'acceptInvitation',
  ])
    expect(text).toContain(`"operation":"${operation}"`);
  expect(text).toContain('"request_id":"named"');
  const link = invited.invitation_url?.split('#')[1] as string;
  for (const secret of [
    email,
    visitor,
    guest,
    session_id,
    '198.51.100.77',
    PASSWORD,
    'wrong password',
    bearer,
    code,
    link,
  ])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
});

test('what the database says of a row is not logged', async () => {
  const email = `${randomUUID()}@example.com`;
  await server.person();
  const { db } = server.service.context;
  const refused = await db
    .raw('SELECT CAST(? AS integer)', [email])
    .then(() => undefined)
    .catch((error) => error);
  expect(refused.message).toContain(email);
  expect(JSON.stringify(describeError(refused))).not.toContain(email);
  const wrapped = Object.assign(new Error(`select … - ${refused.message}`), { nativeError: refused });
  expect(JSON.stringify(describeError(wrapped))).not.toContain(email);
});

test('what could not be noted is told once while it lasts, and without the row', async () => {
  const { client, email } = await server.site();
  const { key } = await client.createKey({ body: { name: 'reader', scopes: ['environments:read'] } });
  const secret = `${randomUUID()}@example.com`;
  const refuse = (name: string, table: string, event: string) =>
    addTrigger(server.databaseUrl, { name, table, event, body: `RAISE 'a row of ${secret}';` });
  const permit = [
    await refuse('refuse_events', 'audit_events', 'BEFORE INSERT'),
    await refuse('refuse_uses', 'api_keys', 'BEFORE UPDATE'),
  ];
  const before = lines.length;
  const [login, use] = ['a refused log-in was not noted', 'the last use of an API key was not noted'];
  const since = () => lines.slice(before).map((text) => JSON.parse(text));
  const told = (words: string) => since().filter(({ msg }) => msg === words);
  try {
    for (let n = 0; n < 3; n += 1) {
      await post(server.url, '/api/auth/console', { email, password: 'wrong password' });
      await raw(server.url, { path: '/api/environments', headers: { Authorization: `Bearer ${key}` } });
    }
    await until('both are logged', () => told(login).length > 0 && told(use).length > 0);
  } finally {
    for (const end of permit) await end();
  }
  expect([told(login).length, told(use).length]).toEqual([1, 1]);
  for (const line of [...told(login), ...told(use)])
    expect(line.error).toMatchObject({ message: 'database error P0001' });
  expect(lines.join('\n')).not.toContain(secret);
});

test('LOG_SAMPLE: one of ten visitors who went well has a line; whatever failed, and owners, have theirs', async () => {
  const sampled: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void sampled.push(line) });
  const few = await startServer({ log, variables: { LOG_SAMPLE: '0.1' } });
  try {
    const { token, client } = await few.site();
    const path = `/api/consents/${token}/log`;
    for (let n = 0; n < 50; n += 1)
      await post(few.url, path, { session_id: randomUUID(), decision: 'accept_all' });
    for (let n = 0; n < 7; n += 1) await post(few.url, path, { session_id: randomUUID(), decision: 'x' });
    for (let n = 0; n < 5; n += 1) await client.getEnvironment({ token });
    const written = (operation: string, status: number) =>
      sampled
        .map((line) => JSON.parse(line))
        .filter((one) => one.operation === operation && one.status === status);
    expect(written('logConsent', 201)).toHaveLength(5);
    expect(written('logConsent', 400)).toHaveLength(7);
    expect(written('getEnvironment', 200)).toHaveLength(5);
    const metrics = await (await fetch(`${few.url}/metrics`)).text();
    expect(metrics).toContain('avow_http_requests_total{operation="logConsent",status="201"} 50');
  } finally {
    await few.stop();
  }
});
