import { randomUUID } from 'node:crypto';
import { post } from '../helpers/http/raw';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type Client, startServer, useServer } from '../helpers/server';
import { countsOf } from '../helpers/site/counts';
import { member, rowsIn } from '../helpers/site/people';

const server = useServer();

type Send = (
  visitor: Client,
  token: string,
  session_id: string,
  more: object,
  options: object,
) => Promise<{ consent_id: string }>;

const operations: [string, Send][] = [
  [
    'logConsent',
    (visitor, token, session_id, more, options) =>
      visitor.logConsent({ token, body: { session_id, decision: 'accept_all', ...more } }, options),
  ],
  [
    'savePreferences',
    (visitor, token, session_id, more, options) =>
      visitor.savePreferences(
        { token, body: { session_id, categories: { analytics: true }, ...more } },
        options,
      ),
  ],
];

describe.each(operations)('%s', (_, send) => {
  test('a repetition gets the first answer and makes no second row or count', async () => {
    const { client, token } = await server.site();
    const [session, options] = [randomUUID(), { idempotencyKey: randomUUID() }];
    const first = await send(server.visitor, token, session, {}, options);
    const counts = await countsOf(server, token);
    expect(await send(server.visitor, token, session, {}, options)).toEqual(first);
    expect((await client.listConsents({ token })).items).toEqual([first]);
    expect(await countsOf(server, token)).toEqual(counts);
  });

  test('another body under the same key is refused and stores nothing', async () => {
    const { client, token } = await server.site();
    const [session, options] = [randomUUID(), { idempotencyKey: randomUUID() }];
    const first = await send(server.visitor, token, session, {}, options);
    for (const more of [{ language: 'de' }, { session_id: session.toUpperCase() }]) {
      const error = await refusal(send(server.visitor, token, session, more, options));
      expect([error.status, error.code]).toEqual([409, 'conflict']);
    }
    expect((await client.listConsents({ token })).items).toEqual([first]);
  });

  test('a stranger who took the key takes no decision from another session', async () => {
    const { client, token } = await server.site();
    const options = { idempotencyKey: 'checkout-4711' };
    const [stranger, visitor] = [randomUUID(), randomUUID()];
    await send(server.visitor, token, stranger, {}, options);
    const made = await send(server.visitor, token, visitor, {}, options);
    expect(made).toMatchObject({ session_id: visitor });
    expect(await send(server.visitor, token, visitor, {}, options)).toEqual(made);
    expect((await client.listConsents({ token })).items).toHaveLength(2);
  });

  test('at once, the sessions of one key do not meet', async () => {
    const { client, token } = await server.site();
    const options = { idempotencyKey: 'checkout-4711' };
    const sessions = Array.from({ length: 10 }, () => randomUUID());
    const answers = await Promise.all(sessions.map((one) => send(server.visitor, token, one, {}, options)));
    expect(new Set(answers.map(({ consent_id }) => consent_id)).size).toBe(10);
    expect((await client.listConsents({ token })).items).toHaveLength(10);
  });

  test('twenty at once make one row, and each gets it', async () => {
    const { client, token } = await server.site();
    const [session, options] = [randomUUID(), { idempotencyKey: randomUUID() }];
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(server.visitor, token, session, {}, options)),
    );
    const { items } = await client.listConsents({ token });
    expect(items).toHaveLength(1);
    for (const answer of answers) expect(answer).toEqual(items[0]);
  });

  test('twenty at once with two bodies: one body is stored, the other is refused', async () => {
    const { client, token } = await server.site();
    const [session, options] = [randomUUID(), { idempotencyKey: randomUUID() }];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (__, i) =>
        send(server.visitor, token, session, { language: i % 2 ? 'en' : 'de' }, options),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(10);
    for (const { reason } of refused) expect(reason.status).toBe(409);
    expect((await client.listConsents({ token })).items).toHaveLength(1);
  });

  test('twenty at once on two processes make one row', async () => {
    const second = await startServer({ databaseUrl: server.databaseUrl });
    try {
      const { client, token } = await server.site();
      const [session, options] = [randomUUID(), { idempotencyKey: randomUUID() }];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (__, i) =>
          send(i % 2 ? server.visitor : second.visitor, token, session, {}, options),
        ),
      );
      expect(new Set(answers.map(({ consent_id }) => consent_id)).size).toBe(1);
      expect((await client.listConsents({ token })).items).toHaveLength(1);
    } finally {
      await second.stop();
    }
  });

  test('without a key each request is a decision of its own', async () => {
    const { client, token } = await server.site();
    const session = randomUUID();
    for (let i = 0; i < 2; i += 1) await send(server.visitor, token, session, {}, {});
    expect((await client.listConsents({ token })).items).toHaveLength(2);
  });

  test('a refused request uses no key up', async () => {
    const { token } = await server.site();
    const [session, options] = [randomUUID(), { idempotencyKey: randomUUID() }];
    const error = await refusal(send(server.visitor, token, session, { banner_version: 9 }, options));
    expect(error.status).toBe(400);
    expect((await send(server.visitor, token, session, {}, options)).consent_id).toBeDefined();
  });
});

