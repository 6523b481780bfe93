import { randomUUID } from 'node:crypto';
import {
  contract,
  exampleRequest,
  exampleStatus,
  ownedSite,
  visitorPath,
} from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

let token: string;
let bearer: string;
const server = useServer();
beforeAll(async () => {
  ({ token, bearer } = await ownedSite(server));
});

const auth = () => ({ Authorization: `Bearer ${bearer}` });

describe('request ids', () => {
  const PATHS = [
    '/api/me',
    '/api/nothing',
    '/nothing',
    '/healthz',
    '/readyz',
    '/openapi.yaml',
    '/console/setup',
    '/metrics',
  ];

  test.each(PATHS)('%s answers with the caller’s own id, or a new one', async (path) => {
    const own = await raw(server.url, { path, headers: { 'X-Request-Id': 'my-id_1.2' } });
    expect(own.headers['x-request-id']).toBe('my-id_1.2');
    const [one, two] = [await raw(server.url, { path }), await raw(server.url, { path })];
    expect(one.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id']);
  });

  test.each(['a b', 'x'.repeat(129), '<script>', '{}', 'ä'])('the id %j is not taken over', async (id) => {
    const answer = await raw(server.url, {
      path: '/api/me',
      headers: { 'X-Request-Id': Buffer.from(id).toString('latin1') },
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a visitor’s answer and a pre-flight have one too', async () => {
    const path = `/api/preferences/${token}?session_id=${randomUUID()}`;
    for (const method of ['GET', 'OPTIONS', 'HEAD']) {
      const { headers } = await raw(server.url, { method, path, headers: { 'X-Request-Id': 'mine' } });
      expect(headers['x-request-id']).toBe('mine');
    }
  });
});

describe('paths and methods', () => {
  test.each([
    ...[
      '/api',
      '/api/',
      '/api/nothing',
      '/api/me/',
      '/api//me',
      '/API/me',
      '/api/Me',
      '/api/environments/',
      '//',
    ],
    ...[
      '/api/cookies',
      '/api/cookies//consents',
      '/.env',
      '/console/../../etc/passwd',
      '/api/me%2f',
      '/api/me;x=1',
    ],
  ])('%s is unknown', async (path) => {
    const { status, json, headers } = await raw(server.url, { path, headers: auth() });
    expect([status, json.data.code]).toEqual([404, 'not_found']);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each(['/api/%zz', '/api/%', '/api/preferences/%C3%28', '/api/preferences/%ff?session_id=x'])(
    '%s is no valid path',
    async (path) => {
      const { status, json } = await raw(server.url, { path });
      expect([status, json.data.code, json.data.errors[0].path]).toEqual([400, 'validation_failed', 'path']);
    },
  );

  test('every path refuses every method that the contract does not have there, and says which it takes', async () => {
    const paths = [...new Set(contract.operations.map(({ path }) => path))];
    for (const path of paths) {
      const known = contract.operations
        .filter((operation) => operation.path === path)
        .map(({ method }) => method);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (one) => !known.includes(one),
      )) {
        const place = path.replace('{token}', token).replace(/{\w+}/g, randomUUID());
        const { status, json, headers } = await raw(server.url, { method, path: place });
        expect([method, path, status, json?.data.code]).toEqual([method, path, 405, 'method_not_allowed']);
        expect((headers.allow ?? '').split(', ').sort()).toEqual([...known].sort());
      }
    }
  });

  test('a fixed segment goes before an id', async () => {
    const { status } = await raw(server.url, {
      path: `/api/cookies/${token}/consents/export`,
      headers: auth(),
    });
    expect(status).toBe(200);
    const post = await raw(server.url, {
      method: 'DELETE',
      path: `/api/cookies/${token}/consents/export`,
      headers: auth(),
    });
    expect([post.status, post.headers.allow]).toEqual([405, 'GET']);
  });

  test('a percent-encoded path is the path that it encodes', async () => {
    const path = `/api/preferences/${token.replace('_', '%5F')}?session_id=${randomUUID()}`;
    expect((await raw(server.url, { path })).status).toBe(200);
  });
});

describe('a request in absolute form', () => {
  const asked = async (target: string, headers = auth()) =>
    (await raw(server.url, { path: target, headers })).status;

  test.each(['http://127.0.0.1:18460', 'https://consent.example.com', 'HTTP://user@[::1]'])(
    'is the one for its path (%s)',
    async (origin) => {
      const session = `session_id=${randomUUID()}`;
      for (const path of [
        ...['/healthz', '/api/environments', `/api/cookies/${token}/consents?limit=1`],
        ...[`/api/preferences/${token}?${session}`, '/openapi.json'],
      ])
        expect([path, await asked(`${origin}${path}`)]).toEqual([path, 200]);
      for (const [path, status] of [
        ['/api/nothing', 404],
        ['//api/environments', 404],
        ['/api/preferences/env_0123456789abcdefghijKL', 404],
      ] as const)
        expect([path, await asked(`${origin}${path}`)]).toEqual([path, status]);
      expect(await asked(origin)).toBe(await asked('/'));
      expect(await asked(`${origin}?a=1`)).toBe(await asked('/?a=1'));
      expect(await asked(`${origin}/api/environments`, {} as ReturnType<typeof auth>)).toBe(401);
    },
  );

  test('names nothing without a host, and nothing by another scheme', async () => {
    for (const target of ['http:///api/environments', 'ftp://x/api/environments', 'http:/api/environments'])
      expect([target, [400, 404].includes(await asked(target))]).toEqual([target, true]);
  });
});

test('an example of the contract is accepted as it stands', async () => {
  for (const operation of contract.operations.filter(({ visitor }) => visitor)) {
    const path = await visitorPath(server, { token, bearer }, operation);
    const { status } = await raw(server.url, exampleRequest(operation, path));
    expect([operation.id, status]).toEqual([operation.id, exampleStatus(operation)]);
  }
});
