import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AvowOptions, createAvow, type RequestEvent, type ResponseEvent } from '../../sdk/src/index';
import { VERSION } from '../../sdk/src/version';
import { type Answer, refusal, reset, type Stub, startStub } from './stub';

const token = 'env_0123456789abcdefghijAB';

let stub: Stub | undefined;
async function against(options: Partial<AvowOptions>, ...answers: Answer[]) {
  stub = await startStub(...answers);
  return createAvow({ baseUrl: stub.baseUrl, token: 'secret.bearer.token', ...options });
}
beforeEach(() => {
  // No wait before the next attempt.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stub?.stop();
});

const answered = { headers: { 'X-Request-Id': 'req-1' }, data: { id: 7 } };

test('hooks see each attempt with its request and its answer, and may set headers', async () => {
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const onRequest = async (event: RequestEvent) => {
    await Promise.resolve();
    event.request.headers.set('traceparent', `00-${event.attempt}`);
    requests.push(event);
  };
  const onResponse = (event: ResponseEvent) => responses.push(event);
  const avow = await against({ onRequest, onResponse }, reset, refusal(503, 'unavailable'), answered);
  await avow.getMe();
  expect(requests.map(({ operation, attempt }) => [operation, attempt])).toEqual([
    ['getMe', 1],
    ['getMe', 2],
    ['getMe', 3],
  ]);
  expect(responses.map(({ attempt, response }) => [attempt, response?.status])).toEqual([
    [1, undefined],
    [2, 503],
    [3, 200],
  ]);
  expect(responses.map(({ error }) => error instanceof Error)).toEqual([true, false, false]);
  for (const { milliseconds } of responses) expect(milliseconds).toBeGreaterThanOrEqual(0);
  expect(stub?.seen.map(({ headers }) => headers.traceparent)).toEqual(['00-1', '00-2', '00-3']);
});

test.each(['onRequest', 'onResponse'] as const)('what %s throws ends the call as it is', async (name) => {
  const reason = new Error('not today');
  const avow = await against({ [name]: () => Promise.reject(reason) }, answered);
  await expect(avow.getMe()).rejects.toBe(reason);
  expect(stub?.seen).toHaveLength(name === 'onRequest' ? 0 : 1);
});

test('the debug log has a line for each attempt, and no secret, parameter or body', async () => {
  const lines: string[] = [];
  const credentials = { email: 'ada@example.com', password: 'a secret password' };
  const debug = (line: string) => lines.push(line);
  const session = { token: 'a.secret.token', expires_at: '2099-01-01T00:00:00.000Z' };
  const list = { items: [], next_cursor: null };
  stub = await startStub({ data: session }, refusal(503, 'unavailable'), {
    headers: { 'X-Request-Id': 'req-9' },
    data: list,
  });
  const avow = createAvow({ baseUrl: stub.baseUrl, credentials, debug });
  await avow.listConsents({ token, session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11' });
  expect(lines.map((line) => line.replace(/\d+ ms/, 'n ms'))).toEqual([
    'login, attempt 1: POST /api/auth/console: 200 in n ms',
    'listConsents, attempt 1: GET /api/cookies/{token}/consents: 503 in n ms',
    'listConsents, attempt 2: GET /api/cookies/{token}/consents: 200 in n ms, request req-9',
  ]);
  expect(lines.join()).not.toMatch(/secret|ada@|0b6f1d9e|env_/);
});

test('`withResponse` also gives status, headers, request id and attempts', async () => {
  const avow = await against({}, refusal(503, 'unavailable'), { ...answered, status: 200 });
  const { data, status, headers, requestId, attempts } = await avow.getMe.withResponse();
  expect([data, status, requestId, attempts]).toEqual([{ id: 7 }, 200, 'req-1', 2]);
  expect(headers.get('content-type')).toBe('application/json');
});

test.each([0, 1, 3])('a call has its own number of retries: %i', async (retries) => {
  const avow = await against({}, refusal(503, 'unavailable'));
  await expect(avow.getMe({}, { retries })).rejects.toMatchObject({ status: 503 });
  expect(stub?.seen).toHaveLength(1 + retries);
});

test('says its name and version, except in a browser, and lets the caller say another', async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../sdk/package.json'), 'utf8'));
  expect(VERSION).toBe(version);
  const avow = await against({}, answered);
  await avow.getMe();
  await avow.getMe({}, { headers: { 'User-Agent': 'shop/7' } });
  Object.assign(globalThis, { document: {} });
  try {
    await avow.getMe();
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
  const agents = stub?.seen.map(({ headers }) => headers['user-agent']) ?? [];
  expect(agents.slice(0, 2)).toEqual([`avow-sdk/${version}`, 'shop/7']);
  expect(agents[2]).not.toContain('avow');
});
