import type { ServerResponse } from 'node:http';
import { AvowError, createAvow } from '../../sdk/src/index';
import { type Answer, refusal, type Seen, type Stub, send, startStub } from './stub';

const token = 'env_0123456789abcdefghijAB';
const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
const credentials = { email: 'ada@example.com', password: 'correct horse battery' };
const LOGIN = '/api/auth/console';
const HOUR = 3_600_000;

let stub: Stub | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await stub?.stop();
});

/** A service that issues t1, t2, … and answers by the rest of the given behaviour. */
async function service(answer: Answer, { life = HOUR, login }: { life?: number; login?: Answer } = {}) {
  let issued = 0;
  stub = await startStub((response: ServerResponse, seen: Seen) => {
    const own = seen.url === LOGIN ? login : answer;
    if (typeof own === 'function') return own(response, seen);
    if (own) return send(response, own);
    const expires_at = new Date(Date.now() + life).toISOString();
    send(response, { data: { token: `t${++issued}`, expires_at, user: {} } });
  });
  const { baseUrl, seen } = stub;
  return {
    avow: createAvow({ baseUrl, credentials }),
    logins: () => seen.filter((s) => s.url === LOGIN).length,
    bearers: () => seen.filter((s) => s.url !== LOGIN).map((s) => s.headers.authorization),
  };
}

test('a given token is sent to owner operations only', async () => {
  stub = await startStub({ data: {} });
  const avow = createAvow({ baseUrl: stub.baseUrl, token: 'given' });
  await avow.getMe();
  await avow.getPreferences({ token, session_id });
  expect(stub.seen.map((s) => s.headers.authorization)).toEqual(['Bearer given', undefined]);
});

test('a given token that is refused is an error', async () => {
  stub = await startStub(refusal(401, 'unauthorized'));
  const avow = createAvow({ baseUrl: stub.baseUrl, token: 'given' });
  await expect(avow.getMe()).rejects.toMatchObject({ code: 'unauthorized' });
  expect(stub.seen).toHaveLength(1);
});

test('public operations do not log in', async () => {
  const { avow, logins } = await service({ data: {} });
  await avow.getPreferences({ token, session_id });
  expect(logins()).toBe(0);
});

test.each([null, undefined, {}, { token: 7 }, 'text'])(
  'a login that answers %j is an error with words, and the next call logs in again',
  async (data) => {
    const { avow, logins, bearers } = await service(
      { data: {} },
      { login: { text: JSON.stringify({ status: 'success', data, message: 'Done.' }) } },
    );
    for (const _ of [1, 2]) {
      const error = await avow.getMe().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AvowError);
      expect((error as Error).message).toContain('login: the answer holds no token');
    }
    expect([logins(), bearers()]).toEqual([2, []]);
  },
);

test('concurrent calls share one login, and later calls its token', async () => {
  const { avow, logins, bearers } = await service({ data: {} });
  await Promise.all([avow.getMe(), avow.getMe(), avow.listEnvironments()]);
  await avow.getMe();
  expect(logins()).toBe(1);
  expect(bearers()).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1', 'Bearer t1']);
  expect(stub?.seen[0]).toMatchObject({ body: JSON.stringify(credentials) });
});

test.each([
  [59_000, 2],
  [61_000, 1],
])('a token with %i ms left means %i logins for two calls', async (life, expected) => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 21));
  const { avow, logins } = await service({ data: {} }, { life });
  await avow.getMe();
  await avow.getMe();
  expect(logins()).toBe(expected);
});

test('a refused token is replaced once, also when several calls find out together', async () => {
  const { avow, logins, bearers } = await service((response, seen) =>
    send(
      response,
      seen.headers.authorization === 'Bearer t1' ? refusal(401, 'unauthorized') : { data: { id: 7 } },
    ),
  );
  await expect(Promise.all([avow.getMe(), avow.getMe()])).resolves.toEqual([{ id: 7 }, { id: 7 }]);
  expect(logins()).toBe(2);
  expect(bearers().sort()).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2', 'Bearer t2']);
});

test('a POST without an idempotency key is sent again with the new token: 401 did nothing', async () => {
  const { avow, bearers } = await service((response, seen) =>
    send(response, seen.headers.authorization === 'Bearer t1' ? refusal(401, 'unauthorized') : {}),
  );
  await avow.revokeTokens();
  expect(bearers()).toEqual(['Bearer t1', 'Bearer t2']);
});

test('a second refusal is final', async () => {
  const { avow, logins } = await service(refusal(401, 'unauthorized'));
  await expect(avow.getMe()).rejects.toMatchObject({ operation: 'getMe', code: 'unauthorized' });
  expect(logins()).toBe(2);
});

test('a failed login fails the calls that wait for it, and the next call tries again', async () => {
  const { avow, logins } = await service({ data: {} }, { login: refusal(401, 'unauthorized') });
  const calls = await Promise.allSettled([avow.getMe(), avow.getMe()]);
  expect(calls).toMatchObject([
    { status: 'rejected', reason: { operation: 'login' } },
    { status: 'rejected', reason: { operation: 'login' } },
  ]);
  expect(logins()).toBe(1);
  await expect(avow.getMe()).rejects.toMatchObject({ operation: 'login' });
  expect(logins()).toBe(2);
});

test('a caller that gives up does not end the login of the others', async () => {
  const controller = new AbortController();
  const reason = new Error('gave up');
  let release = () => {};
  const { avow, logins } = await service(
    { data: { id: 7 } },
    {
      login: (response) => {
        const expires_at = new Date(Date.now() + HOUR).toISOString();
        release = () => send(response, { data: { token: 't1', expires_at, user: {} } });
        controller.abort(reason);
      },
    },
  );
  const impatient = avow.getMe({}, { signal: controller.signal });
  const patient = avow.getMe();
  await expect(impatient).rejects.toBe(reason);
  release();
  await expect(patient).resolves.toEqual({ id: 7 });
  expect(logins()).toBe(1);
});

test('a login is repeated after a broken connection', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const { avow, logins } = await service({ data: {} }, { login: (response) => response.destroy() });
  await expect(avow.getMe()).rejects.toMatchObject({ name: 'AvowConnectionError', operation: 'login' });
  expect(logins()).toBe(3);
});

test('an API key is the bearer token, and is sent to owner operations only', async () => {
  stub = await startStub({ data: {} });
  const apiKey = `avow_${'x'.repeat(50)}`;
  const avow = createAvow({ baseUrl: stub.baseUrl, apiKey });
  await avow.listEnvironments();
  await avow.getPreferences({ token, session_id });
  expect(stub.seen.map((s) => s.headers.authorization)).toEqual([`Bearer ${apiKey}`, undefined]);
});

test('what is no API key, and more than one way in, are refused at once, without being shown', () => {
  const baseUrl = 'http://127.0.0.1:1';
  const wrong = 'avow_too-short-to-be-one';
  for (const options of [
    { apiKey: wrong },
    { apiKey: '' },
    { apiKey: `avow_${'x'.repeat(50)}`, token: 'given' },
  ]) {
    expect(() => createAvow({ baseUrl, ...options })).toThrow(/`apiKey`/);
    expect(() => createAvow({ baseUrl, ...options })).not.toThrow(/too-short/);
  }
});
