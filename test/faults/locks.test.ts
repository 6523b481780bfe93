import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import pg from 'pg';
import { query } from '../helpers/processes/evidence';
import { type Answer, endAll, send } from '../helpers/processes/load';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const agent = new Agent({ keepAlive: true, maxSockets: 200 });
let token: string;
let bearer: string;

const server = useServer({ validateResponses: false });
beforeAll(async () => {
  const site = await server.site();
  token = site.token;
  bearer = (await server.service.context.tokens.issue(site.userId)).token;
  await query(server.databaseUrl, "UPDATE environments SET updated_at = now() - interval '1 hour'");
  await until('the site is known', async () => (await ask('decision')).status === 201);
});
afterAll(async () => {
  agent.destroy();
  await endAll();
});

/** What visitors and owners ask, each of which needs other tables. */
const REQUESTS = {
  decision: () => post(`/api/consents/${token}/log`, { session_id: randomUUID(), decision: 'accept_all' }),
  impression: () => post(`/api/impressions/${token}`, { session_id: randomUUID() }),
  preferences: () => get(`/api/preferences/${token}?session_id=${randomUUID()}`),
  form: () =>
    post(`/api/form-consents/${token}`, {
      form_id: 'newsletter',
      form_url: 'https://shop.example.com/newsletter',
      subject: { email: 'ada@example.com' },
      statements: [{ key: 'news', text: 'Send me news.', accepted: true }],
    }),
  owner: () => get(`/api/environments/${token}`, { Authorization: `Bearer ${bearer}` }),
  readiness: async () => {
    const startedAt = performance.now();
    const { status } = await fetch(`${server.url}/readyz`);
    return { status, headers: {}, text: '', milliseconds: performance.now() - startedAt };
  },
} satisfies Record<string, () => Promise<Answer>>;
type Name = keyof typeof REQUESTS;

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  send(agent, 'POST', `${server.url}${path}`, body, headers);
const get = (path: string, headers: Record<string, string> = {}) =>
  send(agent, 'GET', `${server.url}${path}`, undefined, headers);
const ask = (name: Name): Promise<Answer> => REQUESTS[name]();

/** Locks a table until the connection ends. */
async function locked(table: string): Promise<pg.Client> {
  const lock = new pg.Client({ connectionString: server.databaseUrl });
  await lock.connect();
  await lock.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return lock;
}

test.each<[table: string, stopped: Name[]]>([
  ['form_consents', ['form']],
  ['consents', ['decision']],
  ['session_choices', ['decision', 'preferences']],
  // An owner's page of a site shows warnings of webhooks, scans and unusual volume.
  ['webhooks', ['owner']],
  ['deliveries', []],
  ['events', []],
  ['bundles', []],
  ['idempotency_keys', []],
  ['job_runs', []],
  ['cookie_scans', ['owner']],
  ['scanned_pages', ['owner']],
  ['daily_counts', ['decision', 'impression', 'owner']],
])('while %s is locked, only %j must wait, and nobody for long', async (table, stopped) => {
  const lock = await locked(table);
  try {
    const statuses = new Map<Name, Set<number>>();
    let slowest = 0;
    // Many at once of what is blocked: they must not take what the others need.
    const names = Object.keys(REQUESTS) as Name[];
    const flood = names.flatMap((name) =>
      Array.from({ length: stopped.includes(name) && name !== 'owner' ? 60 : 5 }, () => name),
    );
    // Who waits is refused after five seconds; where nobody must wait, a few rounds tell.
    const end = Date.now() + (stopped.length > 0 ? 6_000 : 1_000);
    while (Date.now() < end) {
      await Promise.all(
        flood.map(async (name) => {
          const { status, milliseconds } = await ask(name);
          slowest = Math.max(slowest, milliseconds);
          statuses.set(name, (statuses.get(name) ?? new Set()).add(status));
        }),
      );
    }
    const refused = names.filter((name) => [...(statuses.get(name) ?? [])].some((status) => status >= 300));
    expect(refused.filter((name) => !stopped.includes(name))).toEqual([]);
    for (const name of stopped) expect([...(statuses.get(name) as Set<number>)]).toEqual([503]);
    expect(slowest).toBeLessThan(10_000);
  } finally {
    await lock.end();
  }
  await until('everything is answered again', async () => {
    const answers = await Promise.all((Object.keys(REQUESTS) as Name[]).map(ask));
    return answers.every(({ status }) => status < 300);
  });
  expect(await query(server.databaseUrl, 'SELECT FROM consents LIMIT 1')).toHaveLength(1);
});

test("while the audit trail is locked, owners' programs must wait, and no visitor of their site", async () => {
  // Of a site of its own, which no lock before has put aside.
  const { token, userId } = await server.site();
  const owner = { Authorization: `Bearer ${(await server.service.context.tokens.issue(userId)).token}` };
  const decided = () => ({ session_id: randomUUID(), decision: 'accept_all' });
  const decide = () => post(`/api/consents/${token}/log`, decided());
  const visitor = { address: '203.0.113.9' };
  const record = () => post(`/api/cookies/${token}/consents`, { ...decided(), visitor }, owner);
  const statuses = async (count: number, request: () => Promise<Answer>): Promise<number[]> => [
    ...new Set((await Promise.all(Array.from({ length: count }, request))).map(({ status }) => status)),
  ];
  expect([await statuses(1, record), await statuses(1, decide)]).toEqual([[201], [201]]);
  const lock = await locked('audit_events');
  try {
    let areRefused = false;
    const records = statuses(10, record).finally(() => {
      areRefused = true;
    });
    // Before the group that is stopped, in it, and while its site is put aside.
    while (!areRefused) expect(await statuses(5, decide)).toEqual([201]);
    expect(await records).toEqual([503]);
  } finally {
    await lock.end();
  }
  await until('it is stored again', async () => (await record()).status === 201);
});
