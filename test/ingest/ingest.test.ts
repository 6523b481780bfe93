import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { Hosts } from '../../server/src/db/hosts';
import { connect } from '../../server/src/db/knex';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { clock } from '../../server/src/domain/clock';
import type { StatedDecision } from '../../server/src/ingest/decision';
import { GroupQueue } from '../../server/src/ingest/group-queue';
import { Ingest, type IngestOptions } from '../../server/src/ingest/ingest';
import type { Site } from '../../server/src/ingest/site';
import { cloneDatabase, onCluster } from '../helpers/database';
import { GROUP_KEY } from '../helpers/ledger/group-key';
import { query } from '../helpers/processes/evidence';
import { until } from '../helpers/until';
import { count, decide, siteWith } from './entries';

const log = pino({ level: 'silent' });
let database: Awaited<ReturnType<typeof cloneDatabase>>;
const started: Ingest[] = [];

// Limits of a session mean nothing to the nodes behind a coordinator; in a cluster, visitors' writes go to the nodes themselves.
const testDirect = onCluster() ? test.skip : test;

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
    groupKey: () => GROUP_KEY,
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
    blinding: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

/** The commitments that wait to be sealed of a site, and the rows that hold them. */
async function pendingOf(site: { id: string }): Promise<{ rows: number; commitments: string[] }> {
  const rows = await query<{ leaves: Buffer }>(
    database.url,
    'SELECT leaves FROM ledger_pending WHERE environment_id = $1',
    [site.id],
  );
  const commitments = rows.flatMap(({ leaves }) => leaves.toString('hex').match(/.{64}/g) ?? []);
  return { rows: rows.length, commitments };
}

