import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase } from '../helpers/database';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { type Client, startServer, type TestServer } from '../helpers/server';
import { exportVisits } from './export-visits';
import { Clocks, type Dimension, type Interval, plusDays, recount, type Visit } from './recount';

jest.setTimeout(90_000);

const DAY = 86_400_000;
const LANGUAGES = ['de', 'en', 'fr', 'nl'];
const clocks = new Clocks('Europe/Berlin');
const folder = mkdtempSync(join(tmpdir(), 'avow-year-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let server: TestServer;
let client: Client;
let token: string;
let printed: string;
let visits: Visit[];
const now = Date.now();

beforeAll(async () => {
  database = await cloneDatabase();
  server = await startServer({ databaseUrl: database.url, variables: { ROLE: 'api' } });
  ({ client } = await server.person());
  const variables = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder },
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const seeded = await runToEnd(
    'server/cli/main.js',
    ['seed', '--events', '15000', '--days', '365'],
    variables,
  );
  printed = seeded.output;
  token = /token: (env_\w{22})$/m.exec(printed)?.[1] as string;
  visits = await exportVisits(client, token, (language) =>
    LANGUAGES.includes(language) ? language : 'other',
  );
});
afterAll(async () => {
  await endChildren();
  await server.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

type Report = ReturnType<typeof recount>;

/** What follows from records alone: banners that were only shown leave none. */
function fromRecords(
  report: Pick<Report, 'totals' | 'categories' | 'previous' | 'series'> & Partial<Report>,
) {
  const own = <Counts extends Report['totals']>(counts: Counts) => {
    const { impressions: _, no_choice: __, no_choice_rate: ___, ...rest } = counts;
    return rest;
  };
  const answered = <Counts extends Report['totals'] & { key: string }>(groups: Counts[] = []) =>
    Object.fromEntries(
      groups.filter(({ decisions }) => decisions > 0).map((group) => [group.key, own(group)]),
    );
  const series = (points: Report['series']) => points.map(own);
  const decided = ({ series: points }: Report['groups'][number]) =>
    points.some(({ decisions }) => decisions > 0);
  return {
    ...{ from: report.from, to: report.to, time_zone: report.time_zone },
    ...{ totals: own(report.totals), categories: report.categories, previous: own(report.previous) },
    series: series(report.series),
    groups: Object.fromEntries(
      (report.groups ?? []).filter(decided).map(({ key, series: points }) => [key, series(points)]),
    ),
    by_language: answered(report.by_language),
    by_banner_version: answered(report.by_banner_version),
    by_device: answered(report.by_device),
  };
}

test.each<[Interval, number, Dimension | undefined]>([
  ['month', 365, undefined],
  ['month', 365, 'banner_version'],
  ['week', 200, 'language'],
  ['day', 365, 'device'],
  ['day', 30, undefined],
  ['hour', 90, undefined],
])(
  'analytics by %s over %i days: every number follows from the exported consents',
  async (interval, days, by) => {
    const range = { from: now - days * DAY, to: now };
    const query = { interval, ...(by && { group_by: by }) };
    const report = await client.getAnalytics({
      token,
      from: new Date(range.from).toISOString(),
      to: new Date(range.to).toISOString(),
      ...query,
    });
    expect(report.totals.decisions).toBeGreaterThan(100);
    expect(fromRecords(report)).toEqual(fromRecords(recount(visits, clocks, { ...range, ...query })));
  },
);

test('what was shown and never answered adds up to what was written', async () => {
  const from = new Date(now - 366 * DAY).toISOString();
  const { totals, interactions, series, by_device } = await client.getAnalytics({
    token,
    from,
    interval: 'week',
  });
  const [shown, done, decided] = (
    /(\d+) impressions, (\d+) interactions, (\d+) decisions/.exec(printed) ?? []
  )
    .slice(1)
    .map(Number);
  const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
  expect(visits).toHaveLength(decided as number);
  expect(totals).toMatchObject({ impressions: shown, decisions: decided });
  expect(sum(interactions.map(({ count }) => count))).toBe(done);
  expect(totals.no_choice).toBe((shown as number) - (decided as number));
  expect(sum(series.map(({ impressions }) => impressions))).toBe(shown);
  expect(sum(by_device.map(({ impressions }) => impressions))).toBe(shown);
});

test('the compliance score counts the decisions that the records show', async () => {
  const { checks } = await client.getComplianceScore({ token });
  const since = plusDays(clocks.day(Date.now()), -30);
  const n = visits.filter(({ at }) => clocks.day(at) >= since).length;
  expect(checks.find(({ id }) => id === 'provable_consents')).toMatchObject({
    status: 'pass',
    evidence: `${n} of ${n} decisions of the last 30 days`,
  });
  expect(checks.find(({ id }) => id === 'banner_alive')).toMatchObject({ status: 'pass' });
});

test('the domain was seen on the day of the last record, or later', async () => {
  const last = Math.max(...visits.map(({ at }) => at));
  const found = await server.visitor.verifyDomain({ domain: 'harbour-books.example' });
  expect(found).toMatchObject({
    verified: true,
    environment_token: token,
    consent_active: true,
    policy_version: '2',
  });
  const seen = Date.parse(found.last_seen_at as string);
  expect(seen).toBe(clocks.startOfDay(clocks.day(seen)));
  expect(seen).toBeGreaterThanOrEqual(clocks.startOfDay(clocks.day(last)));
});

test('the records of processing name where the proof is and how long it is kept', async () => {
  const answer = (await client.exportRopa({ token })) as unknown as Response;
  const { entries } = (await answer.json()).data;
  expect(entries).toContainEqual(
    expect.objectContaining({
      name: 'Proof of consent',
      retention: '1825 days',
      consent_records: expect.stringContaining(`/console/sites/${token}/consents`),
    }),
  );
});
