import { randomUUID } from 'node:crypto';
import { loadContract } from '../../server/src/contract/operations';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

/** Five hours and three quarters ahead of UTC, in winter and summer. */
const ZONE = 'Asia/Kathmandu';
const DAY = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
/** Three decisions around a midnight of the site: the last of a day, the first and the last of the next. */
const MIDNIGHT = Date.parse(`${dayAgo(3)}T00:00:00.000+05:45`);
const TIMES = [MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + DAY - 1].map((at) => new Date(at).toISOString());

async function siteWithRecords() {
  const owner = await server.site({ time_zone: ZONE });
  const { db } = server.service.context;
  for (const recorded_at of TIMES) {
    const { consent_id } = await server.visitor.logConsent({
      token: owner.token,
      body: { session_id: randomUUID(), decision: 'accept_all' },
    });
    // The names of words are 64 bits, more than a number holds.
    const words = ['kind', 'agent', 'page'].map((column) => db.raw('??::text', [column]));
    const row = await db('consents')
      .where({ consent_id })
      .first('*', ...words);
    await db('consents').insert({
      ...row,
      categories: row.categories && JSON.stringify(row.categories),
      consent_id: randomUUID(),
      session_id: randomUUID(),
      recorded_at,
    });
    await db('consents').where({ consent_id }).delete();
  }
  return owner;
}

test("a day without a time is the site's day, in lists and in exports", async () => {
  const { client, token } = await siteWithRecords();
  const range = { from: dayAgo(3), to: dayAgo(2) };
  const { items } = await client.listConsents({ token, ...range });
  expect(items.map(({ recorded_at }) => recorded_at)).toEqual([TIMES[2], TIMES[1]]);
  const lines = (await (await client.exportConsents({ token, ...range })).text()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).recorded_at)).toEqual([TIMES[1], TIMES[2]]);
  // Mixed with an instant, and an instant alone, as before.
  const mixed = await client.listConsents({ token, from: TIMES[0] as string, to: dayAgo(3) });
  expect(mixed.items.map(({ recorded_at }) => recorded_at)).toEqual([TIMES[0]]);
});

test('and in analytics', async () => {
  const { client, token } = await server.site({ time_zone: ZONE });
  const report = await client.getAnalytics({ token, from: '2026-01-14', to: '2026-01-16' });
  expect([report.from, report.to]).toEqual(['2026-01-13T18:15:00.000Z', '2026-01-15T18:15:00.000Z']);
  expect(report.series.map(({ start }) => start)).toEqual([
    '2026-01-13T18:15:00.000Z',
    '2026-01-14T18:15:00.000Z',
  ]);
});

test.each(['2026-02-30', '2026-02-30T00:00:00Z', '2025-02-29'])('%s does not exist', async (from) => {
  const { client, token } = await server.site();
  const refused = await refusal(client.listConsents({ token, from }));
  expect([refused.status, pathsOf(refused)]).toEqual([400, ['query.from']]);
});

test('every range of a list, a report or an export takes days', () => {
  const ranges = loadContract().operations.filter(({ queryNames }) => queryNames.has('from'));
  expect(ranges.length).toBeGreaterThan(3);
  for (const { id, timeNames } of ranges)
    expect([id, timeNames.filter((name) => !name.startsWith('due_'))]).toEqual([id, ['from', 'to']]);
});