test('a group leaves one row of commitments for each site, also after a bad row, and none for what it did not store', async () => {
  const { ingest, groups } = start();
  const sites = [siteWith(), siteWith()];
  const entries = sites.flatMap((site) => [decide(site), decide(site), decide(site)]);
  await Promise.all(entries.map((entry) => ingest.record(entry)));
  for (const site of sites) {
    const own = entries.filter((entry) => entry.site === site).map(({ sealed }) => sealed.commitment);
    expect(await pendingOf(site)).toEqual({ rows: 1, commitments: own });
  }
  expect(groups).toEqual([6]);
  const third = siteWith();
  const bad = decide(third, { language: 'e\0n' });
  const dedupe = { scope: 's', key: randomUUID(), bodyHash: 'ab' };
  const good = [decide(third), decide(third, {}, dedupe), decide(third)];
  const repeated = decide(third, {}, dedupe);
  const answers = await Promise.allSettled([...good, bad, repeated].map((entry) => ingest.record(entry)));
  expect(answers.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  ]);
  // Also when it comes again later.
  expect(await ingest.record(decide(third, {}, dedupe))).toMatchObject({ repeated: true });
  const { commitments } = await pendingOf(third);
  expect(commitments.sort()).toEqual(good.map(({ sealed }) => sealed.commitment).sort());
  expect(await storedOf(third)).toBe(3);
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

describe.each([
  ['before the contract step', { inRows: true, inRecords: false }],
  ['just after it', { inRows: true, inRecords: true }],
  ['from then on', { inRows: false, inRecords: true }],
])('event ids of decisions, %s', (_, use) => {
  const keys = { use };
  const report = (
    site: Site,
    {
      session_id = randomUUID(),
      key = randomUUID(),
      body = 'ab',
      ...stated
    }: Partial<StatedDecision & { key: string; body: string }> = {},
  ) =>
    decide(
      site,
      { session_id, ...stated },
      { scope: 'consent', key, bodyHash: body.repeat(32), days: 30, ofSession: true },
    );
  const againOf = ({ site, decision, dedupe }: ReturnType<typeof report>, body?: string) =>
    report(site, {
      ...{ session_id: decision.session_id, key: dedupe?.key as string },
      ...(body === undefined ? {} : { body }),
    });
  const rowsOf = ({ id }: Site): Promise<{ scope: string }[]> =>
    query(database.url, 'SELECT * FROM idempotency_keys WHERE environment_id = $1', [id]);
  const countedOf = async ({ id }: Site): Promise<number | undefined> => {
    const sql = `SELECT sum(n)::int AS n FROM daily_counts WHERE environment_id = $1 AND metric = 'decision'`;
    return (await query<{ n: number }>(database.url, sql, [id]))[0]?.n;
  };

  test('a report that comes again is stored once, in one group, later and beside others', async () => {
    const { ingest } = start({ keys });
    const site = siteWith();
    const first = report(site);
    const together = await Promise.all([first, againOf(first)].map((entry) => ingest.record(entry)));
    const beside = report(site);
    const later = await Promise.all(
      [againOf(first), beside, decide(site), { site, counts: [count()] }].map((entry) =>
        ingest.record(entry),
      ),
    );
    expect([...together, later[0]]).toEqual([
      { decision: first.decision, repeated: false },
      { decision: first.decision, repeated: true },
      { decision: first.decision, repeated: true },
    ]);
    expect(later[1]).toEqual({ decision: beside.decision, repeated: false });
    expect([await storedOf(site), await countedOf(site)]).toEqual([3, 3]);
    expect(await rowsOf(site)).toHaveLength(use.inRows ? 2 : 0);
  });

  test('a repetition leaves the latest choice as it is', async () => {
    const { ingest } = start({ keys });
    const site = siteWith();
    const first = report(site);
    const { session_id } = first.decision;
    await ingest.record(first);
    const last = report(site, { session_id, decision: 'reject_all' });
    await ingest.record(last);
    await ingest.record(againOf(first));
    const rows = await query(database.url, 'SELECT consent_id FROM session_choices WHERE session_id = $1', [
      session_id,
    ]);
    expect(rows).toEqual([{ consent_id: last.decision.consent_id }]);
  });

  test('another body under the same id is a conflict, which its neighbours do not notice', async () => {
    const { ingest } = start({ keys });
    const site = siteWith();
    const first = report(site);
    const outcomes = await Promise.allSettled(
      [first, againOf(first, 'cd'), decide(site)].map((entry) => ingest.record(entry)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(ingest.record(againOf(first, 'ef'))).rejects.toMatchObject({ status: 409 });
    expect(await storedOf(site)).toBe(2);
  });

  test('the same id means nothing on another site', async () => {
    const { ingest } = start({ keys });
    const first = report(siteWith());
    const elsewhere = report(siteWith(), {
      ...{ session_id: first.decision.session_id, key: first.dedupe?.key as string },
    });
    await ingest.record(first);
    expect(await ingest.record(elsewhere)).toMatchObject({ repeated: false });
  });

  test('one report that two processes get at once is stored once', async () => {
    const ingests = [start({ keys }).ingest, start({ keys }).ingest];
    const site = siteWith();
    for (let round = 0; round < 5; round += 1) {
      const reports = Array.from({ length: 30 }, () => report(site));
      const stored = await Promise.all([
        ...reports.map((entry) => ingests[0]?.record(entry)),
        // In another order, and with other neighbours.
        ...[...reports]
          .reverse()
          .flatMap((entry) => [ingests[1]?.record(againOf(entry)), ingests[1]?.record(decide(site))]),
      ]);
      expect(stored.filter((one) => one?.repeated)).toHaveLength(30);
      const ids = new Set(stored.map((one) => one?.decision?.consent_id));
      expect(ids.size).toBe(60);
    }
    expect([await storedOf(site), await countedOf(site)]).toEqual([300, 300]);
  });
});

test('a process that has not seen the contract step yet and one that has know the reports of each other', async () => {
  const uses = {
    old: { inRows: true, inRecords: false },
    new: { inRows: true, inRecords: true },
    last: { inRows: false, inRecords: true },
  };
  const site = siteWith();
  for (const [one, two] of [
    ['old', 'new'],
    ['new', 'old'],
    ['old', 'last'],
    ['new', 'last'],
    ['last', 'new'],
  ] as const) {
    const ingests = [one, two].map((name) => start({ keys: { use: uses[name] } }).ingest);
    const dedupe = {
      scope: 'consent',
      key: randomUUID(),
      bodyHash: 'ab'.repeat(32),
      days: 30,
      ofSession: true,
    };
    const session_id = randomUUID();
    const stored = [];
    for (const ingest of ingests) stored.push(await ingest.record(decide(site, { session_id }, dedupe)));
    expect(stored.map(({ repeated }) => repeated)).toEqual([false, true]);
    expect(stored[1]?.decision).toEqual(stored[0]?.decision);
  }
});

describe('the latest choice of a session', () => {
  let processes: [Ingest, Ingest] | undefined;
  /** The same two for all, because each has connections of its own. */
  const both = (): [Ingest, Ingest] => {
    processes ??= [start().ingest, start().ingest];
    return processes;
  };

  test('is that of the last decision, within one group and across groups', async () => {
    const [ingest] = both();
    const site = siteWith();
    const session_id = randomUUID();
    const say = (decision: 'accept_all' | 'reject_all') =>
      ingest.record(decide(site, { session_id, decision }));
    await Promise.all([say('accept_all'), say('reject_all'), say('accept_all')]);
    expect(await ingest.choice(site, session_id)).toMatchObject({ decision: 'accept_all' });
    await say('reject_all');
    expect(await ingest.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
  });

  /** A decision that was made so many milliseconds ago, by a clock that is so many ahead. */
  const made = (site: Site, stated: Partial<StatedDecision>, { ago = 0, ahead = 0 }) => {
    const entry = decide(site, stated);
    const recorded_at = new Date(Date.parse(entry.decision.recorded_at) - ago + ahead).toISOString();
    const decision = { ...entry.decision, recorded_at };
    return { ...entry, arrivedAt: performance.now() - ago, decision };
  };

  test('is not overwritten by a decision that waited in another process while it was made', async () => {
    const [one, two] = both();
    const site = siteWith();
    const session_id = randomUUID();
    const waited = made(site, { session_id, decision: 'accept_all' }, { ago: 5_000 });
    const newer = decide(site, { session_id, decision: 'reject_all' });
    await one.record(newer);
    await two.record(waited);
    expect(await one.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
    expect(await storedOf(site)).toBe(2);
  });

  test('is not overwritten by a decision that was on its way to the database while it was made', async () => {
    const [one, two] = both();
    const site = siteWith();
    const session_id = randomUUID();
    const delayed = made(site, { session_id, decision: 'accept_all' }, { ago: 5_000 });
    await one.record(decide(site, { session_id, decision: 'reject_all' }));
    // It waited nowhere: it was sent as soon as it was made.
    const spy = jest.spyOn(clock, 'date').mockReturnValue(new Date(Date.now() - 5_000));
    await two.record({ ...delayed, arrivedAt: performance.now() });
    spy.mockRestore();
    expect(await one.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
  });

  describe('is the one stored last of', () => {
    const SKEWS = [
      -7_200_000, -61_000, -30_000, -7_000, -2_000, -200, 0, 200, 1_500, 7_000, 30_000, 59_000, 7_200_000,
    ];
    /** When the one stored first and the one stored last were made, and when each was stored, all before now. */
    const ORDERS: [string, { ago: number }, { ago: number }, (ahead: number) => boolean][] = [
      ['two that did not wait', { ago: 0 }, { ago: 0 }, () => true],
      ['two that waited for a moment', { ago: 600 }, { ago: 500 }, () => true],
      ['one that had waited and one that did not', { ago: 4_000 }, { ago: 0 }, () => true],
      // Its own time may be in the wait of the other for a clock that is ahead by less than that.
      [
        'one made before and one that waited',
        { ago: 4_100 },
        { ago: 4_000 },
        (ahead) => ahead < 1_000 || ahead > 4_500,
      ],
    ];
    test.each(
      ORDERS.flatMap(([name, first, second, isKnown]) =>
        SKEWS.filter(isKnown).map((ahead) => [name, ahead, first, second] as const),
      ),
    )('%s, the first dated by a clock %i ms ahead', async (_, ahead, first, second) => {
      const [one, two] = both();
      const site = siteWith();
      for (const [before, after] of [[one, two] as const, [one, one] as const]) {
        const session_id = randomUUID();
        await before.record(made(site, { session_id, decision: 'accept_all' }, { ...first, ahead }));
        await after.record(made(site, { session_id, decision: 'reject_all' }, second));
        expect(await one.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
      }
    });
  });

  test('is the one stored last when the clock was set back, although both times are in its wait', async () => {
    const [ingest] = both();
    const site = siteWith();
    const decisions: unknown[] = [];
    for (const isSetBack of [false, true]) {
      const session_id = randomUUID();
      const spy = jest.spyOn(clock, 'wasSetBack').mockReturnValue(isSetBack);
      await ingest.record(made(site, { session_id, decision: 'accept_all' }, { ago: 4_100, ahead: 3_000 }));
      await ingest.record(made(site, { session_id, decision: 'reject_all' }, { ago: 4_000 }));
      spy.mockRestore();
      decisions.push((await ingest.choice(site, session_id))?.decision);
    }
    expect(decisions).toEqual(['accept_all', 'reject_all']);
  });

  testDirect('is one that was made while another waited for a lock of somebody else', async () => {
    const [ingest, other] = both();
    const site = siteWith();
    const session_id = randomUUID();
    await ingest.record(decide(site, { session_id }));
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM session_choices WHERE session_id = $1 FOR UPDATE', [session_id]);
    const entry = decide(site, { session_id, decision: 'accept_all' });
    const add = jest.spyOn(GroupQueue.prototype, 'add');
    const waits = ingest.record(entry);
    await until('it is aside', async () => add.mock.calls.filter(([item]) => item === entry).length === 2);
    add.mockRestore();
    // As another process would store it whose turn comes first.
    const newer = made(site, { session_id, decision: 'reject_all' }, { ago: 0, ahead: 1_500 }).decision;
    await holder.query(
      'UPDATE session_choices SET decision = $2, recorded_at = $3, consent_id = $4 WHERE session_id = $1',
      [session_id, newer.decision, newer.recorded_at, newer.consent_id],
    );
    await holder.query('COMMIT');
    await holder.end();
    await waits;
    expect(await other.choice(site, session_id)).toMatchObject({ decision: 'reject_all' });
  });

  test('is found for many sessions and sites that are asked for together', async () => {
    const [ingest] = both();
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
  await expect(ingest.record(decide(site))).rejects.toMatchObject({ status: 503 });
  await Promise.all(taken);
  expect(await storedOf(site)).toBe(5);
});

describe('while somebody holds a row that one site needs', () => {
  /** Holds the choice of a session in an open transaction. */
  async function holding(site: { id: string }, session_id: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('DELETE FROM session_choices WHERE environment_id = $1 AND session_id = $2', [
      ...[site.id, session_id],
    ]);
    return async () => {
      await client.query('COMMIT');
      await client.end();
    };
  }

  testDirect('the decisions of others hardly wait, and its own are stored once the row is free', async () => {
    const { ingest } = start();
    const [held, ...others] = Array.from({ length: 6 }, () => siteWith());
    const session_id = randomUUID();
    await ingest.record(decide(held as Site, { session_id }));
    const release = await holding(held as Site, session_id);
    const waits: number[] = [];
    const own: Promise<unknown>[] = [];
    for (let round = 0; round < 12; round += 1) {
      own.push(ingest.record(decide(held as Site, { session_id })));
      await Promise.all(
        others.map(async (site) => {
          const since = performance.now();
          await ingest.record(decide(site));
          waits.push(performance.now() - since);
        }),
      );
    }
    // The first round finds out; those after it are free of the lock.
    const later = waits.slice(others.length).sort((a, b) => a - b);
    expect(later[later.length >> 1]).toBeLessThan(Math.max(...waits.slice(0, others.length)));
    await release();
    await Promise.all(own);
    expect(await storedOf(held as Site)).toBe(13);
    expect(await Promise.all(others.map(storedOf))).toEqual(others.map(() => 12));
  });

  test('an event that had to wait is dated anew, and readers of events see from the start that one will come', async () => {
    const { ingest } = start();
    const site = siteWith();
    Object.assign(site, { webhooks: [{ webhook_id: randomUUID(), events: ['*'] }] });
    const session_id = randomUUID();
    await ingest.record(decide(site, { session_id }));
    const release = await holding(site, session_id);
    const begun = Date.now();
    const own = ingest.record(decide(site, { session_id }));
    const settled = async (): Promise<number> => {
      const [row] = await query<{ at: Date }>(database.url, 'SELECT avow_settled_time($1, 1) AS at', [
        site.id,
      ]);
      return Number(row?.at);
    };
    const seen: number[] = [];
    // Between its tries nothing waits in the database: readers are advised to overlap by a second.
    while (Date.now() < begun + 1_600) {
      seen.push(await settled());
      await delay(20);
    }
    await release();
    await own;
    const rows = await query<{ at: Date; said: string }>(
      database.url,
      `SELECT occurred_at AS at, payload::jsonb ->> 'timestamp' AS said FROM events WHERE environment_id = $1 ORDER BY 1`,
      [site.id],
    );
    const last = rows.at(-1) as (typeof rows)[number];
    expect(rows).toHaveLength(2);
    expect(Date.parse(last.said)).toBe(Number(last.at));
    expect(Math.max(...seen)).toBeLessThanOrEqual(Number(last.at) + 1_000);
    expect(Number(last.at)).toBeGreaterThanOrEqual(begun - 1_000);
  });

  test('a decision does not overtake one of its session that waits aside, whatever tables it needs', async () => {
    const { ingest } = start();
    const [busy, site] = [siteWith(), siteWith()];
    const [sessionOfBusy, session_id] = [randomUUID(), randomUUID()];
    const own = [
      ingest.record(decide(busy, { session_id: sessionOfBusy })),
      ingest.record(decide(site, { session_id })),
    ];
    await Promise.all(own);
    const releases = [await holding(busy, sessionOfBusy), await holding(site, session_id)];
    own.push(ingest.record(decide(busy, { session_id: sessionOfBusy })));
    own.push(ingest.record(decide(site, { session_id })));
    await delay(1_000);
    await releases[1]?.();
    // The first one waits behind the busy site; the last one needs another table.
    own.push(ingest.record(decide(site, { session_id })));
    // In a group of its own.
    await delay(100);
    const last = decide(site, { session_id }, { scope: 'x', key: randomUUID(), bodyHash: 'ab'.repeat(32) });
    own.push(ingest.record(last));
    await delay(300);
    await releases[0]?.();
    await Promise.all(own);
    const rows = await query(database.url, 'SELECT consent_id FROM session_choices WHERE session_id = $1', [
      session_id,
    ]);
    expect(rows).toEqual([{ consent_id: last.decision.consent_id }]);
  });

  testDirect('a decision that waits aside is as old as when it came', async () => {
    const { ingest } = start();
    const site = siteWith();
    const session_id = randomUUID();
    await ingest.record(decide(site, { session_id }));
    const release = await holding(site, session_id);
    const add = jest.spyOn(GroupQueue.prototype, 'add');
    const entry = { ...decide(site, { session_id }), arrivedAt: performance.now() - 500 };
    const own = ingest.record(entry);
    await until('it is aside', async () => add.mock.calls.filter(([item]) => item === entry).length === 2);
    await release();
    await own;
    const [, aside] = add.mock.calls.filter(([item]) => item === entry);
    add.mockRestore();
    await ingest.stop();
    expect(aside).toEqual([entry, entry.arrivedAt]);
  });

  testDirect('ten old sites do not speak for all others', async () => {
    const { ingest } = start();
    const stopped = Array.from({ length: 10 }, () => siteWith());
    const free = Array.from({ length: 20 }, () => siteWith());
    const session_id = randomUUID();
    await Promise.all(stopped.map((site) => ingest.record(decide(site, { session_id }))));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM session_choices WHERE session_id = $1 FOR UPDATE', [session_id]);
    const answered: string[] = [];
    const record = (name: string) => (site: Site) =>
      ingest
        .record(decide(site, { session_id }))
        .catch(() => undefined)
        .then(() => answered.push(name));
    await Promise.all([...stopped.map(record('stopped')), ...free.map(record('free'))]);
    await client.end();
    await ingest.stop();
    // One that is stopped is answered when its wait aside is over.
    expect(answered.indexOf('free')).toBeLessThan(answered.indexOf('stopped'));
  });

  testDirect('of very many sites, the others do not wait for each to be tried', async () => {
    const { ingest, groups } = start();
    // Sites are tried in the order in which they were made, from both ends in turn.
    const free = Array.from({ length: 5 }, () => siteWith());
    const stopped = Array.from({ length: 60 }, () => siteWith());
    const session_id = randomUUID();
    await Promise.all(stopped.map((site) => ingest.record(decide(site, { session_id }))));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM session_choices WHERE session_id = $1 FOR UPDATE', [session_id]);
    const own = Promise.allSettled(
      [...stopped, ...free].map((site) => ingest.record(decide(site, { session_id }))),
    );
    await delay(10);
    const before = groups.length;
    const outcome = await ingest.record(decide(siteWith())).catch((error) => error);
    const tries = groups.length - before;
    await client.end();
    await own;
    expect(outcome).toMatchObject({ repeated: false });
    // Each try of the sixty is a wait of 0.1 s.
    expect(tries).toBeLessThan(50);
  });
});

testDirect('while a table is locked, decisions of very many sites are not tried one by one', async () => {
  const { ingest, groups } = start();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE session_choices IN ACCESS EXCLUSIVE MODE');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 120 }, () => ingest.record(decide(siteWith()))),
  );
  await client.end();
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { status: 503 } });
  expect(groups.length).toBeLessThan(100);
});
