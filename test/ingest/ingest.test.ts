import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { Hosts } from '../../server/src/db/hosts';
import { connect } from '../../server/src/db/knex';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { Ingest, type IngestOptions } from '../../server/src/ingest/ingest';
import type { Site } from '../../server/src/ingest/site';
import { cloneDatabase } from '../helpers/database';
import { query } from '../helpers/processes/evidence';
import { count, decide, siteWith } from './entries';

const log = pino({ level: 'silent' });
let database: Awaited<ReturnType<typeof cloneDatabase>>;
const started: Ingest[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  for (const ingest of started) await ingest.stop();
  await database.drop();
});

/** The write path on the database of this file; `groups` are the sizes of what was committed or tried. */
function start(options: Partial<IngestOptions> = {}) {
  const groups: number[] = [];
  const ingest = new Ingest({
    hosts: new Hosts(database.url),
    log,
    onGroup: (entries) => groups.push(entries),
    onMissingPartition: () => Promise.reject(new Error('no partition should be missing')),
    ...options,
  });
  started.push(ingest);
  return { ingest, groups };
}

async function storedOf(site: { id: string }): Promise<number> {
  const [row] = await query<{ n: number }>(
    database.url,
    'SELECT count(*)::int AS n FROM consents WHERE environment_id = $1',
    [site.id],
  );
  return row?.n ?? 0;
}

const texts = {
  page_url: 'https://shop.example.com/"quoted"\\{brace},NULL/ü/日本/😀',
  tc_string: 'CP.x-y_z',
  gpp_string: 'DB~x',
  bundle_hash: 'a'.repeat(64),
};

test('a decision is stored as it was stated, whatever characters it holds', async () => {
  const { ingest } = start();
  const site = siteWith();
  const entry = decide(site, { ...texts, decision: 'save_preferences', categories: { analytics: true } });
  const { decision, repeated } = await ingest.record(entry);
  expect(repeated).toBe(false);
  expect(decision).toEqual(entry.decision);
  const [row] = await query(database.url, 'SELECT * FROM consents WHERE environment_id = $1', [site.id]);
  expect(row).toEqual({
    ...entry.decision,
    recorded_at: new Date(entry.decision.recorded_at),
    expires_at: new Date(entry.decision.expires_at),
    ...{ choice: null, kind: null, agent: null, page: null },
  });
});

test('entries that arrive together are one group, of several sites too', async () => {
  const { ingest, groups } = start();
  const sites = [siteWith(), siteWith()];
  await Promise.all(sites.flatMap((site) => [1, 2, 3].map(() => ingest.record(decide(site)))));
  expect(groups).toEqual([6]);
  expect(await Promise.all(sites.map(storedOf))).toEqual([3, 3]);
});

test('counts without a decision are added up', async () => {
  const { ingest } = start();
  const site = siteWith();
  await Promise.all([1, 2, 3].map(() => ingest.record({ site, counts: [count()] })));
  await ingest.record({ site, counts: [count()] });
  for (const table of ['daily_counts', 'hourly_counts']) {
    const sql = `SELECT metric, sum(n)::int AS n FROM ${table} WHERE environment_id = $1 GROUP BY 1`;
    expect(await query(database.url, sql, [site.id])).toEqual([{ metric: 'impression', n: 4 }]);
  }
});

