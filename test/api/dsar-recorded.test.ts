import { randomUUID } from 'node:crypto';
import type { Input } from '@avow/sdk';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { fromNow } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';

const server = useServer();

type Body = Input<'recordDsar'>['body'];
const letter: Body = {
  request_type: 'access',
  channel: 'letter',
  received_on: '2026-01-30',
  name: 'Ada Jones',
  contact: '12 Harbour Street, Hamburg',
};

test('a request that came by letter runs from the day that it came, and its event has no address', async () => {
  const site = await server.site();
  const { client, token, email, userId } = site;
  const request = await client.recordDsar({ token, body: letter });
  expect(request).toMatchObject({
    ...{ ...letter, email: '', status: 'created', overdue: true, session_id: null },
    due_at: '2026-02-28T23:59:59.999Z',
  });
  expect(request.history).toEqual([
    {
      at: expect.any(String),
      actor: email,
      action: 'recorded',
      note: 'letter, received on 2026-01-30',
      user_id: userId,
    },
  ]);
  expect(await client.getDsar({ token, request_id: request.request_id })).toEqual({
    ...request,
    ...{ search: null, evidence: expect.any(Object), answer: null, undelivered: [] },
  });
  const { items } = await client.listEvents({ token, order: 'newest' });
  expect(items[0]?.payload).toMatchObject({
    ...{ event: 'dsar.created', email: '', due_at: '2026-02-28T23:59:59.999+00:00' },
  });
  const extended = await client.extendDsar({
    token,
    request_id: request.request_id,
    body: { reason: 'Many systems.', told_on: '2026-02-20' },
  });
  expect(extended.extended_until).toBe('2026-04-28T23:59:59.999Z');
});

test('by telephone, with an e-mail address: an earlier one of the same address is named', async () => {
  const { client, token } = await server.site();
  const body: Body = {
    ...{ request_type: 'erasure', channel: 'telephone', email: 'ada@example.com' },
    received_on: fromNow(0).slice(0, 10),
  };
  const first = await client.recordDsar({ token, body });
  const second = await client.recordDsar({ token, body: { ...body, email: 'Ada@Example.com' } });
  expect(second.possible_duplicate_of).toBe(first.request_id);
  // Nobody's address is no address that two people share.
  const one = await client.recordDsar({ token, body: letter });
  const two = await client.recordDsar({ token, body: letter });
  expect([one.possible_duplicate_of, two.possible_duplicate_of]).toEqual([null, null]);
});

test.each([
  ['no way to answer', { contact: undefined }, ['email']],
  ['a day in the future', { received_on: '2098-01-01' }, ['received_on']],
  ['a day that does not exist', { received_on: '2026-02-30' }, ['received_on']],
  ['an instant for the day', { received_on: '2026-01-30T10:00:00Z' }, ['received_on']],
  ['the way online', { channel: 'online' }, ['channel']],
])('%s is refused', async (_, given, fields) => {
  const { client, token } = await server.site();
  const error = await refusal(client.recordDsar({ token, body: { ...letter, ...given } as Body }));
  expect([error.status, pathsOf(error)]).toEqual([400, fields.map((field) => `body.${field}`)]);
  expect(await rowsIn(server, 'dsar_requests', token)).toEqual([]);
});

test('viewers may not, operators may; one key records one request', async () => {
  const site = await server.site();
  const { token } = site;
  const viewer = await member(server, site, 'viewer');
  expect((await refusal(viewer.client.recordDsar({ token, body: letter }))).status).toBe(403);
  const operator = await member(server, site, 'operator');
  const options = { idempotencyKey: randomUUID() };
  const first = await operator.client.recordDsar({ token, body: letter }, options);
  expect(await operator.client.recordDsar({ token, body: letter }, options)).toEqual(first);
  expect(await rowsIn(server, 'dsar_requests', token)).toHaveLength(1);
});

test('after the deadline an extension is refused, unless the person was told before: a late answer stays late', async () => {
  const { client, token } = await server.site();
  const { request_id } = await client.recordDsar({ token, body: letter });
  const extend = (told_on?: string): ReturnType<typeof client.extendDsar> =>
    client.extendDsar({
      ...{ token, request_id },
      body: { reason: 'Many systems.', ...(told_on === undefined ? {} : { told_on }) },
    });
  const late = await refusal(extend());
  expect([late.status, late.message]).toEqual([
    409,
    expect.stringContaining('The deadline ended on 2026-02-28'),
  ]);
  const refused = await Promise.all(
    ['2026-03-01', '2026-02-30', '2026-01-29', '2999-01-01'].map(async (day) => {
      const error = await refusal(extend(day));
      return [day, error.status, pathsOf(error)];
    }),
  );
  expect(refused).toEqual([
    ['2026-03-01', 409, []],
    ['2026-02-30', 400, ['body.told_on']],
    ['2026-01-29', 400, ['body.told_on']],
    ['2999-01-01', 400, ['body.told_on']],
  ]);
  const extended = await extend('2026-02-28');
  expect(extended).toMatchObject({
    extended_until: '2026-04-28T23:59:59.999Z',
    extension_reason: 'Many systems.',
  });
  expect(extended.history.at(-1)).toMatchObject({
    action: 'extended',
    note: 'Many systems. (told on 2026-02-28)',
  });
});
