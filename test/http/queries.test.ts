import { randomUUID } from 'node:crypto';
import { ownedSite } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';

let token: string;
let bearer: string;
const server = useServer();
beforeAll(async () => {
  ({ token, bearer } = await ownedSite(server));
});

const auth = () => ({ Authorization: `Bearer ${bearer}` });

describe('queries', () => {
  const get = (query: string) => raw(server.url, { path: `/api/preferences/${token}?${query}` });

  test.each([
    ['', ['query.session_id']],
    ['session_id=', ['query.session_id']],
    ['session_id=x&session_id=y', ['query.session_id']],
    [`session_id=${randomUUID()}&session_id=${randomUUID()}`, ['query.session_id']],
    [`session_id=${randomUUID()}&a=1&b=2`, ['query.a', 'query.b']],
    [`session_id=${randomUUID()}&__proto__=1`, ['query.__proto__']],
    [`session_id[]=${randomUUID()}`, ['query.session_id', 'query.session_id[]']],
    [`session_id=%00`, ['query.session_id']],
    [`SESSION_ID=${randomUUID()}`, ['query.SESSION_ID', 'query.session_id']],
  ])('?%s is refused at %j', async (query, paths) => {
    const { status, json } = await get(query);
    expect([status, json.data.code]).toEqual([400, 'validation_failed']);
    const found = json.data.errors.map(({ path }: { path: string }) => path);
    expect([...new Set(found)].sort()).toEqual(paths);
  });

  test('an encoded and an unencoded query mean the same', async () => {
    const path = `/api/cookies/${token}/consents?`;
    for (const query of ['from=2026-11-21T09:30:00Z', 'from=2026-11-21T09%3A30%3A00%2B01%3A00', '']) {
      expect([query, (await raw(server.url, { path: path + query, headers: auth() })).status]).toEqual([
        query,
        200,
      ]);
    }
    const unknown = await raw(server.url, { path: `${path}from=2026-11-21T09:30:00+01:00`, headers: auth() });
    // In a query `+` is a space (WHATWG URL): the instant is broken, and that is said.
    expect([unknown.status, unknown.json.data.errors[0].path]).toEqual([400, 'query.from']);
  });
});

describe('HEAD', () => {
  test('answers like GET without a body', async () => {
    const paths = [
      '/api/me',
      '/api/environments',
      `/api/environments/${token}`,
      `/api/cookies/${token}/consents`,
      '/api/me?x=1',
      '/api/nothing',
    ];
    for (const path of [
      ...paths,
      `/api/preferences/${token}?session_id=${randomUUID()}`,
      '/healthz',
      '/openapi.json',
    ]) {
      const [get, head] = [
        await raw(server.url, { path, headers: auth() }),
        await raw(server.url, { method: 'HEAD', path, headers: auth() }),
      ];
      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
  });

  test('of a file it gives the file’s headers', async () => {
    const path = `/api/cookies/${token}/consents/export`;
    const { status, headers, text } = await raw(server.url, { method: 'HEAD', path, headers: auth() });
    expect([status, headers['content-type'], text]).toEqual([200, 'application/x-ndjson', '']);
  });

  test('of what only takes POST it is refused', async () => {
    const { status, headers } = await raw(server.url, { method: 'HEAD', path: `/api/consents/${token}/log` });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });
});
