import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase } from '../helpers/database';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { miscounted, outdatedChoices, query } from '../helpers/processes/evidence';
import { startServer, type TestServer } from '../helpers/server';

jest.setTimeout(90_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-tools-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let server: TestServer;

beforeAll(async () => {
  database = await cloneDatabase();
  server = await startServer({ databaseUrl: database.url });
});
afterAll(async () => {
  await endChildren();
  await server.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const seed = (...args: string[]) =>
  runToEnd('server/cli/main.js', ['seed', ...args], {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });

const tokenIn = (output: string): string =>
  /token: (env_\w{22})$/m.exec(output)?.[1] ?? `no token in: ${output}`;

/** How often each metric was counted for a site. */
async function counted(token: string): Promise<Record<string, number>> {
  const rows = await query<{ metric: string; n: number }>(
    database.url,
    'SELECT metric, sum(n)::int AS n FROM daily_counts WHERE environment_id = (SELECT id FROM environments WHERE token = $1) GROUP BY metric',
    [token],
  );
  return Object.fromEntries(rows.map(({ metric, n }) => [metric, n]));
}

const one = async <Row extends Record<string, unknown>>(sql: string, token: string): Promise<Row> =>
  (
    await query<Row>(database.url, `WITH site AS (SELECT * FROM environments WHERE token = $1) ${sql}`, [
      token,
    ])
  )[0] as Row;

describe('20,000 events of a year', () => {
  let token: string;
  let output: string;

  beforeAll(async () => {
    const { client, ...owner } = await server.person();
    expect(owner.userId).toBeGreaterThan(0);
    const done = await seed('--events', '20000');
    expect(done).toMatchObject({ code: 0, errors: '' });
    output = done.output;
    token = tokenIn(output);
    const { items } = await client.listEnvironments();
    expect(items.map((item) => item.token)).toEqual([token]);
  });

  test('are exactly as many, counted exactly as the service counts, and what was printed', async () => {
    const n = await counted(token);
    expect((n.impression ?? 0) + (n.interaction ?? 0) + (n.decision ?? 0)).toBe(20_000);
    expect(n.impression).toBeGreaterThan(n.decision ?? 0);
    expect(output).toContain(
      `${n.impression} impressions, ${n.interaction} interactions, ${n.decision} decisions`,
    );
    expect(await miscounted(database.url, token)).toEqual([]);
    expect(await outdatedChoices(database.url, token)).toEqual([]);
    const hourly = await one<{ n: number }>(
      'SELECT sum(n)::int AS n FROM hourly_counts, site WHERE environment_id = id',
      token,
    );
    const daily = await one<{ n: number }>(
      'SELECT sum(n)::int AS n FROM daily_counts, site WHERE environment_id = id',
      token,
    );
    expect(hourly).toEqual(daily);
  });

  test('look like those of a real site', async () => {
    const shape = await one<Record<string, number>>(
      `SELECT count(DISTINCT (recorded_at AT TIME ZONE 'UTC')::date)::int AS days, count(DISTINCT language)::int AS languages,
         count(DISTINCT banner_version)::int AS versions, count(DISTINCT user_agent)::int AS agents,
         count(DISTINCT method)::int AS methods, count(DISTINCT session_id)::int AS sessions, count(*)::int AS decisions,
         avg((extract(hour FROM recorded_at AT TIME ZONE 'UTC') BETWEEN 17 AND 20)::int)::float AS evening,
         max(recorded_at) < now() AS past
       FROM consents, site WHERE environment_id = id`,
      token,
    );
    expect(shape).toMatchObject({ languages: 5, versions: 2, methods: 3, past: true });
    expect(shape.days).toBeGreaterThan(350);
    expect(shape.agents).toBeGreaterThan(5);
    // Four hours are a sixth of the day, and busier than the others.
    expect(shape.evening).toBeGreaterThan(0.25);
    expect(shape.sessions).toBeLessThan(shape.decisions as number);
    const rates = await query<{ key: string; rate: number }>(
      database.url,
      `SELECT key, (sum(n) FILTER (WHERE metric = 'granted') / sum(n))::float AS rate FROM daily_counts
       WHERE metric IN ('granted', 'refused') GROUP BY key ORDER BY rate`,
    );
    expect(rates.map(({ key }) => key)).toEqual(['marketing', 'analytics', 'functional']);
    expect(rates.every(({ rate }) => rate > 0.3 && rate < 0.75)).toBe(true);
  });

  test('hold withdrawals, and records whose proof can be shown', async () => {
    const { consent_id } = await one<{ consent_id: string }>(
      `SELECT a.consent_id FROM site, consents a JOIN consents b USING (environment_id, session_id)
       WHERE a.environment_id = site.id AND a.decision = 'accept_all' AND b.decision = 'reject_all' AND b.recorded_at > a.recorded_at LIMIT 1`,
      token,
    );
    const { client } = await ownerOf();
    const record = await client.getConsent({ token, consent_id });
    expect(record.withdrawn_at).not.toBeNull();
    expect(new Date(record.shown.created_at) <= new Date(record.recorded_at)).toBe(true);
    const bundle = await client.getBundleRecord({ token, hash: record.shown_bundle?.hash as string });
    expect(bundle.version).toBe(record.banner_version);
    expect(new Date(bundle.created_at) <= new Date(record.recorded_at)).toBe(true);
  });

  async function ownerOf() {
    const person = await server.person();
    await query(
      database.url,
      `INSERT INTO members SELECT id, $2, 'owner', now() FROM environments WHERE token = $1`,
      [token, person.userId],
    );
    return person;
  }
});

test('a given site gets the events with its own settings, beside what it has', async () => {
  const { token } = await server.site();
  await server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
  const done = await seed('--events', '500', '--days', '7', '--site', token);
  expect(done).toMatchObject({ code: 0, errors: '' });
  const n = await counted(token);
  expect((n.impression ?? 0) + (n.interaction ?? 0) + (n.decision ?? 0)).toBe(501);
  expect(await miscounted(database.url, token)).toEqual([]);
});

test('a running server answers for the seeded sessions at once', async () => {
  const token = tokenIn((await seed('--events', '50', '--days', '1')).output);
  const { session_id, decision } = await one<{ session_id: string; decision: string }>(
    'SELECT session_id, decision FROM session_choices, site WHERE environment_id = id LIMIT 1',
    token,
  );
  expect(await server.visitor.getPreferences({ token, session_id })).toMatchObject({ decision });
});

test.each([
  [[], 2, '--events takes a whole number'],
  [['--events', '0'], 2, '--events takes a whole number'],
  [['--events', '10', '--days', '2000'], 2, '--days takes a whole number from 1 to 1825'],
  [['--evnets', '10'], 2, '--evnets'],
  [['--events', '10', '--site', `env_${'0'.repeat(22)}`], 1, 'There is no site with the token'],
])('a wrong call %j says what to do', async (args, code, message) => {
  const wrong = await seed(...args);
  expect(wrong).toMatchObject({ code, output: '' });
  expect(wrong.errors).toContain(message);
});
