import {
  bearerOf,
  contract,
  exampleRequest,
  exampleStatus,
  idsOf,
  ownedSite,
  visitorPath,
} from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { join } from '../helpers/site/people';

const CONSOLE = 'https://console.example.com';
const STRANGER = 'https://stranger.example';
const server = useServer({ variables: { CONSOLE_ORIGINS: `${CONSOLE},http://localhost:3000` } });

const token = 'env_0000000000000000000000';
const fill = (path: string) =>
  path.replace('{token}', token).replace(/{\w+}/g, '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11');
const preflight = (path: string, origin: string, method: string) =>
  raw(server.url, {
    method: 'OPTIONS',
    path: fill(path),
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'content-type',
    },
  });
const list = (header: string | undefined) =>
  (header ?? '').split(',').map((part) => part.trim().toLowerCase());
const visitorOperations = contract.operations.filter(({ visitor }) => visitor);
const ownerOperations = contract.operations.filter(({ bearer, anyOrigin }) => bearer && !anyOrigin);
const bundleMaking = contract.operations.filter(({ bearer, anyOrigin }) => bearer && anyOrigin);

test.each(visitorOperations)(
  '$id: any page may call it, without credentials, and the pre-flight is cached',
  async ({ path, method }) => {
    const { status, headers, text } = await preflight(path, STRANGER, method);
    expect([status, text]).toEqual([204, '']);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(list(headers['access-control-allow-methods'])).toContain(method.toLowerCase());
    for (const name of ['content-type', 'idempotency-key'])
      expect(list(headers['access-control-allow-headers'])).toContain(name);
    expect(Number(headers['access-control-max-age'])).toBeGreaterThanOrEqual(600);
  },
);

test.each(ownerOperations)('$id: the console may call it, and no other origin', async ({ path, method }) => {
  const { headers } = await preflight(path, CONSOLE, method);
  expect(headers['access-control-allow-origin']).toBe(CONSOLE);
  expect(list(headers['access-control-allow-methods'])).toContain(method.toLowerCase());
  for (const name of ['authorization', 'content-type', 'idempotency-key'])
    expect(list(headers['access-control-allow-headers'])).toContain(name);
  expect(list(headers.vary)).toContain('origin');
  for (const origin of [
    STRANGER,
    'null',
    'http://console.example.com',
    `${CONSOLE}.stranger.example`,
    `${CONSOLE}:8443`,
  ]) {
    const refused = await preflight(path, origin, method);
    expect([origin, refused.headers['access-control-allow-origin']]).toEqual([origin, undefined]);
    expect(refused.headers['access-control-allow-methods']).toBeUndefined();
  }
});

test('the operations that make a bundle are open to any origin, and no other operation of owners is', () => {
  expect(bundleMaking.map(({ id }) => id).sort()).toEqual(['generateBundle', 'previewBundle']);
});

test.each(bundleMaking)(
  '$id: any page may ask to call it with a bearer token, never with credentials of the browser',
  async ({ path, method }) => {
    const { status, headers, text } = await preflight(path, STRANGER, method);
    expect([status, text]).toEqual([204, '']);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(list(headers['access-control-allow-methods'])).toContain('post');
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'traceparent'])
      expect(list(headers['access-control-allow-headers'])).toContain(name);
    expect(Number(headers['access-control-max-age'])).toBeGreaterThanOrEqual(600);
  },
);

test.each(bundleMaking)('$id: any page may read the answer, a refusal too', async (operation) => {
  const site = await server.site();
  const path = fill(operation.path).replace(token, site.token);
  const bearer = `Bearer ${await bearerOf(server, site.userId)}`;
  const viewer = await server.person();
  await join(site, viewer, 'viewer');
  const ask = (headers: Record<string, string>, body: string, at = path, method = 'POST') =>
    raw(server.url, {
      method,
      path: at,
      headers: { Origin: STRANGER, Authorization: bearer, 'Content-Type': 'application/json', ...headers },
      body,
    });
  const key = { 'Idempotency-Key': 'one' };
  const answers = [
    [operation.status, await ask(key, '{}')],
    [400, await ask({}, '{"unknown":1}')],
    [401, await ask({ Authorization: '' }, '{}')],
    [404, await ask({}, '{}', fill(operation.path))],
    [405, await ask({}, '{}', path, 'PUT')],
    [415, await ask({ 'Content-Type': 'text/html' }, '{}')],
    ...(operation.role === 'owner'
      ? ([
          [403, await ask({ Authorization: `Bearer ${await bearerOf(server, viewer.userId)}` }, '{}')],
          [409, await ask(key, '{"layout":"bar"}')],
        ] as const)
      : []),
  ] as const;
  for (const [status, answer] of answers) {
    const { headers } = answer;
    expect([answer.status, answer.json.status]).toEqual([status, status < 400 ? 'success' : 'error']);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(list(headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(['x-request-id', 'retry-after']),
    );
  }
});

test('login is for the console alone', async () => {
  for (const path of ['/api/auth/console', '/api/auth/accept-invitation']) {
    expect((await preflight(path, STRANGER, 'POST')).headers['access-control-allow-origin']).toBeUndefined();
    expect((await preflight(path, CONSOLE, 'POST')).headers['access-control-allow-origin']).toBe(CONSOLE);
  }
});

test.each(visitorOperations)('$id: any page may read the answer, a refusal too', async (operation) => {
  const site = await ownedSite(server);
  const own = await visitorPath(server, site, operation);
  for (const path of [own, { ...own, token }]) {
    const request = exampleRequest(operation, path);
    const { status, headers } = await raw(server.url, {
      ...request,
      headers: { ...request.headers, Origin: STRANGER },
    });
    expect(status).toBe(path.token === token ? 404 : exampleStatus(operation));
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(list(headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(['x-request-id', 'retry-after']),
    );
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  }
});

test('an owner’s answer is read by the console’s origins only, and never kept by a cache for another', async () => {
  const { userId } = await server.person();
  const get = async (origin: string) => {
    const headers = { Origin: origin, Authorization: `Bearer ${await bearerOf(server, userId)}` };
    return (await raw(server.url, { path: '/api/me', headers })).headers;
  };
  const [ours, other] = [await get(CONSOLE), await get(STRANGER)];
  expect([ours['access-control-allow-origin'], other['access-control-allow-origin']]).toEqual([
    CONSOLE,
    undefined,
  ]);
  for (const headers of [ours, other]) {
    expect(list(headers.vary)).toContain('origin');
    expect([headers['cache-control'], headers['cross-origin-resource-policy']]).toEqual([
      'no-store',
      'same-origin',
    ]);
    expect([headers['x-content-type-options'], headers['x-powered-by']]).toEqual(['nosniff', undefined]);
  }
});

test('a pre-flight of a path that does not exist allows nothing', async () => {
  const { status, headers } = await preflight('/api/nothing/here', CONSOLE, 'POST');
  expect([status, headers['access-control-allow-origin']]).toEqual([204, undefined]);
});

test('ids in paths do not matter to who may call', () => {
  for (const operation of contract.operations) expect(idsOf(operation)).not.toContain('token');
});
