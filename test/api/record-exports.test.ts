import { randomUUID } from 'node:crypto';
import { handlers } from '../../server/src/api';
import type { Download } from '../../server/src/api/handler';
import { EnvironmentRow } from '../../server/src/db/models';
import { useServer } from '../helpers/server';
import { breachInput, fromNow, HOUR, submit } from '../helpers/site/data-subject-requests';
import { cutCsv } from '../reports/cut-csv';

const server = useServer();

type Site = Awaited<ReturnType<typeof server.site>>;

/** Three records of each kind, the oldest first, as their lists show them. */
async function filled() {
  const site = await server.site();
  const { client, token } = site;
  for (const title of ['one', '=2+2', 'x;"=3+3']) {
    await submit(server, token, { name: title });
    await client.createBreach({ token, body: breachInput({ title }) });
    await server.visitor.recordFormConsent({
      token,
      body: {
        form_id: 'news',
        form_url: 'https://shop.example.com/',
        subject: { external_id: title },
        statements: [{ key: 'a', text: 'Yes.', accepted: true }],
      },
    });
  }
  return site;
}

const KINDS = {
  requests: {
    file: (site: Site, query: object) => site.client.exportDsar({ token: site.token, ...query }),
    list: (site: Site, query: object) => site.client.listDsar({ token: site.token, ...query }),
    first: 'request_id',
    cell: 'name',
  },
  breaches: {
    file: (site: Site, query: object) => site.client.exportBreaches({ token: site.token, ...query }),
    list: (site: Site, query: object) => site.client.listBreaches({ token: site.token, ...query }),
    first: 'breach_id',
    cell: 'title',
  },
  'form-consents': {
    file: (site: Site, query: object) => site.client.exportFormConsents({ token: site.token, ...query }),
    list: (site: Site, query: object) => site.client.listFormConsents({ token: site.token, ...query }),
    first: 'form_consent_id',
    cell: undefined,
  },
  events: {
    file: (site: Site, query: object) => site.client.exportEvents({ token: site.token, ...query }),
    list: (site: Site, query: object) =>
      site.client.listEvents({ token: site.token, order: 'newest' as const, ...query }),
    first: 'event_id',
    cell: undefined,
  },
};

test.each(Object.entries(KINDS))(
  '%s: every record as the list shows it, the oldest first',
  async (name, kind) => {
    const site = await filled();
    const response = await kind.file(site, {});
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${name}-shop\\.example\\.com-\\d{4}-\\d\\d-\\d\\d\\.ndjson"$`),
    );
    const lines = (await response.text()).trimEnd().split('\n');
    const { items } = await kind.list(site, {});
    expect(items.length).toBeGreaterThanOrEqual(3);
    expect(lines.map((line) => JSON.parse(line))).toEqual([...items].reverse());
  },
);

test.each(Object.entries(KINDS))('%s: as CSV, with a header, and no cell is a formula', async (_, kind) => {
  const site = await filled();
  const response = await kind.file(site, { format: 'csv' });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const text = await response.text();
  expect(text.replace(/^\ufeff/, '')).toMatch(new RegExp(`^"?${kind.first}"?,`));
  expect(text).not.toMatch(/(^|,)"?=2\+2/m);
  for (const separator of [',', ';', '\t'])
    expect(cutCsv(text, separator).filter((cell) => /^\s*=/.test(cell))).toEqual([]);
  if (kind.cell !== undefined) expect(text).toContain("'=2+2");
});

test.each(Object.entries(KINDS))('%s: the list and the file take a range of time', async (_, kind) => {
  const site = await filled();
  const [past, future] = [fromNow(-HOUR), fromNow(HOUR)];
  const all = (await kind.list(site, {})).items.length;
  const count = async (query: object) => {
    const file = (await (await kind.file(site, query)).text()).split('\n').length - 1;
    expect((await kind.list(site, query)).items).toHaveLength(file);
    return file;
  };
  expect(await count({ from: past })).toBe(all);
  expect(await count({ from: past, to: future })).toBe(all);
  expect(await count({ from: future })).toBe(0);
  expect(await count({ to: past })).toBe(0);
});

test('more records than one batch arrive whole and once', async () => {
  const { client, token } = await server.site();
  await submit(server, token);
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  await server.service.context.db.raw(
    `INSERT INTO dsar_requests (environment_id, request_id, request_type, email, email_key, language, status, created_at, due_at, history)
     SELECT environment_id, gen_random_uuid(), request_type, email, email_key, language, status, created_at, due_at, history
     FROM dsar_requests, generate_series(1, 249) WHERE environment_id = ?`,
    [id],
  );
  const lines = (await (await client.exportDsar({ token })).text()).trimEnd().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).request_id)).size).toBe(250);
  expect(lines).toHaveLength(250);
});

