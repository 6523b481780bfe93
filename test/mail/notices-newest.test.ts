import { randomUUID } from 'node:crypto';
import { NO_SITE } from '../../server/src/db/audit-events';
import { tellMembers } from '../../server/src/jobs/notices';
import { DAY, HOUR, notedFor, siteId } from '../helpers/mail/notices';
import { useServer } from '../helpers/server';

jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api' } });
const db = () => server.service.context.db;
const ago = (time: number): string => new Date(Date.now() - time).toISOString();

type Site = Awaited<ReturnType<typeof server.site>>;

async function copies(table: string, row: Record<string, unknown>, key: string, count: number) {
  const { deadline: _, ...columns } = row;
  const rows = Array.from({ length: count }, () => ({
    ...columns,
    ...Object.fromEntries(
      Object.entries(columns).flatMap(([name, value]) =>
        Array.isArray(value) && name === 'history' ? [[name, JSON.stringify(value)]] : [],
      ),
    ),
    [key]: randomUUID(),
  }));
  await db().batchInsert(table, rows, 200);
}

/** So many requests that are overdue, and breaches that nobody has reported. */
async function late({ client, token }: Site, requests: number, breaches: number): Promise<void> {
  const { request_id } = await client.recordDsar({
    token,
    body: {
      ...{ request_type: 'access', channel: 'letter', contact: '12 Harbour Street' },
      received_on: ago(200 * DAY).slice(0, 10),
    },
  });
  const [request] = await db()('dsar_requests').where({ request_id });
  await copies('dsar_requests', request, 'request_id', requests - 1);
  const { breach_id } = await client.createBreach({
    token,
    body: { title: 'Lost laptop', description: 'A laptop was lost.', aware_at: ago(30 * HOUR) },
  });
  const [breach] = await db()('breaches').where({ breach_id });
  await copies('breaches', breach, 'breach_id', breaches - 1);
}

test('a look reads a bounded number of what is late at one site, however much there is, and reads it for others too', async () => {
  const [much, little] = [await server.site(), await server.site()];
  await late(much, 900, 900);
  await late(little, 1, 1);
  const ids = [await siteId(server, much.token), await siteId(server, little.token)];
  const read = new Map<string, number>();
  const count = (rows: unknown, { sql }: { sql: string }) => {
    const kind = /"(dsar_requests|breaches)"/.exec(sql)?.[1];
    if (kind === undefined || !Array.isArray((rows as { rows?: unknown }).rows ?? rows)) return;
    const all = ((rows as { rows?: unknown[] }).rows ?? rows) as { environment_id?: string }[];
    for (const { environment_id } of all) {
      const name = `${ids.indexOf(environment_id ?? '')} ${kind}`;
      read.set(name, (read.get(name) ?? 0) + 1);
    }
  };
  db().on('query-response', count);
  try {
    await tellMembers(server.service.context, new Date());
  } finally {
    db().removeListener('query-response', count);
  }
  expect(Object.fromEntries(read)).toEqual({
    ...{ '0 dsar_requests': 400, '0 breaches': 400 },
    ...{ '1 dsar_requests': 1, '1 breaches': 1 },
  });
});

test('what is late at one site in thousands keeps no notice of another kind of another site waiting', async () => {
  const [much, little] = [await server.site(), await server.site()];
  await late(much, 300, 1);
  await late(little, 1, 1);
  const ids = [await siteId(server, much.token), await siteId(server, little.token)];
  const order: string[] = [];
  const note = (_: unknown, query: { sql: string; bindings: unknown[] }) => {
    if (!query.sql.startsWith('insert into "notices"')) return;
    const id = ids.find((one) => query.bindings.includes(one));
    if (id !== undefined) order.push(`${ids.indexOf(id)} ${query.bindings.includes('breach_clock')}`);
  };
  db().on('query-response', note);
  try {
    await tellMembers(server.service.context, new Date(), undefined, 50);
  } finally {
    db().removeListener('query-response', note);
  }
  expect(order[0]).toBe('1 true');
});

test('of changes of members and keys a look reads a bounded number of each site and account, and tells of others', async () => {
  const [much, little] = [await server.site(), await server.site()];
  const now = new Date(Date.now() + 1_000);
  const event = (environment_id: string, account_id: number) => ({
    ...{ environment_id, account_id, occurred_at: now, audit_id: randomUUID(), operation: 'createKey' },
    ...{ kind: 'change', via: 'login', resource: 'key', changes: '[]', changes_left_out: 0 },
  });
  const id = await siteId(server, much.token);
  const rows = [
    ...Array.from({ length: 700 }, () => event(id, 0)),
    ...Array.from({ length: 700 }, () => event(NO_SITE, much.userId)),
    ...[event(await siteId(server, little.token), 0), event(NO_SITE, little.userId)],
  ];
  await db().batchInsert('audit_events', rows, 200);
  const read = new Map<string, number>();
  const count = (answer: unknown, { sql }: { sql: string }) => {
    if (!sql.includes('"audit_events"')) return;
    for (const row of answer as { environment_id: string; account_id: number; occurred_at: Date }[]) {
      if (row.occurred_at?.getTime() !== now.getTime()) continue;
      const name = `${row.environment_id} ${row.account_id}`;
      read.set(name, (read.get(name) ?? 0) + 1);
    }
  };
  db().on('query-response', count);
  try {
    await tellMembers(server.service.context, new Date(Date.now() + 2_000));
  } finally {
    db().removeListener('query-response', count);
  }
  expect([read.get(`${id} 0`), read.get(`${NO_SITE} ${much.userId}`)]).toEqual([400, 400]);
  const noted = await notedFor(server, little);
  expect(
    noted
      .filter(({ topic }) => topic === 'members_and_keys')
      .map(({ path }) => path.split('/').at(-1))
      .sort(),
  ).toEqual([...['account', 'keys']]);
});
