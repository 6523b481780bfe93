import { randomUUID } from 'node:crypto';
import { decision, JSON_TYPE, refusedBy, site, type Targets, targetsOf } from '../helpers/http/bodies';
import { type RawRequest, raw } from '../helpers/http/raw';
import { pathsOf } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { allRows } from '../helpers/site/rows';

let targets: Targets;
const server = useServer();
beforeAll(async () => {
  targets = await targetsOf(server);
});

const refused = (
  ...sent: [body: string | Buffer | undefined, headers?: Record<string, string>, more?: Partial<RawRequest>]
) => refusedBy(server, targets, ...sent);

describe.each([
  [
    'a visitor',
    64 * 1024,
    () => ({ path: targets.visitor.path, headers: { 'Content-Type': JSON_TYPE } }),
    decision,
  ],
  [
    'an owner',
    1024 * 1024,
    () => ({ path: targets.owner.path, headers: { 'Content-Type': JSON_TYPE, ...targets.owner.headers } }),
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
  const token = targets.visitor.path.split('/')[3] as string;
  const path = `/api/preferences/${token}?session_id=${randomUUID()}`;
  for (const [target, headers] of [
    [path, {}],
    ['/api/me', targets.owner.headers],
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
    expect(await refused(body)).toEqual([400, 'validation_failed']);
  const pair = await raw(server.url, {
    ...{
      method: 'POST',
      path: targets.owner.path,
      headers: { ...targets.owner.headers, 'Content-Type': JSON_TYPE },
    },
    body: '{"name":"\\ud83d\\ude00","domain":"shop.example.com"}',
  });
  expect([pair.status, pair.json.data.name]).toEqual([201, '😀']);
});

test('unknown fields by the thousand stay within the bounds of an answer', async () => {
  const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`unknown${i}`, 1]));
  expect(await refused(JSON.stringify(fields))).toEqual([400, 'validation_failed']);
  const query = Array.from({ length: 90 }, (_, i) => `q${i}=1`).join('&');
  expect(await refused(JSON.stringify(fields), { 'Content-Type': JSON_TYPE })).toEqual([
    400,
    'validation_failed',
  ]);
  const both = await raw(server.url, {
    method: 'POST',
    path: `${targets.visitor.path}?${query}`,
    headers: { 'Content-Type': JSON_TYPE },
    body: JSON.stringify(fields),
  });
  expect([both.status, both.json.data.errors.length]).toEqual([400, 100]);
});