describe('one bad entry', () => {
  test('that PostgreSQL refuses fails alone', async () => {
    const { ingest } = start();
    const site = siteWith();
    const entries = Array.from({ length: 9 }, (_, index) =>
      decide(site, index === 4 ? { language: 'e\0n' } : {}),
    );
    const outcomes = await Promise.allSettled(entries.map((entry) => ingest.record(entry)));
    expect(outcomes.map(({ status }) => status).join()).toBe(
      [...Array(4).fill('fulfilled'), 'rejected', ...Array(4).fill('fulfilled')].join(),
    );
    expect(outcomes[4]).toMatchObject({ reason: { status: 400, code: 'validation_failed' } });
    expect(await storedOf(site)).toBe(8);
    const [row] = await query<{ n: number }>(
      database.url,
      `SELECT sum(n)::int AS n FROM daily_counts WHERE environment_id = $1 AND metric = 'decision'`,
      [site.id],
    );
    expect(row?.n).toBe(8);
  });

  test('that our own code cannot handle fails alone', async () => {
    const { ingest } = start();
    const site = siteWith();
    const bad = { site, counts: [count({ at: Number.NaN })] };
    const outcomes = await Promise.allSettled([
      ingest.record(decide(site)),
      ingest.record(bad),
      ingest.record(decide(site)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await storedOf(site)).toBe(2);
  });
});

describe('keys', () => {
  const dedupe = (key = randomUUID(), bodyHash = 'ab'.repeat(32)) => ({ scope: 'consent', key, bodyHash });

  test('a repetition gets the first answer and stores nothing, within one group and later', async () => {
    const { ingest, groups } = start();
    const site = siteWith();
    const key = dedupe();
    const first = decide(site, {}, key);
    const together = await Promise.all([first, decide(site, {}, key)].map((entry) => ingest.record(entry)));
    expect(groups).toEqual([2]);
    const later = await ingest.record(decide(site, {}, key));
    expect([...together, later]).toEqual([
      { decision: first.decision, repeated: false },
      { decision: first.decision, repeated: true },
      { decision: first.decision, repeated: true },
    ]);
    expect(await storedOf(site)).toBe(1);
  });

  test('many repetitions in one group are found all at once', async () => {
    const { ingest, groups } = start();
    const site = siteWith();
    const entries = Array.from({ length: 20 }, () => decide(site, {}, dedupe()));
    await Promise.all(entries.map((entry) => ingest.record(entry)));
    const again = await Promise.all([...entries, decide(site)].map((entry) => ingest.record(entry)));
    expect(groups).toEqual([20, 21]);
    expect(again.map(({ repeated }) => repeated)).toEqual([...Array(20).fill(true), false]);
    expect(again.slice(0, 20).map(({ decision }) => decision)).toEqual(
      entries.map(({ decision }) => decision),
    );
    expect(await storedOf(site)).toBe(21);
  });

  test('another body under the same key is a conflict, which its neighbours do not notice', async () => {
    const { ingest } = start();
    const site = siteWith();
    const key = dedupe();
    const outcomes = await Promise.allSettled([
      ingest.record(decide(site, {}, key)),
      ingest.record(decide(site, {}, { ...key, bodyHash: 'cd'.repeat(32) })),
      ingest.record(decide(site)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { status: 409 } });
    await expect(
      ingest.record(decide(site, {}, { ...key, bodyHash: 'ef'.repeat(32) })),
    ).rejects.toMatchObject({
      status: 409,
    });
    expect(await storedOf(site)).toBe(2);
  });

  test('the same key means nothing in another scope or site', async () => {
    const { ingest } = start();
    const [site, other] = [siteWith(), siteWith()];
    const key = dedupe();
    const entries = [
      decide(site, {}, key),
      decide(other, {}, key),
      decide(site, {}, { ...key, scope: 'else' }),
    ];
    const stored = await Promise.all(entries.map((entry) => ingest.record(entry)));
    expect(stored.map(({ repeated }) => repeated)).toEqual([false, false, false]);
  });

  test('a key whose group was refused is free again', async () => {
    const { ingest } = start();
    const site = siteWith();
    const key = dedupe();
    await expect(ingest.record(decide(site, { language: '\0' }, key))).rejects.toMatchObject({ status: 400 });
    expect(await ingest.record(decide(site, {}, key))).toMatchObject({ repeated: false });
  });

  test('the same key in two processes at once is stored once', async () => {
    const ingests = [start().ingest, start().ingest];
    const site = siteWith();
    const keys = Array.from({ length: 30 }, () => dedupe());
    const stored = await Promise.all(
      ingests.flatMap((ingest) => keys.map((key) => ingest.record(decide(site, {}, key)))),
    );
    expect(stored.filter(({ repeated }) => repeated)).toHaveLength(30);
    expect(await storedOf(site)).toBe(30);
    for (const index of keys.keys())
      expect(stored[index]?.decision?.consent_id).toBe(stored[index + 30]?.decision?.consent_id);
  });
});

describe('the latest choice of a session', () => {
  test('is that of the last decision, within one group and across groups', async () => {
    const { ingest } = start();
    const site = siteWith();
    const session_id = randomUUID();
    const say = (decision: 'accept_all' | 'reject_all') =>
      ingest.record(decide(site, { session_id, decision }));
    await Promise.all([say('accept_all'), say('reject_all'), say('accept_all')]);
    expect(await ingest.choice(site, session_id)).toMatchObject({ decision: 'accept_all' });
    await say('reject_all');
    expect(await ingest.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
  });

  /** A decision as a process would have dated it whose clock, or whose queue, is so many milliseconds off. */
  const dated = (entry: ReturnType<typeof decide>, off: number) => {
    const recorded_at = new Date(Date.parse(entry.decision.recorded_at) + off).toISOString();
    return { ...entry, decision: { ...entry.decision, recorded_at } };
  };

  test('is not overwritten by a decision that waited in another process while it was made', async () => {
    const [one, two] = [start().ingest, start().ingest];
    const site = siteWith();
    const session_id = randomUUID();
    const waited = dated(decide(site, { session_id, decision: 'accept_all' }), -5_000);
    const newer = decide(site, { session_id, decision: 'reject_all' });
    await one.record(newer);
    await two.record(waited);
    expect(await one.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
    expect(await storedOf(site)).toBe(2);
  });

  test.each([
    ['2 hours ahead', 2 * 3_600_000],
    ['a fifth of a second ahead', 200],
    ['a fifth of a second behind', -200],
  ])('is the last one although the clock that dated the one before was %s', async (_, off) => {
    const [one, two] = [start().ingest, start().ingest];
    const site = siteWith();
    for (const [first, second] of [[one, two] as const, [one, one] as const]) {
      const session_id = randomUUID();
      await first.record(dated(decide(site, { session_id, decision: 'accept_all' }), off));
      await second.record(decide(site, { session_id, decision: 'reject_all' }));
      expect(await one.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
    }
  });

  test('is found for many sessions and sites that are asked for together', async () => {
    const { ingest } = start();
    const sites = [siteWith(), siteWith(), siteWith()];
    const entries = sites.flatMap((site) => [decide(site), decide(site, { decision: 'reject_all' })]);
    await Promise.all(entries.map((entry) => ingest.record(entry)));
    const ask = ({ site, decision }: (typeof entries)[number]) => ingest.choice(site, decision.session_id);
    const found = await Promise.all([...entries, ...entries].map(ask));
    expect(found.map((choice) => choice?.decision)).toEqual(
      [...entries, ...entries].map(({ decision }) => decision.decision),
    );
    expect(found[0]).toMatchObject({
      categories: entries[0]?.decision.categories,
      recorded_at: new Date(entries[0]?.decision.recorded_at as string),
    });
    // A session of one site is unknown to another.
    expect(await ingest.choice(sites[1] as Site, entries[0]?.decision.session_id as string)).toBeUndefined();
  });
});

test('a missing partition is made, and the group tried again', async () => {
  const own = await cloneDatabase();
  const db = connect(own.url, 2);
  const { ingest, groups } = start({
    hosts: new Hosts(own.url),
    onMissingPartition: () => ensurePartitions(db, new Date()),
  });
  try {
    for (const { name } of await listPartitions(db)) await db.raw('DROP TABLE ??', [name]);
    const site = siteWith();
    const stored = await Promise.all([1, 2, 3].map(() => ingest.record(decide(site))));
    expect(stored).toHaveLength(3);
    expect(groups).toEqual([3, 3]);
    expect((await listPartitions(db)).length).toBeGreaterThan(0);
    const [row] = await query<{ n: number }>(own.url, 'SELECT count(*)::int AS n FROM consents');
    expect(row?.n).toBe(3);
  } finally {
    await ingest.stop();
    await db.destroy();
    await own.drop();
  }
});

test('groups of two processes that touch the same sessions and counts in any order never block each other for good', async () => {
  const ingests = [start().ingest, start().ingest, start().ingest];
  const site = siteWith();
  const sessions = Array.from({ length: 12 }, () => randomUUID());
  const rounds = ingests.map(async (ingest, index) => {
    for (let round = 0; round < 20; round += 1) {
      const order = index % 2 === 0 ? sessions : [...sessions].reverse();
      await Promise.all(order.map((session_id) => ingest.record(decide(site, { session_id }))));
    }
  });
  await Promise.all(rounds);
  expect(await storedOf(site)).toBe(3 * 20 * 12);
});

describe('the database', () => {
  test('that cannot be reached gives 503, for writes and reads', async () => {
    const { ingest } = start({ hosts: new Hosts('postgres://nobody@127.0.0.1:9/none') });
    const site = siteWith();
    const all = await Promise.allSettled([
      ...[1, 2, 3].map(() => ingest.record(decide(site))),
      ingest.choice(site, randomUUID()),
    ]);
    for (const outcome of all)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503, code: 'unavailable' } });
  });

  test('that cuts a connection is connected to again; what was acknowledged is stored', async () => {
    const own = await cloneDatabase();
    const { ingest } = start({ hosts: new Hosts(own.url) });
    try {
      const site = siteWith();
      await ingest.record(decide(site));
      const acknowledged: string[] = [];
      let stop = false;
      const writing = (async () => {
        while (!stop) {
          const outcomes = await Promise.allSettled([1, 2, 3].map(() => ingest.record(decide(site))));
          for (const outcome of outcomes) {
            if (outcome.status === 'fulfilled')
              acknowledged.push(outcome.value.decision?.consent_id as string);
            else expect(outcome.reason).toMatchObject({ status: 503 });
          }
        }
      })();
      for (let cuts = 0; cuts < 5; cuts += 1) {
        const before = acknowledged.length;
        while (acknowledged.length < before + 6) await new Promise((resolve) => setTimeout(resolve, 5));
        await query(
          own.url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'avow ingest%'`,
        );
      }
      stop = true;
      await writing;
      const rows = await query<{ consent_id: string }>(own.url, 'SELECT consent_id FROM consents');
      const stored = new Set(rows.map(({ consent_id }) => consent_id));
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    } finally {
      await ingest.stop();
      await own.drop();
    }
  });

  test('is asked only after what was taken is stored, when the path stops', async () => {
    const { ingest } = start();
    const site = siteWith();
    const all = Promise.all(Array.from({ length: 50 }, () => ingest.record(decide(site))));
    await ingest.stop();
    expect(await all).toHaveLength(50);
    expect(await storedOf(site)).toBe(50);
  });
});

test('a full queue refuses with 503', async () => {
  const { ingest } = start({ maxWaiting: 5 });
  const site = siteWith();
  const taken = Array.from({ length: 5 }, () => ingest.record(decide(site)));
  expect(ingest.waiting).toBe(5);
  expect(() => ingest.record(decide(site))).toThrow(expect.objectContaining({ status: 503 }));
  await Promise.all(taken);
  expect(await storedOf(site)).toBe(5);
});