/** The handler of each file, with the table that it reads and a column of it that can be heavy. */
const HEAVY = {
  requests: ['exportDsar', 'dsar_requests', 'request_id', 'name'],
  breaches: ['exportBreaches', 'breaches', 'breach_id', 'description'],
  'form-consents': ['exportFormConsents', 'form_consents', 'form_consent_id', 'form_url'],
  events: ['exportEvents', 'events', 'event_id', 'payload'],
} as const;

test.each(Object.entries(HEAVY))(
  '%s: however heavy the records are, memory holds no more than two batches of them',
  async (_, [operation, table, id, column]) => {
    const { token } = await filled();
    const { context } = server.service;
    const { db } = context;
    const environment = await EnvironmentRow.query(db).findOne({ token }).throwIfNotFound();
    const columns: string[] = await db('information_schema.columns')
      .where({ table_schema: 'public', table_name: table, is_generated: 'NEVER' })
      .pluck('column_name');
    const names = columns.map((name) => `"${name}"`).join();
    await db.raw(
      `INSERT INTO :table: (${names}) SELECT ${names} FROM (
         SELECT (jsonb_populate_record(r, jsonb_build_object(
           :id::text, gen_random_uuid(), :column::text, '{"filler":"' || repeat('x', 300000) || '"}'))).*
         FROM :table: r, generate_series(1, 40)
         WHERE r.environment_id = :environment
           AND r.:id: = (SELECT :id: FROM :table: WHERE environment_id = :environment LIMIT 1)) AS heavy`,
      { table, id, column, environment: environment.id },
    );
    const all: string[] = await db(table).where({ environment_id: environment.id }).pluck(id);
    const batches: number[] = [];
    const note = (rows: unknown) => {
      const size = JSON.stringify(rows).length;
      if (Array.isArray(rows) && size > 100_000) batches.push(size);
    };
    db.on('query-response', note);
    const request = { environment, query: {}, role: 'owner', caller: {} };
    const file = (await handlers[operation](context, request as never)) as Download;
    let taken = '';
    let ahead = 0;
    for await (const chunk of file.content) {
      ahead = Math.max(ahead, batches.reduce((sum, size) => sum + size, 0) - taken.length);
      taken += chunk;
    }
    db.off('query-response', note);
    const ids = taken
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)[id]);
    expect([...ids].sort()).toEqual(all.sort());
    expect(Math.max(...batches)).toBeLessThan(3_000_000);
    expect(ahead).toBeLessThan(6_000_000);
  },
);

test('an empty site gives an empty file, with a header as CSV', async () => {
  const site = await server.site();
  for (const kind of Object.values(KINDS)) {
    expect(await (await kind.file(site, {})).text()).toBe('');
    expect((await (await kind.file(site, { format: 'csv' })).text()).trimEnd().split('\n')).toHaveLength(1);
  }
});

test('a record is found by the beginning of its id, and by that of its session', async () => {
  const { client, token } = await server.site();
  const log = (session_id: string) =>
    server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  const session = randomUUID();
  const [first, second, other] = [await log(session), await log(session), await log(randomUUID())];
  const found = async (id: string) =>
    (await client.listConsents({ token, id })).items.map(({ consent_id }) => consent_id);
  expect(await found(session)).toEqual([second.consent_id, first.consent_id]);
  expect(await found(session.toUpperCase().slice(0, 8))).toEqual([second.consent_id, first.consent_id]);
  expect(await found(`${session.slice(0, 13)}`)).toEqual([second.consent_id, first.consent_id]);
  expect(await found(other.consent_id)).toEqual([other.consent_id]);
  // Records of the same minute begin alike.
  expect(await found(other.consent_id.slice(0, 8))).toContain(other.consent_id);
  expect(await found(randomUUID())).toEqual([]);
  const file = await (await client.exportConsents({ token, id: session.slice(0, 8) })).text();
  expect(file.trimEnd().split('\n')).toHaveLength(2);
});

test.each(['0b6f1d9', 'zzzzzzzz', '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11-', '0b6f1d9e%'])(
  'the beginning %s of an id is refused',
  async (id) => {
    const { client, token } = await server.site();
    await expect(client.listConsents({ token, id })).rejects.toMatchObject({ status: 400 });
  },
);

test.each([
  ['a control character of Latin-1', '\u0085=2+2'],
  ['a soft hyphen', '\u00ad=2+2'],
  ['an invisible separator', '\u2063=2+2'],
  ['a tag', '\u{e0041}=2+2'],
])('a formula behind %s is none', async (_, name) => {
  const { client, token } = await server.site();
  await server.visitor.submitDsar({
    token,
    body: { request_type: 'access', email: 'visitor@example.com', name },
  });
  const text = await (await client.exportDsar({ token, format: 'csv' })).text();
  expect(text).toContain(`'${name}`);
});
