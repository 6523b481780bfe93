import { randomUUID } from 'node:crypto';
import { dsarDueAt } from '../../server/src/domain/deadlines';
import { post, raw } from '../helpers/http/raw';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { rowsIn } from '../helpers/site/people';

const REQUEST = { request_type: 'erasure', email: 'visitor@example.com' } as const;
const TYPES = [
  ...(['access', 'rectification', 'erasure', 'restriction', 'portability', 'objection'] as const),
  ...(['automated_decision', 'withdraw_consent', 'complaint'] as const),
];

// Both hosts answer visitors, and must answer the same.
describe.each([
  { host: 'the visitor host', visitorHost: true },
  { host: 'Express', visitorHost: false },
])('a request through $host', ({ visitorHost }) => {
  const server = useServer({ visitorHost });

  test('is taken without a login and answered with its receipt alone', async () => {
    const { token } = await server.site();
    const { status, json } = await post(server.url, `/api/dsar/${token}`, REQUEST);
    expect(status).toBe(201);
    expect(json).toEqual({
      status: 'success',
      message: 'Request received.',
      data: {
        request_id: expect.any(String),
        status: 'created',
        created_at: expect.any(String),
        due_at: expect.any(String),
      },
    });
  });

  test('is due exactly 30 days after it was created', async () => {
    const { token } = await server.site();
    const before = Date.now();
    const { created_at, due_at } = await submit(server, token);
    expect(due_at).toBe(dsarDueAt(new Date(created_at), 'UTC').toISOString());
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before - 5);
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now() + 5);
  });

  test('is shown to the operator as it was sent, with the beginning of its history', async () => {
    const { client, token } = await server.site({ default_language: 'de', languages: ['de'] });
    const session_id = randomUUID();
    const sent = {
      request_type: 'rectification' as const,
      email: 'Ada.Lovelace@Example.com',
      name: 'Ada Lovelace 🦉',
      message: 'My name is spelt\nwrong.',
      session_id: session_id.toUpperCase(),
      language: 'pt-BR',
    };
    const receipt = await submit(server, token, sent);
    expect(await client.getDsar({ token, request_id: receipt.request_id })).toEqual({
      ...sent,
      ...receipt,
      session_id,
      ...{ channel: 'online', received_on: null, contact: null },
      ...{ email_verified_at: null, identification: 'not_required' },
      extended_until: null,
      extension_reason: null,
      resolved_at: null,
      resolution: null,
      resolution_note: null,
      possible_duplicate_of: null,
      assignee: null,
      ...{ search: null, answer: null, undelivered: [], disowned_at: null, mailing: 'no_mail_server' },
      overdue: false,
      history: [{ at: expect.any(String), actor: 'data subject', action: 'created', note: null }],
      evidence: expect.any(Object),
    });
  });

  test('needs no more than a type and an address; its language is then that of the site', async () => {
    const { client, token } = await server.site({ default_language: 'de', languages: ['de'] });
    const { request_id } = await submit(server, token);
    expect(await client.getDsar({ token, request_id })).toMatchObject({
      ...{ name: null, message: null, session_id: null, language: 'de' },
    });
  });

  test.each(TYPES)('may be of type %s', async (request_type) => {
    const { client, token } = await server.site();
    const { request_id } = await submit(server, token, { request_type });
    expect((await client.getDsar({ token, request_id })).request_type).toBe(request_type);
  });

  test.each(['text/plain', 'text/plain;charset=UTF-8', 'application/json; charset=utf-8'])(
    'may be sent as %s',
    async (type) => {
      const { client, token } = await server.site();
      const headers = { 'Content-Type': type };
      const { status, json } = await post(server.url, `/api/dsar/${token}`, REQUEST, headers);
      expect(status).toBe(201);
      const { items } = await client.listDsar({ token });
      expect(items.map(({ request_id }) => request_id)).toEqual([json.data.request_id]);
    },
  );

  test('is refused in any other media type', async () => {
    const { token } = await server.site();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await post(server.url, `/api/dsar/${token}`, REQUEST, headers)).status).toBe(415);
  });

  test('is answered the same whether or not there was an earlier one', async () => {
    const { token } = await server.site();
    const answers = [];
    for (let count = 0; count < 3; count += 1)
      answers.push(await post(server.url, `/api/dsar/${token}`, REQUEST));
    const shapes = answers.map(({ status, headers, json }) => ({
      status,
      headers: Object.keys(headers).sort(),
      length: headers['content-length'],
      message: json.message,
      data: Object.entries(json.data).map(([key, value]) => [key, String(value).length]),
    }));
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(new Set(answers.map(({ json }) => json.data.request_id)).size).toBe(3);
  });

  test('tells the operator of the latest earlier one of the same address and type, in any case', async () => {
    const { client, token } = await server.site();
    const duplicateOf = async (request_id: string) =>
      (await client.getDsar({ token, request_id })).possible_duplicate_of;
    const first = await submit(server, token, { email: 'visitor@example.com' });
    const other = await submit(server, token, { email: 'visitor@example.com', request_type: 'access' });
    const second = await submit(server, token, { email: 'VISITOR@Example.COM' });
    const third = await submit(server, token, { email: 'Visitor@example.com' });
    expect(await duplicateOf(first.request_id)).toBeNull();
    expect(await duplicateOf(other.request_id)).toBeNull();
    expect(await duplicateOf(second.request_id)).toBe(first.request_id);
    expect(await duplicateOf(third.request_id)).toBe(second.request_id);
  });

  test('knows nothing of the requests of another environment', async () => {
    const [one, two] = [await server.site(), await server.site()];
    await submit(server, one.token);
    const { request_id } = await submit(server, two.token);
    const found = await two.client.getDsar({ token: two.token, request_id });
    expect(found.possible_duplicate_of).toBeNull();
  });

  test.each([
    'visitor@example.com\r\nBcc: everybody@example.com',
    'visitor@example.com\nBcc:everybody@example.com',
    'visitor@example.com\rX:y',
    'visitor\n@example.com',
    'visitor@example.com\u2028Bcc:x@example.com',
    '"a\r\nb"@example.com',
    'visitor@example.com,everybody@example.com',
    'Visitor <visitor@example.com>',
    'visitor@example.com\t',
    ' visitor@example.com',
    'visitor@exam\u007fple.com',
    'visitor@@example.com',
    'visitor@example',
    'visitor',
    '',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(250)}.com`,
  ])('with the address %j is refused, and nothing is stored or sent', async (email) => {
    const { token } = await server.site();
    const { status, json } = await post(server.url, `/api/dsar/${token}`, { ...REQUEST, email });
    expect([status, json.data.code, pathsOf(json.data)]).toEqual([400, 'validation_failed', ['body.email']]);
    expect(await rowsIn(server, 'dsar_requests', token)).toEqual([]);
    expect(await rowsIn(server, 'events', token)).toEqual([]);
  });

  test.each([
    ['nothing at all', {}, ['body.email', 'body.request_type']],
    ['an unknown type', { ...REQUEST, request_type: 'deletion' }, ['body.request_type']],
    ['an empty name', { ...REQUEST, name: '' }, ['body.name']],
    ['an empty message', { ...REQUEST, message: '' }, ['body.message']],
    ['null for a name', { ...REQUEST, name: null }, ['body.name']],
    ['a number for a message', { ...REQUEST, message: 7 }, ['body.message']],
    ['a session that is no UUID', { ...REQUEST, session_id: 'mine' }, ['body.session_id']],
    ['a language that is none', { ...REQUEST, language: 'german!' }, ['body.language']],
    ['a name of 201 characters', { ...REQUEST, name: 'n'.repeat(201) }, ['body.name']],
    ['a message of 10,001 characters', { ...REQUEST, message: 'm'.repeat(10_001) }, ['body.message']],
    ['a NUL in the message', { ...REQUEST, message: 'a\0b' }, ['body.message']],
    ['half a surrogate pair', { ...REQUEST, name: '\ud83e' }, ['body.name']],
    ['a state of its own', { ...REQUEST, status: 'resolved' }, ['body.status']],
    ['a deadline of its own', { ...REQUEST, due_at: '2099-01-01T00:00:00.000Z' }, ['body.due_at']],
    [
      'several faults',
      { request_type: 'x', email: 'y', name: '', more: 1 },
      ['body.email', 'body.more', 'body.name', 'body.request_type'],
    ],
  ])('with %s is refused, every fault named', async (_, body, paths) => {
    const { token } = await server.site();
    const { status, json } = await post(server.url, `/api/dsar/${token}`, body);
    expect([status, pathsOf(json.data)]).toEqual([400, paths]);
    expect(await rowsIn(server, 'dsar_requests', token)).toEqual([]);
  });

  test('may have a message of 10,000 characters of four bytes', async () => {
    const { client, token } = await server.site();
    const message = '🦉'.repeat(10_000);
    const { request_id } = await submit(server, token, { message });
    expect((await client.getDsar({ token, request_id })).message).toBe(message);
  });

  test.each([false, true])('with a megabyte of text is refused with 413 (chunked: %s)', async (chunked) => {
    const { token } = await server.site();
    const body = JSON.stringify({ ...REQUEST, message: 'm'.repeat(1024 * 1024) });
    for (let count = 0; count < 5; count += 1) {
      const answer = await raw(server.url, {
        ...{ method: 'POST', path: `/api/dsar/${token}`, body, chunked },
        headers: { 'Content-Type': 'application/json' },
      });
      expect([answer.status, answer.json.data.code]).toEqual([413, 'payload_too_large']);
    }
    expect(await rowsIn(server, 'dsar_requests', token)).toEqual([]);
  });

  test('that is no JSON is refused', async () => {
    const { token } = await server.site();
    const path = `/api/dsar/${token}`;
    for (const body of ['', '{', 'email=visitor@example.com', 'null', '[]', '"text"']) {
      const headers = { 'Content-Type': 'application/json' };
      expect((await raw(server.url, { method: 'POST', path, headers, body })).status).toBe(400);
    }
  });

  test('of an unknown environment is 404, of a paused one 403', async () => {
    const { client, token } = await server.site();
    const unknown = await refusal(submit(server, `env_${'0'.repeat(22)}`));
    expect([unknown.status, unknown.code]).toEqual([404, 'not_found']);
    await client.updateEnvironment({ token, body: { status: 'paused' } });
    const paused = await refusal(server.visitor.submitDsar({ token, body: REQUEST }));
    expect([paused.status, paused.code]).toEqual([403, 'forbidden']);
  });

  describe('with an idempotency key', () => {
    const send = (token: string, key: string, body: object = REQUEST) =>
      post(server.url, `/api/dsar/${token}`, body, { 'Idempotency-Key': key });

    test('is stored once, reported once and answered the same each time', async () => {
      const { token } = await server.site();
      const key = randomUUID();
      const answers = [await send(token, key), await send(token, key), await send(token, key)];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await rowsIn(server, 'dsar_requests', token)).toHaveLength(1);
      expect(await rowsIn(server, 'events', token)).toHaveLength(1);
    });

    test('is stored once also when all of them come at once', async () => {
      const { token } = await server.site();
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(token, key)));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await rowsIn(server, 'dsar_requests', token)).toHaveLength(1);
      expect(await rowsIn(server, 'events', token)).toHaveLength(1);
    });

    test('is refused with another body of the same session', async () => {
      const { token } = await server.site();
      const [key, body] = [randomUUID(), { ...REQUEST, session_id: randomUUID() }];
      await send(token, key, body);
      const { status, json } = await send(token, key, { ...body, email: 'other@example.com' });
      expect([status, json.data.code]).toEqual([409, 'conflict']);
      expect(await rowsIn(server, 'dsar_requests', token)).toHaveLength(1);
    });

    test('is another one in another environment', async () => {
      const [one, two] = [await server.site(), await server.site()];
      const key = randomUUID();
      const ids = [await send(one.token, key), await send(two.token, key)].map(
        ({ json }) => json.data.request_id,
      );
      expect(new Set(ids).size).toBe(2);
    });

    test('that was refused may be corrected under the same key', async () => {
      const { token } = await server.site();
      const key = randomUUID();
      expect((await send(token, key, { ...REQUEST, email: 'x' })).status).toBe(400);
      expect((await send(token, key)).status).toBe(201);
    });

    test('that is none is refused', async () => {
      const { token } = await server.site();
      for (const key of ['with space', 'k'.repeat(129)]) {
        const { status, json } = await send(token, key);
        expect([status, pathsOf(json.data)]).toEqual([400, ['header.idempotency-key']]);
      }
    });
  });

  test('keeps no trace of the sender but what was sent', async () => {
    const { token } = await server.site();
    const headers = { 'User-Agent': 'Very Special Browser 7' };
    await post(server.url, `/api/dsar/${token}`, REQUEST, headers);
    const stored = JSON.stringify([
      await rowsIn(server, 'dsar_requests', token),
      await rowsIn(server, 'events', token),
    ]);
    expect(stored).not.toMatch(/127\.0\.0\.1|::1"|Very Special/);
  });
});
