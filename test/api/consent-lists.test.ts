import { randomUUID } from 'node:crypto';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type Client, useServer } from '../helpers/server';

let client: Client;
let token: string;
const server = useServer();
beforeEach(async () => {
  ({ client, token } = await server.site());
});

const log = (decision: 'accept_all' | 'reject_all' = 'accept_all', session_id: string = randomUUID()) =>
  server.visitor.logConsent({ token, body: { session_id, decision } });

async function many(n: number) {
  const records = [];
  for (let i = 0; i < n; i += 1) records.unshift(await log());
  return records;
}

test('newest first, and every page begins where the one before ended', async () => {
  const records = await many(7);
  const pages: unknown[][] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listConsents({ token, limit: 3, ...(cursor && { cursor }) });
    pages.push(page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
  expect(pages.flat()).toEqual(records);
});

test('what arrives while somebody reads moves nothing', async () => {
  const records = await many(4);
  const first = await client.listConsents({ token, limit: 2 });
  await many(3);
  const second = await client.listConsents({ token, limit: 2, cursor: first.next_cursor as string });
  expect([...first.items, ...second.items]).toEqual(records);
});

test('records of the same instant are all listed, each once', async () => {
  await Promise.all(Array.from({ length: 40 }, () => log()));
  const seen = new Set<string>();
  let n = 0;
  for await (const { consent_id } of client.listConsents.each({ token, limit: 3 })) {
    seen.add(consent_id);
    n += 1;
  }
  expect([n, seen.size]).toEqual([40, 40]);
});

test('a page that ends with the last record has no next one', async () => {
  await many(2);
  expect((await client.listConsents({ token, limit: 2 })).next_cursor).toBeNull();
  expect((await client.listConsents({ token })).items).toHaveLength(2);
});

test('by session, by decision, and by both', async () => {
  const session_id = randomUUID();
  const [a, b, c] = [
    await log('accept_all', session_id),
    await log('reject_all', session_id),
    await log('reject_all'),
  ];
  const find = async (filter: object) => (await client.listConsents({ token, ...filter })).items;
  expect(await find({ session_id })).toEqual([b, a]);
  expect(await find({ decision: 'reject_all' })).toEqual([c, b]);
  expect(await find({ session_id, decision: 'accept_all' })).toEqual([a]);
  expect(await find({ session_id: randomUUID() })).toEqual([]);
});

test('`from` is included and `to` is not, in whatever offset they are written', async () => {
  const records = await many(3);
  const times = [
    new Date('2026-11-01T00:00:00.000Z'),
    new Date('2026-11-02T00:00:00.000Z'),
    new Date('2026-11-03T00:00:00.000Z'),
  ];
  for (const [i, record] of records.entries()) await move(record.consent_id, times[2 - i] as Date);
  const find = async (filter: object) =>
    (await client.listConsents({ token, ...filter })).items.map(({ recorded_at }) =>
      recorded_at.slice(8, 10),
    );
  expect(await find({ from: '2026-11-02T00:00:00Z' })).toEqual(['03', '02']);
  expect(await find({ to: '2026-11-02T00:00:00Z' })).toEqual(['01']);
  expect(await find({ from: '2026-11-02T00:00:00.001Z' })).toEqual(['03']);
  expect(await find({ from: '2026-11-02T05:45:00+05:45', to: '2026-11-02T19:00:00-05:00' })).toEqual(['02']);
  expect(await find({ from: '2026-11-03T00:00:00Z', to: '2026-11-01T00:00:00Z' })).toEqual([]);
  // The widest offset that RFC 3339 can write.
  expect(await find({ from: '2026-11-02T23:59:00+23:59', to: '2026-11-02T00:01:00-23:59' })).toEqual(['02']);
});

test('a broken cursor, limit, instant or filter is refused with its name', async () => {
  const refused = async (query: object) =>
    pathsOf(await refusal(client.listConsents({ token, ...query } as never)));
  const cursors = [
    ...['x', 'e30', Buffer.from('[]').toString('base64url'), Buffer.from('["a","b"]').toString('base64url')],
    Buffer.from(JSON.stringify(['2026-02-30T00:00:00.000Z', randomUUID()])).toString('base64url'),
    Buffer.from(JSON.stringify(['2026-02-03T00:00:00.000Z', randomUUID(), 'c'])).toString('base64url'),
    Buffer.from(JSON.stringify([1, 2])).toString('base64url'),
  ];
  for (const cursor of [...cursors, '', 'ä', 'a'.repeat(501)])
    expect(await refused({ cursor })).toEqual(['query.cursor']);
  for (const limit of [0, 201, -1, 1.5, 'ten', 2 ** 53])
    expect(await refused({ limit })).toEqual(['query.limit']);
  for (const from of [
    'yesterday',
    '2026-02-30T00:00:00Z',
    '1990-01-01T00:00:00Z',
    '2200-01-01T00:00:00Z',
    '0000-00-00T00:00:00Z',
    '2026-02-30',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:59:60Z',
  ])
    expect(await refused({ from })).toEqual(['query.from']);
  expect(await refused({ session_id: 'x', decision: 'maybe', limt: 5 })).toEqual([
    ...['query.decision', 'query.limt', 'query.session_id'],
  ]);
});

/** As if the record had been made at another time. */
async function move(consent_id: string, recorded_at: Date): Promise<void> {
  await server.service.context.db('consents').where({ consent_id }).update({ recorded_at });
}
