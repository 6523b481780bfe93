import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { startServer, type TestServer } from '../helpers/server';
import { ownedSite } from './support/contract-requests';
import { type RawRequest, raw } from './support/raw';
import { pathsOf } from './support/refusal';
import { allRows } from './support/rows';

const JSON_TYPE = 'application/json';
let server: TestServer;
let visitor: string;
let owner: { path: string; headers: Record<string, string> };
beforeAll(async () => {
  server = await startServer();
  const { token, bearer } = await ownedSite(server);
  visitor = `/api/consents/${token}/log`;
  owner = { path: '/api/environments', headers: { Authorization: `Bearer ${bearer}` } };
});
afterAll(() => server.stop());

const decision = () => ({ session_id: randomUUID(), decision: 'accept_all' });
const site = { name: 'Shop', domain: 'shop.example.com' };

/** Sends one body to a visitor operation and to an owner operation; both must refuse it alike and store nothing. */
async function refusedBy(
  body: string | Buffer | undefined,
  headers: Record<string, string> = { 'Content-Type': JSON_TYPE },
  more: Partial<RawRequest> = {},
) {
  const before = await allRows(server.service.context.db);
  const sent = { method: 'POST', ...(body !== undefined && { body }), ...more };
  const one = await raw(server.url, { ...sent, path: visitor, headers });
  const two = await raw(server.url, { ...sent, path: owner.path, headers: { ...headers, ...owner.headers } });
  expect(await allRows(server.service.context.db)).toEqual(before);
  const outcome = [one.status, one.json.data.code];
  expect([two.status, two.json.data.code]).toEqual(outcome);
  return outcome;
}

test.each([
  '{',
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '{}{}',
  '[1',
  'undefined',
  '\u0000',
  '{"a":"\u0001"}',
  '{"a":1}x',
  '  ',
])('the body %j is no JSON', async (body) => {
  expect(await refusedBy(body)).toEqual([400, 'invalid_json']);
});

test.each(['null', '[]', '"text"', '1', 'true'])('the body %s is no object', async (body) => {
  expect(await refusedBy(body)).toEqual([400, 'validation_failed']);
});

test('an empty body is no JSON, with or without a media type', async () => {
  expect(await refusedBy('')).toEqual([400, 'invalid_json']);
  expect(await refusedBy(undefined, {})).toEqual([400, 'invalid_json']);
  expect(await refusedBy('', { 'Content-Type': JSON_TYPE }, { chunked: true })).toEqual([
    400,
    'invalid_json',
  ]);
});

test('a body that is not UTF-8 is no JSON', async () => {
  for (const bytes of [
    [0xff, 0xfe, 0x7b, 0x00],
    [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ])
    expect(await refusedBy(Buffer.from(bytes))).toEqual([400, 'invalid_json']);
});

test.each([
  'text/html',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'json',
  '',
])('the media type %j is refused', async (type) => {
  expect(await refusedBy(JSON.stringify(decision()), { 'Content-Type': type })).toEqual([
    415,
    'unsupported_media_type',
  ]);
});

test('a body without a media type is refused', async () => {
  expect(await refusedBy('{}', {})).toEqual([415, 'unsupported_media_type']);
});

test.each(['latin1', 'utf-16', '"iso-8859-1"'])('the charset %s is refused', async (charset) => {
  expect(await refusedBy('{}', { 'Content-Type': `${JSON_TYPE}; charset=${charset}` })).toEqual([
    415,
    'unsupported_media_type',
  ]);
});

test.each(['gzip', 'br', 'deflate', 'x'])('the content encoding %s is refused', async (encoding) => {
  const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': encoding };
  expect(await refusedBy(gzipSync(JSON.stringify(decision())), headers)).toEqual([
    415,
    'unsupported_media_type',
  ]);
});

test.each([
  `${JSON_TYPE}; charset=utf-8`,
  `${JSON_TYPE};charset="UTF-8"`,
  'Application/JSON',
  `${JSON_TYPE}; charset=us-ascii`,
  `${JSON_TYPE}; x=y`,
])('the media type %s is taken', async (type) => {
  const headers = { 'Content-Type': type };
  const one = await raw(server.url, {
    method: 'POST',
    path: visitor,
    headers,
    body: JSON.stringify(decision()),
  });
  const two = await raw(server.url, {
    method: 'POST',
    path: owner.path,
    headers: { ...headers, ...owner.headers },
    body: JSON.stringify(site),
  });
  expect([one.status, two.status]).toEqual([201, 201]);
});

test('owner operations take no text/plain', async () => {
  const headers = { ...owner.headers, 'Content-Type': 'text/plain' };
  const { status } = await raw(server.url, {
    method: 'POST',
    path: owner.path,
    headers,
    body: JSON.stringify(site),
  });
  expect(status).toBe(415);
});

test('a byte-order mark, and a content encoding of identity, do no harm', async () => {
  const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'identity' };
  const { status } = await raw(server.url, {
    method: 'POST',
    path: visitor,
    headers,
    body: `\ufeff${JSON.stringify(decision())}`,
  });
  expect(status).toBe(201);
});

