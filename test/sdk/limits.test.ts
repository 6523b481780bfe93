/** @jest-environment node */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AvowConnectionError, type AvowOptions, createAvow } from '../../sdk/src/index';
import { type Answer, hang, refusal, type Stub, startStub } from './stub';

const token = 'env_0123456789abcdefghijAB';

let stub: Stub | undefined;
async function against(answer: Answer, options: Partial<AvowOptions> = {}) {
  stub = await startStub(answer);
  return createAvow({ baseUrl: stub.baseUrl, retries: 0, ...options });
}
afterEach(async () => {
  jest.restoreAllMocks();
  await stub?.stop();
});

/** Headers and the first bytes of a body that never ends. */
const drip: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  response.write('{}\n');
};

describe('timeout', () => {
  test('ends an attempt without an answer', async () => {
    const avow = await against(hang, { timeout: 30 });
    const call = avow.getMe();
    await expect(call).rejects.toBeInstanceOf(AvowConnectionError);
    await expect(call).rejects.toMatchObject({
      timedOut: true,
      message: expect.stringContaining('within 30 ms'),
    });
  });

  test('ends an attempt whose body does not end', async () => {
    const avow = await against(drip, { timeout: 30 });
    await expect(avow.getMe()).rejects.toMatchObject({ timedOut: true });
  });

  test('holds for each attempt, and each call may set its own', async () => {
    const avow = await against(hang, { timeout: 600_000, retries: 1 });
    await expect(avow.getMe({}, { timeout: 20 })).rejects.toMatchObject({ timedOut: true });
    expect(stub?.seen).toHaveLength(2);
  });

  test.each([0, Number.POSITIVE_INFINITY])('%d is no limit', async (timeout) => {
    const timer = jest.spyOn(globalThis, 'setTimeout');
    const avow = await against({ data: { id: 7 } }, { timeout });
    await expect(avow.getMe()).resolves.toEqual({ id: 7 });
    expect(timer).not.toHaveBeenCalled();
  });

  test('does not cut a file off once its headers are here', async () => {
    const timers: (() => void)[] = [];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void) => timers.push(run)) as never);
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const avow = await against(drip);
    const file = await avow.exportConsents({ token });
    expect(timers).toHaveLength(1);
    expect(cleared).toHaveBeenCalledWith(1);
    await file.body?.cancel();
  });
});

describe('the caller’s signal', () => {
  const reason = new Error('the page was left');

  test('ends a call before anything is sent', async () => {
    const avow = await against({});
    await expect(avow.getMe({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(stub?.seen).toHaveLength(0);
  });

  test('ends an attempt, which is then not repeated', async () => {
    const controller = new AbortController();
    const avow = await against(() => controller.abort(reason), { retries: 2 });
    await expect(avow.getMe({}, { signal: controller.signal })).rejects.toBe(reason);
    expect(stub?.seen).toHaveLength(1);
  });

  test('ends the wait for the next attempt, and leaves no timer behind', async () => {
    const controller = new AbortController();
    const real = globalThis.setTimeout;
    const waits: unknown[] = [];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
      const timer = real(run, ms);
      if (ms >= 30_000) {
        waits.push(timer);
        setImmediate(() => controller.abort(reason));
      }
      return timer;
    }) as typeof setTimeout);
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const avow = await against(refusal(503, 'unavailable', { 'Retry-After': '30' }), { retries: 2 });
    await expect(avow.getMe({}, { signal: controller.signal })).rejects.toBe(reason);
    expect(stub?.seen).toHaveLength(1);
    expect(waits).toHaveLength(1);
    expect(cleared).toHaveBeenCalledWith(waits[0]);
  });

  test('without a reason rejects with an AbortError, as fetch does', async () => {
    const controller = new AbortController();
    const avow = await against(() => controller.abort());
    await expect(avow.getMe({}, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('keeps no listener of a call that has ended', async () => {
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    const avow = await against({ data: {} }, { token: 'bearer' });
    await avow.getMe({}, { signal });
    expect(added.mock.calls.length).toBeGreaterThan(0);
    for (const [type, listener] of added.mock.calls) expect(removed).toHaveBeenCalledWith(type, listener);
  });

  test('ends the body of a file, also after a garbage collection', async () => {
    const controller = new AbortController();
    const avow = await against(drip);
    const file = await avow.exportConsents({ token }, { signal: controller.signal });
    const reader = file.body?.getReader();
    await reader?.read();
    await collectGarbage();
    controller.abort(reason);
    await expect(reader?.read()).rejects.toBe(reason);
  });
});

async function collectGarbage() {
  setFlagsFromString('--expose_gc');
  const gc = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
}