test('the same key means different things to different operations and sites', async () => {
  const [here, there] = [await server.site(), await server.site()];
  const [session, options] = [randomUUID(), { idempotencyKey: 'one-key' }];
  const ids = new Set<string>();
  for (const { token } of [here, there])
    for (const [, send] of operations)
      ids.add((await send(server.visitor, token, session, {}, options)).consent_id);
  expect(ids.size).toBe(4);
});

test.each(['', 'a b', 'x'.repeat(129), 'é', 'a\tb'])('the key %j is refused', async (key) => {
  const { token } = await server.site();
  const headers = { 'Idempotency-Key': Buffer.from(key).toString('latin1') };
  const body = { session_id: randomUUID(), decision: 'accept_all' };
  const { status, json } = await post(server.url, `/api/consents/${token}/log`, body, headers);
  expect([status, pathsOf(json.data)]).toEqual([400, ['header.idempotency-key']]);
});

const forms = {
  recordFormConsent: ['form-consents', 'form_consents', 'form_id'],
  submitDsar: ['dsar', 'dsar_requests', 'message'],
} as const;
const FORM = {
  form_id: 'newsletter',
  form_url: 'https://shop.example/join',
  subject: { email: 'a@visitor.example' },
  statements: [{ key: 'news', text: 'Send me news.', accepted: true }],
};
const DSAR = { request_type: 'erasure', email: 'a@visitor.example' };

describe.each(Object.entries(forms))('%s', (id, [path, table, field]) => {
  const send = (token: string, more: object) =>
    post(
      server.url,
      `/api/${path}/${token}`,
      { ...(id === 'submitDsar' ? DSAR : FORM), ...more },
      {
        'Idempotency-Key': 'checkout-4711',
      },
    );

  test('without a session, another body under a stranger’s key is a request of its own', async () => {
    const { token } = await server.site();
    expect((await send(token, { [field]: 'strange' })).status).toBe(201);
    const [first, again] = [await send(token, {}), await send(token, {})];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json.data).toEqual(first.json.data);
    expect(await rowsIn(server, table, token)).toHaveLength(2);
  });

  test('with a session, the key belongs to it', async () => {
    const { token } = await server.site();
    const [stranger, visitor] = [randomUUID(), randomUUID()];
    expect((await send(token, { session_id: stranger })).status).toBe(201);
    expect((await send(token, { session_id: visitor })).status).toBe(201);
    expect((await send(token, { session_id: visitor, [field]: 'other' })).status).toBe(409);
    expect(await rowsIn(server, table, token)).toHaveLength(2);
  });
});

test('a stored key does not hold the session', async () => {
  const { token } = await server.site();
  const session_id = randomUUID();
  const body = { session_id, decision: 'accept_all' as const };
  await server.visitor.logConsent({ token, body }, { idempotencyKey: 'checkout-4711' });
  const rows = await rowsIn(server, 'idempotency_keys', token);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.scope).not.toContain(session_id);
});

test('a key of one member is not that of another', async () => {
  const { client, token } = await server.site();
  const { client: colleague } = await member(server, { client, token }, 'operator');
  const visitor = { address: '203.0.113.7' };
  const record = (by: Client) =>
    by.logConsentForVisitor(
      { token, body: { session_id: randomUUID(), decision: 'accept_all', visitor } },
      { idempotencyKey: 'import-1' },
    );
  const made = [await record(client), await record(colleague)];
  expect(made[0]?.consent_id).not.toBe(made[1]?.consent_id);
});

test('the longest key is taken', async () => {
  const { token } = await server.site();
  const body = { session_id: randomUUID(), decision: 'accept_all' };
  const headers = { 'Idempotency-Key': '~'.repeat(128) };
  expect((await post(server.url, `/api/consents/${token}/log`, body, headers)).status).toBe(201);
});
