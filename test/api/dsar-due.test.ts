import type { Input } from '@avow/sdk';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';
import { DAY, fromNow, submit } from '../helpers/site/data-subject-requests';

const server = useServer({ variables: { ROLE: 'api' } });

type Filters = Omit<Input<'listDsar'>, 'token'>;

/** A site with requests that are due so many days from now, by what each is called. */
async function desk(settings: object = {}) {
  const site = await server.site(settings);
  const { client, token } = site;
  const names = new Map<string, string>();
  const due = async (name: string, days: number, body: Parameters<typeof submit>[2] = {}) => {
    const { request_id } = await submit(server, token, body);
    names.set(request_id, name);
    const { db } = server.service.context;
    await db('dsar_requests')
      .where({ request_id })
      .update({ due_at: fromNow(days * DAY) });
    return request_id;
  };
  const listed = async (filters: Filters) =>
    (await client.listDsar({ token, order: 'deadline', ...filters })).items.map(
      ({ request_id }) => names.get(request_id) as string,
    );
  return { ...site, due, listed };
}

test('requests are found by their deadline, which an extension moves', async () => {
  const { client, token, due, listed } = await desk();
  await due('late', -1);
  await due('soon', 2);
  await due('later', 9);
  const extended = await due('extended', 3);
  await client.extendDsar({ token, request_id: extended, body: { reason: 'Many systems.' } });
  const resolved = await due('resolved', 4);
  await client.resolveDsar({ token, request_id: resolved, body: { resolution: 'fulfilled' } });
  expect(await listed({ due_after: fromNow(0) })).toEqual(['soon', 'resolved', 'later', 'extended']);
  expect(await listed({ due_before: fromNow(3 * DAY) })).toEqual(['late', 'soon']);
  expect(await listed({ due_after: fromNow(DAY), due_before: fromNow(5 * DAY) })).toEqual([
    'soon',
    'resolved',
  ]);
  expect(await listed({ due_within: 7 })).toEqual(['soon']);
  expect(await listed({ due_within: 10 })).toEqual(['soon', 'later']);
  expect(await listed({ due_within: 366 })).toEqual(['soon', 'later', 'extended']);
  expect(await listed({ overdue: true })).toEqual(['late']);
  const file = await (await client.exportDsar({ token, due_within: 7 })).text();
  expect(
    file
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).due_at),
  ).toHaveLength(1);
});

test('deadline, state, kind and assignee go together, over pages in the order of the deadline', async () => {
  const { client, token, due, listed } = await desk();
  for (let n = 0; n < 7; n += 1) {
    const request_id = await due(`access ${n}`, 6 - n / 2, { request_type: 'access' });
    if (n === 6) continue;
    await client.startDsar({ token, request_id });
    await client.assignDsar({ token, request_id, body: { assignee: 'me' } });
  }
  await due('erasure', 2);
  const filter: Filters = {
    ...{ due_within: 7, status: 'in_progress', request_type: 'access', assignee: 'me' },
    ...{ order: 'deadline', limit: 2 },
  };
  const found: string[] = [];
  for await (const { request_id, due_at } of client.listDsar.each({ token, ...filter }))
    found.push(`${due_at} ${request_id}`);
  expect(found).toHaveLength(6);
  expect(found).toEqual([...found].sort());
  expect(await listed({ ...filter, assignee: 'nobody' })).toEqual([]);
  expect(await listed({ ...filter, status: 'created' })).toEqual([]);
});

test('a day begins in the time zone of the site', async () => {
  const { due, listed } = await desk({ time_zone: 'Pacific/Kiritimati' });
  const request = await due('soon', 3);
  const midnight = '2030-05-01T10:00:00.000Z';
  const { db } = server.service.context;
  await db('dsar_requests').where({ request_id: request }).update({ due_at: midnight });
  expect(await listed({ due_after: '2030-05-02' })).toEqual(['soon']);
  expect(await listed({ due_before: '2030-05-02' })).toEqual([]);
  expect(await listed({ due_after: midnight, due_before: '2030-05-03' })).toEqual(['soon']);
});

test('what is no day, and no number of days, is refused at its place', async () => {
  const { client, token } = await server.site();
  const refused = async (filters: object) => pathsOf(await refusal(client.listDsar({ token, ...filters })));
  expect(await refused({ due_after: 'soon', due_before: '2026-02-30T00:00' })).toEqual([
    'query.due_after',
    'query.due_before',
  ]);
  expect(await refused({ due_after: '2026-02-30' })).toEqual(['query.due_after']);
  for (const due_within of [0, -1, 1.5, 367])
    expect(await refused({ due_within })).toEqual(['query.due_within']);
});

test('what is due is read by an index, however many requests were answered before', async () => {
  const { db } = server.service.context;
  const site = await server.site();
  const { id } = await db('environments').where({ token: site.token }).first('id');
  await db.raw(
    `INSERT INTO dsar_requests (environment_id, request_id, request_type, email, email_key, language, status, created_at, due_at, history)
     SELECT ?, gen_random_uuid(), 'access', 'a@example.com', 'a@example.com', 'en',
       CASE WHEN n % 1000 = 0 THEN 'created' ELSE 'resolved' END, now() - n * interval '1 hour', now() - n * interval '1 hour', '[]'
     FROM generate_series(1, 5000) AS n`,
    [id],
  );
  await db.raw('ANALYZE dsar_requests');
  const { rows } = await db.raw<{ rows: { 'QUERY PLAN': string }[] }>(
    `EXPLAIN SELECT * FROM dsar_requests WHERE environment_id = ? AND status <> 'resolved' AND deadline < now()
     ORDER BY deadline, request_id LIMIT 50`,
    [id],
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using dsar_requests_open/);
  expect((await site.client.listDsar({ token: site.token, overdue: true, limit: 200 })).items).toHaveLength(
    5,
  );
});
