import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { nextUserId } from '../../server/src/db/next-user-id';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { retainedSites } from '../../server/src/db/plan-retention';
import { allow, findHold } from '../../server/src/db/retention-holds';
import { newCode } from '../../server/src/domain/ids';
import { defaultSettings } from '../../server/src/domain/settings';
import { applyRetention } from '../../server/src/jobs/retention';
import { createLogger } from '../../server/src/observability/logger';
import { insertEnvironment } from '../../server/src/services/environments';
import { addTrigger, rowsOfNodes, runOnNodes } from '../helpers/cluster/instruments';
import { cloneDatabase } from '../helpers/database';
import { sealing } from '../helpers/ledger/group-key';

const DAY = 86_400_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const log = createLogger('silent');
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;

beforeEach(async () => {
  database = await cloneDatabase();
  db = sealing(connect(database.url, 4));
  await ensurePartitions(db, new Date(NOW.getTime() - 400 * DAY), NOW);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

/** A site that keeps consents for so many days. */
async function site(days: number): Promise<string> {
  const settings = { ...defaultSettings(), retention_days: { consents: days, events: 90 } };
  const { id } = await insertEnvironment(db, {
    name: 'Shop',
    domain: 'shop.example',
    settings,
    createdBy: null,
  });
  return id;
}

/** What a visitor left so many milliseconds before now, in each of the three tables. */
async function leave(environment_id: string, ages: number[]): Promise<void> {
  const rows = ages.map((age) => ({ environment_id, recorded_at: new Date(NOW.getTime() - age) }));
  const common = { decision: 'accept_all', categories: {}, policy_version: '1', expires_at: NOW };
  const shown = {
    banner_version: 1,
    method: 'banner',
    language: 'en',
    ip_masked: '203.0.***.***',
    gpc: false,
  };
  await db.batchInsert(
    'consents',
    rows.map((row) => ({ ...row, ...common, ...shown, consent_id: randomUUID(), session_id: randomUUID() })),
    500,
  );
  await db.batchInsert(
    'session_choices',
    rows.map((row) => ({ ...row, ...common, consent_id: randomUUID(), session_id: randomUUID() })),
    500,
  );
  await db.batchInsert(
    'form_consents',
    rows.map((row) => ({
      ...row,
      ...{
        form_consent_id: randomUUID(),
        form_id: 'newsletter',
        form_url: 'https://shop.example/',
        external_id: 'x',
      },
      ...{ statements: '[]', double_opt_in: 'none', language: 'en', ip_masked: '203.0.***.***' },
    })),
    500,
  );
}

/** The ages of what is left, in milliseconds, oldest first. */
async function left(table: string, environment_id: string): Promise<number[]> {
  const times: Date[] = await db(table).where({ environment_id }).orderBy('recorded_at').pluck('recorded_at');
  return times.map((at) => NOW.getTime() - at.getTime());
}

const TABLES = ['consents', 'session_choices', 'form_consents'];

/** An owner allows the next run to delete so many records. */
const allowed = (id: string, records: number, hours = 24): Promise<unknown> =>
  allow(db, id, {
    allowed_records: records,
    allowed_until: new Date(NOW.getTime() + hours * 3_600_000),
    allowed_by: null,
  });

test('each site keeps its own time, to the millisecond', async () => {
  const [short, long] = [await site(30), await site(365)];
  const ages = [400 * DAY, 365 * DAY + 1, 365 * DAY, 30 * DAY + 1, 30 * DAY, 0];
  for (const id of [short, long]) {
    await leave(id, ages);
    await allowed(id, 100);
  }
  await applyRetention(db, log, NOW);
  for (const table of TABLES) {
    expect([table, await left(table, short)]).toEqual([table, [30 * DAY, 0]]);
    expect([table, await left(table, long)]).toEqual([table, [365 * DAY, 30 * DAY + 1, 30 * DAY, 0]]);
  }
  await applyRetention(db, log, NOW);
  expect(await left('consents', long)).toHaveLength(4);
});

test('many rows go in chunks, each of which begins where the one before ended, for the WAL of one statement', async () => {
  const rows = 12_001;
  const fill = (id: string) =>
    db.raw(
      `INSERT INTO session_choices SELECT ?::uuid, gen_random_uuid(), gen_random_uuid(), 'accept_all', '{}', '1',
         ?::timestamptz - n * interval '1 second', now() FROM generate_series(1, ?) AS n`,
      [id, new Date(NOW.getTime() - 40 * DAY), rows],
    );
  const written = async (work: () => PromiseLike<unknown>): Promise<number> => {
    const at = async (): Promise<number> => {
      const sql = "SELECT pg_current_wal_insert_lsn() - '0/0' AS at";
      const rows = await rowsOfNodes<{ at: string }>(database.url, sql);
      return rows.reduce((sum, row) => sum + Number(row.at), 0);
    };
    await runOnNodes(database.url, ['CHECKPOINT']).catch(() => undefined);
    const before = await at();
    await work();
    return (await at()) - before;
  };
  const [one, chunked] = [await site(30), await site(30)];
  await fill(one);
  const least = await written(() => db('session_choices').where({ environment_id: one }).delete());
  await fill(chunked);
  const begins: unknown[] = [];
  const listen = ({ sql, bindings }: { sql: string; bindings: unknown[] }): void => {
    if (/DELETE FROM session_choices/.test(sql) && bindings.includes(chunked))
      begins.push(bindings.find((value) => /^(-infinity|\d{4}-\d\d-\d\d)$/.test(String(value))));
  };
  db.on('query', listen);
  const most = await written(() => applyRetention(db, log, NOW));
  db.off('query', listen);
  const ratios = [most / least];
  expect(begins).toHaveLength(3);
  expect(begins[0]).toBe('-infinity');
  expect(begins.slice(1)).toEqual([...begins.slice(1)].sort());
  expect(begins.slice(1)).not.toContain('-infinity');
  expect(await left('session_choices', chunked)).toEqual([]);
  // The server's other databases write to the same log: a run beside them looks worse than it is.
  while (Math.min(...ratios) >= 1.5 && ratios.length < 5) {
    const again = await site(30);
    await fill(again);
    ratios.push((await written(() => applyRetention(db, log, NOW))) / least);
  }
  expect(Math.min(...ratios)).toBeLessThan(1.5);
});

test('months that every site has outlived are dropped, and no others', async () => {
  const months = async (): Promise<string[]> => (await listPartitions(db)).map(({ name }) => name).sort();
  const before = await months();
  await applyRetention(db, log, NOW);
  expect(await months()).toEqual(before);
  await site(61);
  await site(30);
  await applyRetention(db, log, NOW);
  // 61 days before is 21 September: August has ended by then, September not. Events are kept for 90 days.
  const kept = (name: string): boolean =>
    name.startsWith('events') ? name >= 'events_2026_08' : name >= 'consents_2026_09';
  expect(await months()).toEqual(before.filter(kept));
});

test('thousands of rows with the same instant go in pieces, all of them', async () => {
  const id = await site(30);
  await leave(id, [...Array(10_050).fill(31 * DAY), ...Array(10).fill(29 * DAY)]);
  await allowed(id, 30_000);
  await applyRetention(db, log, NOW);
  for (const table of TABLES) expect(await left(table, id)).toEqual(Array(10).fill(29 * DAY));
}, 60_000);

test('what lives for a fixed short time goes, the rest stays', async () => {
  const at = (age: number): Date => new Date(NOW.getTime() - age);
  const nil = '00000000-0000-0000-0000-000000000000';
  await db('idempotency_keys').insert(
    [1, 0].map((age) => ({
      environment_id: nil,
      scope: 's',
      key: String(age),
      body_hash: Buffer.alloc(32),
      expires_at: at(age),
    })),
  );
  await db('login_failures').insert(
    [1, 0].map((age) => ({ who: Buffer.from([age]), failures: 1, window_end: at(age) })),
  );
  await db('invitations').insert(
    [1, 0].map((age) => ({ code_hash: Buffer.from(newCode()), user_id: null, expires_at: at(age) })),
  );
  await db('ended_sessions').insert(
    [1, 0].map((age) => ({ token_hash: Buffer.from([age]), expires_at: at(age) })),
  );
  await db('login_networks').insert(
    [1, 0].map((age) => ({ who: Buffer.from([age]), seen_at: at(90 * DAY + age) })),
  );
  await applyRetention(db, log, NOW);
  expect(await db('ended_sessions').pluck('expires_at')).toEqual([NOW]);
  expect(await db('login_networks').pluck('who')).toEqual([Buffer.from([0])]);
  expect(await db('idempotency_keys').pluck('key')).toEqual(['0']);
  expect(await db('login_failures').pluck('window_end')).toEqual([NOW]);
  expect(await db('invitations').pluck('expires_at')).toEqual([NOW]);
});

test('an invitation goes 90 days after its link has ended: until then it can be renewed', async () => {
  const environment_id = await site(365);
  const maker = await nextUserId(db);
  await db('users').insert({
    ...{ id: maker, email: 'a@example.com', email_key: 'a@example.com', name: 'Ada', password_hash: null },
    ...{ tokens_valid_from: NOW, created_at: NOW },
  });
  const ended = [90 * DAY + 1, 90 * DAY, DAY, -DAY];
  await db('site_invitations').insert(
    ended.map((age, n) => ({
      environment_id,
      ...{ user_id: 1_000 + n, email: `${n}@example.com`, email_key: `${n}@example.com`, name: 'Guest' },
      ...{ role: 'viewer', made_by: maker, code_hash: Buffer.from(newCode()), added_at: NOW },
      expires_at: new Date(NOW.getTime() - age),
    })),
  );
  await applyRetention(db, log, NOW);
  expect(await db('site_invitations').orderBy('user_id').pluck('user_id')).toEqual(
    ['1001', '1002', '1003'].map(Number),
  );
});

test('a proof goes with the name that it is of, once it is over', async () => {
  const environment_id = await site(365);
  const over = new Date(NOW.getTime() - 1);
  const proofs: [string, Date | null][] = [
    ['shop.example', over],
    ['gone.example', over],
    ['never.example', null],
    ['back-soon.example', new Date(NOW.getTime() + DAY)],
  ];
  await db('domain_proofs').insert(
    proofs.map(([domain, proven_until]) => ({
      ...{ environment_id, domain, checked_at: over, proven_until },
      ...(proven_until && { method: 'dns', proven_at: over }),
    })),
  );
  await applyRetention(db, log, NOW);
  expect(await db('domain_proofs').orderBy('domain').pluck('domain')).toEqual([
    'back-soon.example',
    'shop.example',
  ]);
});

test('a stop ends it between two pieces', async () => {
  const id = await site(30);
  await leave(
    id,
    Array(6_000)
      .fill(31 * DAY)
      .map((age, n) => age + n),
  );
  await allowed(id, 30_000);
  await applyRetention(db, log, NOW, AbortSignal.abort());
  expect(await left('consents', id)).toHaveLength(6_000);
  await applyRetention(db, log, NOW);
  expect(await left('consents', id)).toEqual([]);
}, 60_000);

test('an answered request is erased after the days that its site says, an open one never', async () => {
  const own = { ...defaultSettings(), retention_days: { consents: 1825, events: 90, requests: 30 } };
  const sites = [own, defaultSettings()].map((settings) =>
    insertEnvironment(db, { name: 'Shop', domain: 'shop.example', settings, createdBy: null }),
  );
  const [short, usual] = await Promise.all(sites);
  const request = (environment_id: string, age: number, status: string) => {
    const at = new Date(NOW.getTime() - age * DAY);
    const person = { request_type: 'access', email: 'a@example.com', email_key: 'a@example.com' };
    const resolved = status === 'resolved' ? { resolved_at: at, resolution: 'fulfilled' } : {};
    const times = { created_at: at, due_at: at, history: '[]', language: 'en' };
    return { environment_id, request_id: randomUUID(), status, ...person, ...times, ...resolved };
  };
  for (const id of [short?.id as string, usual?.id as string]) {
    const rows = [2_000, 1_094, 31, 29].map((age) => request(id, age, 'resolved'));
    await db('dsar_requests').insert([...rows, request(id, 2_000, 'in_progress')]);
  }
  for (const id of [short?.id as string, usual?.id as string]) await allowed(id, 10);
  await applyRetention(db, log, NOW);
  const count = async (site: { id: string } | undefined) =>
    db('dsar_requests').where({ environment_id: site?.id }).orderBy('created_at').pluck('status');
  expect(await count(short)).toEqual(['in_progress', 'resolved']);
  expect(await count(usual)).toEqual(['in_progress', 'resolved', 'resolved', 'resolved']);
});

describe('a run that would delete too much of a site', () => {
  const SIX_YEARS = 6 * 365 * DAY;
  const year = Array.from({ length: 365 }, (_, day) => day * DAY);

  test('deletes nothing of it, in any table and by no dropped month, and goes on with the others', async () => {
    const [struck, steady] = [await site(30), await site(30)];
    await leave(struck, year);
    // A steady site: a little goes with each run.
    await leave(steady, [30 * DAY + 1, ...Array.from({ length: 29 }, (_, day) => day * DAY)]);
    await applyRetention(db, log, NOW);
    for (const table of TABLES) {
      expect([table, (await left(table, struck)).length]).toEqual([table, 365]);
      expect([table, (await left(table, steady)).length]).toEqual([table, 29]);
    }
    // The records of each kind; latest choices go with their records.
    expect(await findHold(db, struck)).toMatchObject({ held_since: NOW, records: 2 * 334 });
    expect(await findHold(db, steady)).toBeUndefined();
    const later = new Date(NOW.getTime() + 3_600_000);
    await applyRetention(db, log, later);
    expect(await left('consents', struck)).toHaveLength(365);
    expect(await findHold(db, struck)).toMatchObject({ held_since: NOW });
  });

  test('nor when all clocks are six years ahead and the site has three records', async () => {
    const id = await site(1825);
    await leave(id, [0, DAY, 2 * DAY]);
    await applyRetention(db, log, new Date(NOW.getTime() + SIX_YEARS));
    expect(await left('consents', id)).toHaveLength(3);
    // The clocks are right again: nothing is left of it.
    await applyRetention(db, log, NOW);
    expect(await findHold(db, id)).toBeUndefined();
  });

  test('goes through once an owner has allowed as many, once, and not with a word that has run out', async () => {
    const id = await site(30);
    await leave(id, year);
    await allowed(id, 2 * 334 - 1);
    await applyRetention(db, log, NOW);
    expect(await left('consents', id)).toHaveLength(365);
    await allowed(id, 2 * 334, -1);
    await applyRetention(db, log, NOW);
    expect(await left('consents', id)).toHaveLength(365);
    await allowed(id, 2 * 334);
    await applyRetention(db, log, NOW);
    for (const table of TABLES) expect((await left(table, id)).length).toBe(31);
    expect(await findHold(db, id)).toBeUndefined();
    await ensurePartitions(db, new Date(NOW.getTime() - 400 * DAY), NOW);
    await leave(id, year);
    await applyRetention(db, log, NOW);
    expect(await left('consents', id)).toHaveLength(31 + 365);
  });

  test('an allowance outlasts a run that is broken off', async () => {
    const id = await site(30);
    await leave(id, year);
    await allowed(id, 2 * 334);
    const stop = new AbortController();
    db.on('query', ({ sql }: { sql: string }) => {
      if (/retention_holds/.test(sql)) stop.abort();
    });
    await applyRetention(db, log, NOW, stop.signal);
    expect(await left('consents', id)).toHaveLength(365);
    expect(await findHold(db, id)).toMatchObject({ allowed_records: 2 * 334 });
    await applyRetention(db, log, NOW);
    for (const table of TABLES) expect((await left(table, id)).length).toBe(31);
    expect(await findHold(db, id)).toBeUndefined();
  });

  test('the last hours of a busy site that has ended go in their time', async () => {
    const id = await site(30);
    await leave(
      id,
      Array.from({ length: 60 }, (_, n) => 30 * DAY + n * 60_000),
    );
    await applyRetention(db, log, NOW);
    expect(await left('consents', id)).toHaveLength(1);
    expect(await findHold(db, id)).toBeUndefined();
  });

  test('an allowance that a run did not need waits for the one that does', async () => {
    const id = await site(1825);
    await leave(id, year);
    await allowed(id, 2 * 334);
    await applyRetention(db, log, NOW);
    expect(await findHold(db, id)).toMatchObject({ allowed_records: 2 * 334, held_since: null });
    const settings = { ...defaultSettings(), retention_days: { consents: 30, events: 90 } };
    await db('environments')
      .where({ id })
      .update({ settings: JSON.stringify(settings) });
    await applyRetention(db, log, NOW);
    expect(await left('consents', id)).toHaveLength(31);
  });

  test('a quiet site loses its last records in their time, without a word', async () => {
    const id = await site(30);
    await leave(id, [30 * DAY + 1, 31 * DAY, 32 * DAY]);
    await applyRetention(db, log, NOW);
    expect(await left('consents', id)).toEqual([]);
  });
});

test('of the settings of all sites no more is read than retention needs', async () => {
  await site(30);
  const [one] = await retainedSites(db);
  expect(one?.settings).toEqual({ retention_days: { consents: 30, events: 90 } });
});

test('a site whose records cannot be deleted keeps no other site waiting, and the run fails', async () => {
  const [broken, other] = [await site(30), await site(30)];
  for (const id of [broken, other]) {
    await leave(id, [31 * DAY]);
    await allowed(id, 100);
  }
  await addTrigger(database.url, {
    ...{ name: 'refuse', table: 'form_consents', event: 'BEFORE DELETE' },
    condition: `OLD.environment_id = '${broken}'`,
    body: "RAISE 'refused';",
  });
  await expect(applyRetention(db, log, NOW)).rejects.toThrow('refused');
  expect(await left('form_consents', broken)).toHaveLength(1);
  expect(await left('form_consents', other)).toEqual([]);
});

test('a site that keeps a month from being dropped keeps nothing else waiting, and the run fails', async () => {
  const [broken, other] = [await site(30), await site(30)];
  for (const id of [broken, other]) {
    await leave(id, [200 * DAY]);
    await allowed(id, 100);
  }
  const window_end = new Date(NOW.getTime() - DAY);
  await db('login_failures').insert({ who: Buffer.from([1]), failures: 1, window_end });
  await addTrigger(database.url, {
    ...{ name: 'refuse', table: 'erasures', event: 'BEFORE INSERT' },
    condition: `NEW.environment_id = '${broken}'`,
    body: "RAISE 'refused';",
  });
  await expect(applyRetention(db, log, NOW)).rejects.toThrow('refused');
  for (const table of TABLES) {
    expect([table, (await left(table, broken)).length]).toEqual([table, 1]);
    expect([table, await left(table, other)]).toEqual([table, []]);
  }
  expect(await db('login_failures')).toEqual([]);
});
