import { randomUUID } from 'node:crypto';
import { tellMembers } from '../../server/src/jobs/notices';
import { HOUR, notedFor, siteId } from '../helpers/mail/notices';
import { useServer } from '../helpers/server';
import { member } from '../helpers/site/people';

const server = useServer({ variables: { ROLE: 'api' } });
const db = () => server.service.context.db;
const DAY = 24 * HOUR;
const tell = (later = 0): Promise<void> => tellMembers(server.service.context, new Date(Date.now() + later));

/** So many open requests of a site that are overdue, copied from one that a person has recorded. */
async function overdue(
  site: { client: Awaited<ReturnType<typeof server.site>>['client']; token: string },
  count: number,
) {
  const { request_id } = await site.client.recordDsar({
    token: site.token,
    body: {
      ...{ request_type: 'access', channel: 'letter', contact: '12 Harbour Street' },
      received_on: new Date(Date.now() - 200 * DAY).toISOString().slice(0, 10),
    },
  });
  const row = await db()('dsar_requests').where({ request_id }).first();
  const { deadline: _, ...columns } = row as Record<string, unknown>;
  const copies = Array.from({ length: count - 1 }, () => ({
    ...columns,
    history: JSON.stringify(columns.history),
    request_id: randomUUID(),
  }));
  await db().batchInsert('dsar_requests', copies, 200);
}

const topics = (noted: { topic: string }[]): string[] => [...new Set(noted.map(({ topic }) => topic))].sort();

test('of a kind that there is very much of, each member is told a share in a day, and that there is more', async () => {
  const site = await server.site();
  const others = await Promise.all(Array.from({ length: 5 }, () => member(server, site, 'operator')));
  await overdue(site, 300);
  // What is rare is told however much there is of the rest.
  await site.client.createBreach({
    token: site.token,
    body: {
      ...{ title: 'Lost laptop', description: 'A laptop was lost.' },
      aware_at: new Date(Date.now() - 30 * HOUR).toISOString(),
    },
  });
  const has = async (person: { userId: number }) =>
    (await notedFor(server, person)).filter(({ topic }) => topic === 'request_overdue');
  await tell();
  // A thousand for six members.
  for (const person of [site, ...others]) {
    const noted = await has(person);
    expect(noted).toHaveLength(167);
    expect(noted.filter(({ message }) => message.startsWith('There is more of this kind'))).toHaveLength(1);
  }
  expect(topics(await notedFor(server, site))).toEqual(
    expect.arrayContaining(['breach_clock', 'request_overdue']),
  );
  // However often somebody looks.
  await tell(HOUR);
  expect(await has(site)).toHaveLength(167);
  // The rest follows on the next day.
  await tell(DAY + HOUR);
  expect(await has(site)).toHaveLength(301);
});

test('whoever has little to be told waits for nobody who has much', async () => {
  const [many, few] = [await server.site(), await server.site()];
  await overdue(many, 150);
  await overdue(few, 1);
  // The site that there is much of comes first by its id.
  const ids = [await siteId(server, many.token), await siteId(server, few.token)];
  const order: string[] = [];
  const note = (_: unknown, query: { sql: string; bindings: unknown[] }) => {
    if (!query.sql.startsWith('insert into "notices"')) return;
    const id = ids.find((one) => query.bindings.includes(one));
    if (id !== undefined) order.push(id);
  };
  db().on('query-response', note);
  await tell();
  db().removeListener('query-response', note);
  expect(order).toEqual([ids[1], ids[0]]);
});
