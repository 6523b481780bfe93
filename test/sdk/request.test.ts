import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createAvow } from '../../sdk/src/index';
import { OPERATIONS } from '../../spec/generated/operations';
import { type Stub, startStub } from './stub';

const token = 'env_0123456789abcdefghijAB';
const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  explode?: boolean;
  schema: { type?: string };
}
interface Operation {
  operationId: keyof typeof OPERATIONS;
  parameters?: Parameter[];
  security?: object[];
}

let stub: Stub;
beforeEach(async () => {
  stub = await startStub({ data: { id: 7 } });
});
afterEach(() => stub.stop());

test('there is a method for every operation, and `each` for every list', () => {
  const avow = createAvow({ baseUrl: stub.baseUrl });
  expect(Object.keys(avow)).toEqual(Object.keys(OPERATIONS));
  for (const [id, [, , flags]] of Object.entries(OPERATIONS)) {
    expect('each' in avow[id as keyof typeof avow]).toBe(flags.includes('p'));
  }
});

test('path and query parameters go where the contract has them, encoded', async () => {
  const avow = createAvow({ baseUrl: stub.baseUrl });
  await avow.listConsents({
    token: 'a/b?c',
    decision: 'accept_all',
    from: '2026-11-21T09:30:00+01:00',
    limit: 5,
  });
  expect(stub.seen[0]?.url).toBe(
    '/api/cookies/a%2Fb%3Fc/consents?decision=accept_all&from=2026-11-21T09%3A30%3A00%2B01%3A00&limit=5',
  );
  expect(stub.seen[0]?.headers).not.toHaveProperty('content-type');
});

test('undefined parameters are left out', async () => {
  const avow = createAvow({ baseUrl: stub.baseUrl });
  await avow.listConsents({ token, cursor: undefined as never });
  expect(stub.seen[0]?.url).toBe(`/api/cookies/${token}/consents`);
});

test('a body is sent as JSON', async () => {
  const avow = createAvow({ baseUrl: stub.baseUrl });
  const body = { session_id, decision: 'accept_all' as const };
  await expect(avow.logConsent({ token, body })).resolves.toEqual({ id: 7 });
  expect(stub.seen[0]).toMatchObject({
    method: 'POST',
    url: `/api/consents/${token}/log`,
    body: JSON.stringify(body),
  });
  expect(stub.seen[0]?.headers['content-type']).toBe('application/json');
});

test('the base URL may have a path and slashes at its end', async () => {
  await createAvow({ baseUrl: `${stub.baseUrl}/consent//` }).getMe();
  expect(stub.seen[0]?.url).toBe('/consent/api/me');
});

test('headers of a call win over those of the client, whatever their case', async () => {
  const avow = createAvow({
    baseUrl: stub.baseUrl,
    token: 't',
    headers: { 'X-Request-Id': 'a', 'X-Team': 'b' },
  });
  await avow.getMe({}, { headers: { 'x-request-id': 'c' } });
  expect(stub.seen[0]?.headers).toMatchObject({
    'x-request-id': 'c',
    'x-team': 'b',
    authorization: 'Bearer t',
  });
});

test('another fetch may stand in, and is given a Request', async () => {
  const urls: string[] = [];
  const fetch = (request: Request) => {
    urls.push(request.url);
    return globalThis.fetch(request);
  };
  await createAvow({ baseUrl: stub.baseUrl, fetch }).getMe();
  expect(urls).toEqual([`${stub.baseUrl}/api/me`]);
});

test('a file is the response itself', async () => {
  const avow = createAvow({ baseUrl: stub.baseUrl });
  const file = await avow.exportConsents({ token, format: 'csv' });
  expect(file.headers.get('Content-Type')).toBe('application/json');
  await expect(file.text()).resolves.toContain('"id":7');
});

test('a client made without `randomUUID`, as on an insecure page, still sends a key', async () => {
  const secure = crypto.randomUUID;
  try {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    const avow = createAvow({ baseUrl: stub.baseUrl });
    await avow.logConsent({ token, body: { session_id, decision: 'accept_all' } });
    expect(stub.seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: secure, configurable: true });
  }
});

describe('what the client takes for granted holds in the contract', () => {
  const contract = parse(readFileSync(join(__dirname, '../../spec/generated/openapi.yaml'), 'utf8'));
  const operations: Operation[] = Object.values<object>(contract.paths).flatMap((path) =>
    Object.values(path),
  );
  const resolve = (p: Parameter): Parameter =>
    p.$ref ? contract.components.parameters[p.$ref.replace('#/components/parameters/', '')] : p;
  const parametersOf = (operation: Operation) => (operation.parameters ?? []).map(resolve);

  test('no parameter is called `body`, and none is in path and query at once', () => {
    for (const operation of operations) {
      const names = parametersOf(operation).map((p) => p.name);
      expect(names).not.toContain('body');
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('the header parameters are Idempotency-Key, and what caches send by themselves', () => {
    const headers = operations.flatMap(parametersOf).filter((p) => p.in === 'header');
    expect(new Set(headers.map((p) => p.name))).toEqual(new Set(['Idempotency-Key', 'If-None-Match']));
  });

  test('lists in the query are separated by commas', () => {
    const lists = operations
      .flatMap(parametersOf)
      .filter((p) => p.in === 'query' && p.schema.type === 'array');
    for (const list of lists) expect(list).toMatchObject({ explode: false });
  });

  test('an operation is flagged to need the bearer token exactly if the contract says so', () => {
    for (const operation of operations) {
      const [, , flags] = OPERATIONS[operation.operationId];
      expect([operation.operationId, flags.includes('b')]).toEqual([
        operation.operationId,
        (operation.security ?? []).length > 0,
      ]);
    }
  });
});
