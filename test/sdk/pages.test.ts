import { createAvow } from '../../sdk/src/index';
import { refusal, type Stub, startStub } from './stub';

const token = 'env_0123456789abcdefghijAB';
const page = (next_cursor: string | null, ...ids: number[]) => ({
  data: { items: ids.map((consent_id) => ({ consent_id })), next_cursor },
});

let stub: Stub | undefined;
afterEach(() => stub?.stop());

test('every item of every page, with the same filters', async () => {
  stub = await startStub(page('c1', 1, 2), page('c2'), page(null, 3));
  const avow = createAvow({ baseUrl: stub.baseUrl });
  const ids: unknown[] = [];
  for await (const consent of avow.listConsents.each({ token, decision: 'accept_all', limit: 2 })) {
    ids.push(consent.consent_id);
  }
  expect(ids).toEqual([1, 2, 3]);
  const path = `/api/cookies/${token}/consents?decision=accept_all&limit=2`;
  expect(stub.seen.map((s) => s.url)).toEqual([path, `${path}&cursor=c1`, `${path}&cursor=c2`]);
});

test('pages are fetched when the loop gets there, and not after it was left', async () => {
  stub = await startStub(page('c1', 1, 2), page(null, 3));
  const avow = createAvow({ baseUrl: stub.baseUrl });
  const items = avow.listConsents.each({ token });
  expect(stub.seen).toHaveLength(0);
  for await (const consent of items) {
    expect(consent).toEqual({ consent_id: 1 });
    break;
  }
  expect(stub.seen).toHaveLength(1);
});

test('a loop may begin at a cursor, and needs no input where the list needs none', async () => {
  stub = await startStub(page(null, 1));
  const avow = createAvow({ baseUrl: stub.baseUrl });
  await avow.listConsents.each({ token, cursor: 'c9' }).next();
  await avow.listEnvironments.each().next();
  expect(stub.seen.map((s) => s.url)).toEqual([
    `/api/cookies/${token}/consents?cursor=c9`,
    '/api/environments',
  ]);
});

test('an error and the caller’s signal end the loop', async () => {
  stub = await startStub(page('c1', 1), refusal(403, 'forbidden'));
  const avow = createAvow({ baseUrl: stub.baseUrl });
  const controller = new AbortController();
  const items = avow.listConsents.each({ token }, { signal: controller.signal });
  await items.next();
  await expect(items.next()).rejects.toMatchObject({ code: 'forbidden', operation: 'listConsents' });
  controller.abort(new Error('enough'));
  await expect(avow.listConsents.each({ token }, { signal: controller.signal }).next()).rejects.toThrow(
    'enough',
  );
});

test('a list whose cursor stays the same ends with an error, not never', async () => {
  stub = await startStub(page('c1', 1), page('c1', 1), page('c1', 1));
  const avow = createAvow({ baseUrl: stub.baseUrl });
  const ids: unknown[] = [];
  const loop = async () => {
    for await (const { consent_id } of avow.listConsents.each({ token })) ids.push(consent_id);
  };
  await expect(loop()).rejects.toThrow('the list goes round');
  expect(ids).toEqual([1, 1]);
});
