import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
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

test.each([
  ['a visitor', () => targets.visitor, decision, 4_096],
  ['an owner', () => targets.owner, () => site, 16_384],
])('%s may send a body in many small chunks, but not in ever so many', async (_, target, make, most) => {
  const padded = (size: number) => JSON.stringify(make()).padEnd(size, ' ');
  const send = (body: string, chunked: number) => {
    const { path, headers } = target();
    return raw(server.url, {
      ...{ method: 'POST', path, body, chunked },
      headers: { ...headers, 'Content-Type': JSON_TYPE },
    });
  };
  expect((await send(padded(most), 1)).status).toBe(201);
  expect((await send(padded(most * 3), 3)).status).toBe(201);
  const before = await allRows(server.service.context.db);
  for (const size of [most + 1, most * 4]) {
    const { status, json, headers } = await send(padded(size), 1);
    expect([size, status, json.data.code]).toEqual([size, 413, 'payload_too_large']);
    expect(json.message).toContain(`at most ${most} chunks`);
    expect(headers.connection).toBe('close');
  }
  expect(await allRows(server.service.context.db)).toEqual(before);
});

test.each([
  ['a visitor', () => targets.visitor, decision, 400],
  ['an owner', () => targets.owner, () => site, 2_000],
])("%s may not hide a flood in the extensions of a body's chunks", async (_, target, make, floods) => {
  const { path, headers } = target();
  const body = JSON.stringify(make());
  const head = Object.entries({ ...headers, 'Content-Type': JSON_TYPE, 'Transfer-Encoding': 'chunked' });
  const send = async (extended: number) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    // The rest of the flood finds a closed connection.
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (answer.includes('}')) socket.destroy();
    });
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n`);
    socket.write(`${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
    for (let n = 0; n < extended; n += 1) socket.write(`1;${'e'.repeat(10_000)}\r\n \r\n`);
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    if (!socket.destroyed) await once(socket, 'close');
    return answer;
  };
  expect(await send(3)).toMatch(/^HTTP\/1.1 201/);
  const before = await allRows(server.service.context.db);
  const answer = await send(floods);
  expect(answer).toMatch(/^HTTP\/1.1 413/);
  expect(answer).toContain('payload_too_large');
  expect(await allRows(server.service.context.db)).toEqual(before);
});

test('a slow line may bring a body of known length byte by byte', async () => {
  const body = JSON.stringify(decision()).padEnd(6_000, ' ');
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const answered = once(socket, 'data');
  const head = `POST ${targets.visitor.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n`);
  for (const byte of body) {
    socket.write(byte);
    await setImmediate();
  }
  expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 201 /);
  socket.destroy();
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