describe.each([
  ['a visitor', 64 * 1024, () => ({ path: visitor, headers: { 'Content-Type': JSON_TYPE } }), decision],
  [
    'an owner',
    1024 * 1024,
    () => ({ path: owner.path, headers: { 'Content-Type': JSON_TYPE, ...owner.headers } }),
    () => site,
  ],
])('%s', (_, limit, place, make) => {
  const padded = (size: number) => {
    const body = JSON.stringify(make());
    return body + ' '.repeat(size - body.length);
  };

  test('may send as much as the limit', async () => {
    for (const chunked of [false, true])
      expect(
        (await raw(server.url, { method: 'POST', ...place(), body: padded(limit), chunked })).status,
      ).toBe(201);
  });

  test.each([false, true])('may send no byte more (chunked: %s)', async (chunked) => {
    for (const size of [limit + 1, limit * 2, limit * 5]) {
      const before = await allRows(server.service.context.db);
      const { status, json } = await raw(server.url, {
        method: 'POST',
        ...place(),
        body: padded(size),
        chunked,
      });
      expect([size, status, json.data.code]).toEqual([size, 413, 'payload_too_large']);
      expect(await allRows(server.service.context.db)).toEqual(before);
    }
    expect((await raw(server.url, { method: 'POST', ...place(), body: JSON.stringify(make()) })).status).toBe(
      201,
    );
  });
});

test('what takes no body refuses one, and ignores an empty one', async () => {
  const token = visitor.split('/')[3] as string;
  const path = `/api/preferences/${token}?session_id=${randomUUID()}`;
  for (const [target, headers] of [
    [path, {}],
    ['/api/me', owner.headers],
  ] as const) {
    for (const chunked of [false, true]) {
      const answer = await raw(server.url, {
        path: target,
        headers: { ...headers, 'Content-Type': JSON_TYPE },
        body: '{}',
        chunked,
      });
      expect([answer.status, pathsOf(answer.json.data)]).toEqual([400, ['body']]);
    }
    const empty = await raw(server.url, {
      path: target,
      headers: { ...headers, 'Content-Type': JSON_TYPE, 'Content-Length': '0' },
    });
    expect(empty.status).toBe(200);
  }
});

test('NUL characters, lone surrogates and deep nesting are refused wherever they stand', async () => {
  const text = (value: string) =>
    `{"session_id":"${randomUUID()}","decision":"accept_all","language":${value}}`;
  const deep = '['.repeat(5000) + ']'.repeat(5000);
  for (const body of [
    text('"\\u0000"'),
    text('"\\ud800"'),
    text('"\\udc00\\ud800"'),
    text('{"\\u0000":1}'),
    text(deep),
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  ])
    expect(await refusedBy(body)).toEqual([400, 'validation_failed']);
  const pair = await raw(server.url, {
    ...{ method: 'POST', path: owner.path, headers: { ...owner.headers, 'Content-Type': JSON_TYPE } },
    body: '{"name":"\\ud83d\\ude00","domain":"shop.example.com"}',
  });
  expect([pair.status, pair.json.data.name]).toEqual([201, '😀']);
});

test('a thousand unknown fields and more stay within the bounds of an answer', async () => {
  const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`unknown${i}`, 1]));
  expect(await refusedBy(JSON.stringify(fields))).toEqual([400, 'validation_failed']);
  const query = Array.from({ length: 200 }, (_, i) => `q${i}=1`).join('&');
  expect(await refusedBy(JSON.stringify(fields), { 'Content-Type': JSON_TYPE })).toEqual([
    400,
    'validation_failed',
  ]);
  const both = await raw(server.url, {
    method: 'POST',
    path: `${visitor}?${query}`,
    headers: { 'Content-Type': JSON_TYPE },
    body: JSON.stringify(fields),
  });
  expect([both.status, both.json.data.errors.length]).toEqual([400, 1000]);
});
