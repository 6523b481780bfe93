import { AvowApiError, AvowConnectionError, createAvow } from '../../sdk/src/index';
import { delay, isRetryable, retryAfter } from '../../sdk/src/retry';
import { type Answer, refusal, reset, type Stub, startStub } from './stub';

const token = 'env_0123456789abcdefghijAB';
const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
const consent = { token, body: { session_id, decision: 'accept_all' as const } };
const batch = { token, body: { session_id, events: [] } };

let stub: Stub | undefined;
async function against(...answers: Answer[]) {
  stub = await startStub(...answers);
  return { avow: createAvow({ baseUrl: stub.baseUrl, token: 'bearer' }), seen: stub.seen };
}

beforeEach(() => {
  // Full jitter: 0 means no wait at all.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stub?.stop();
});

describe('attempts', () => {
  test.each([408, 429, 500, 502, 503, 504])('a GET is tried again after %i', async (status) => {
    const { avow, seen } = await against(refusal(status, 'unavailable'), { data: { id: 7 } });
    await expect(avow.getMe()).resolves.toEqual({ id: 7 });
    expect(seen).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 413, 415])('nothing is tried again after %i', async (status) => {
    const { avow, seen } = await against(refusal(status, 'conflict'));
    await expect(avow.getMe()).rejects.toMatchObject({ name: 'AvowApiError', status });
    expect(seen).toHaveLength(1);
  });

  test('a broken connection is tried again, and reported when it stays broken', async () => {
    const { avow, seen } = await against(reset);
    await expect(avow.getMe()).rejects.toBeInstanceOf(AvowConnectionError);
    expect(seen).toHaveLength(3);
  });

  test('PUT and DELETE are tried again', async () => {
    const { avow, seen } = await against(refusal(502, 'unavailable'), { data: {} });
    await avow.eraseSession({ token, session_id });
    expect(seen.map((s) => s.method)).toEqual(['DELETE', 'DELETE']);
  });

  test('`retries` sets how many attempts follow the first', async () => {
    const { seen } = await against(refusal(500, 'internal_error'));
    const avow = createAvow({ baseUrl: stub?.baseUrl ?? '', retries: 0 });
    await expect(avow.getMe()).rejects.toMatchObject({ code: 'internal_error' });
    expect(seen).toHaveLength(1);
  });
});

describe('POST and PATCH', () => {
  test('one with an idempotency key sends the same key on each attempt', async () => {
    const { avow, seen } = await against(reset, refusal(500, 'internal_error'), { status: 201, data: {} });
    await avow.logConsent(consent);
    const keys = seen.map((s) => s.headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('every call has a key of its own, and the caller may choose it', async () => {
    const { avow, seen } = await against({ status: 201 });
    await avow.logConsent(consent);
    await avow.logConsent(consent);
    await avow.logConsent(consent, { idempotencyKey: 'order-17' });
    const keys = seen.map((s) => s.headers['idempotency-key']);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[2]).toBe('order-17');
  });

  test.each([
    ['a broken connection', reset],
    ['500', refusal(500, 'internal_error')],
    ['504', refusal(504, 'unavailable')],
  ])('one without a key is not repeated after %s', async (_, answer) => {
    const { avow, seen } = await against(answer);
    await expect(avow.recordVisitorEvents(batch)).rejects.toThrow('recordVisitorEvents');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test.each([429, 503])('one without a key is repeated after %i: the service did nothing', async (status) => {
    const { avow, seen } = await against(refusal(status, 'unavailable'), {
      status: 202,
      data: { accepted: 0 },
    });
    await expect(avow.recordVisitorEvents(batch)).resolves.toEqual({ accepted: 0 });
    await expect(avow.updateEnvironment({ token, body: {} })).resolves.toBeDefined();
    expect(seen).toHaveLength(3);
  });
});

describe('waiting', () => {
  test('Retry-After is waited for', async () => {
    const { avow } = await against(refusal(429, 'rate_limited', { 'Retry-After': '30' }), {
      data: { id: 7 },
    });
    const waits = hurry();
    await avow.getMe();
    expect(waits).toContain(30_000);
  });

  test('more than a minute is not waited for: the caller decides', async () => {
    const { avow, seen } = await against(refusal(429, 'rate_limited', { 'Retry-After': '61' }));
    await expect(avow.getMe()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 61 });
    expect(seen).toHaveLength(1);
  });

  test('the header holds seconds or an HTTP date', () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 21, 9, 30, 0));
    expect(retryAfter('7')).toBe(7);
    expect(retryAfter('Sat, 21 Nov 2026 09:30:12 GMT')).toBe(12);
    expect(retryAfter('Sat, 21 Nov 2026 09:29:00 GMT')).toBe(0);
    expect(retryAfter('soon')).toBeUndefined();
    expect(retryAfter(null)).toBeUndefined();
  });

  test('without it, the wait is full jitter over 250 ms, 500 ms, … 8 s', () => {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const error = new AvowConnectionError('', { operation: 'getMe', timedOut: false, cause: undefined });
    expect([0, 1, 2, 3, 4, 5, 6].map((n) => delay(error, n))).toEqual([
      250, 500, 1000, 2000, 4000, 8000, 8000,
    ]);
    jest.spyOn(Math, 'random').mockReturnValue(0);
    expect(delay(error, 3)).toBe(0);
  });

  test('a mistake of the caller is never repeated', () => {
    expect(isRetryable(new TypeError('invalid header'), true)).toBe(false);
    expect(AvowApiError.isApiError(new TypeError())).toBe(false);
  });
});

/** Makes every timer fire at once, and notes what was asked. */
function hurry(): number[] {
  const waits: number[] = [];
  const real = globalThis.setTimeout;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => {
    waits.push(ms);
    // The limit of an attempt stays; it is the waits between attempts that hurry.
    return real(run, ms === 10_000 ? ms : 0);
  }) as typeof setTimeout);
  return waits;
}
