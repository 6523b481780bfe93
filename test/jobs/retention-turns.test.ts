import type { Knex } from 'knex';
import * as outlived from '../../server/src/db/delete-outlived';
import { connect } from '../../server/src/db/knex';
import { ensurePartitions } from '../../server/src/db/partitions';
import { defaultSettings } from '../../server/src/domain/settings';
import { applyRetention } from '../../server/src/jobs/retention';
import { createLogger } from '../../server/src/observability/logger';
import { insertEnvironment } from '../../server/src/services/environments';
import { addTrigger } from '../helpers/cluster/instruments';
import { cloneDatabase } from '../helpers/database';
import { sealing } from '../helpers/ledger/group-key';
import { account } from '../helpers/site/accounts';

// So that a test can do something between two chunks.
jest.mock('../../server/src/db/delete-outlived', () => ({
  ...jest.requireActual('../../server/src/db/delete-outlived'),
}));

const DAY = 86_400_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const log = createLogger('silent');
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;

beforeEach(async () => {
  database = await cloneDatabase();
  db = sealing(connect(database.url, 4));
  await ensurePartitions(db, NOW, NOW);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await db.destroy();
  await database.drop();
});

const keeping = (days: number) => ({
  ...defaultSettings(),
  retention_days: { consents: days, events: 90 },
});

/** A site of an account with choices of so many visitors, whose time is over. */
async function site(createdBy: number, choices: number): Promise<string> {
  const { id } = await insertEnvironment(db, {
    ...{ name: 'Shop', domain: 'shop.example', settings: keeping(30), createdBy },
  });
  await db.raw(
    `INSERT INTO session_choices SELECT ?::uuid, gen_random_uuid(), gen_random_uuid(), 'accept_all', '{}', '1',
       ?::timestamptz - n * interval '1 second', now() FROM generate_series(1, ?) AS n`,
    [id, new Date(NOW.getTime() - 40 * DAY), choices],
  );
  return id;
}

const left = async (environment_id: string): Promise<number> =>
  (await db('session_choices').where({ environment_id })).length;

/** The sites whose choices were deleted, and other tables, in the order of the statements. */
function watch(): string[] {
  const seen: string[] = [];
  db.on('query', ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
    if (/DELETE FROM session_choices/.test(sql)) seen.push(String(bindings[0]));
    if (/^delete from "login_failures"/.test(sql)) seen.push('login_failures');
  });
  return seen;
}

/** Does something after each chunk of choices but a site's last. */
function between(act: (id: string) => Promise<unknown>): void {
  const { deleteChoicesBefore } = outlived;
  jest.spyOn(outlived, 'deleteChoicesBefore').mockImplementation(async function* (note, ...rest) {
    for await (const _ of deleteChoicesBefore(note, ...rest)) {
      await act(note.environmentId);
      yield;
    }
  });
}

test('makers of sites take turns, a chunk each; what lives for a short time goes before all sites', async () => {
  const [one, other] = [await account(db), await account(db)];
  const [large, next, small] = [await site(one, 10_001), await site(one, 1), await site(other, 5_001)];
  const seen = watch();
  await applyRetention(db, log, NOW);
  // Of one maker a site after the other: a kill leaves few records of erasures open.
  expect(seen).toEqual(['login_failures', large, small, large, small, large, next]);
  for (const id of [large, next, small]) expect(await left(id)).toBe(0);
  expect(await db('erasures').orderBy('choices').select('running', 'whole', 'choices')).toEqual(
    [1, 5_001, 10_001].map((choices) => ({ running: 0, whole: true, choices })),
  );
});

test('of one maker, whoever began the group, those that were invited and those whom these invited take turns', async () => {
  const owner = await account(db);
  const invited = await account(db, { sponsor_id: owner });
  const further = await account(db, { sponsor_id: owner });
  await db('users').where({ id: further }).update({ by_invited: true });
  const theirs = [await site(invited, 10_001), await site(invited, 1)];
  const [last, own] = [await site(further, 1), await site(owner, 1)];
  const seen = watch();
  await applyRetention(db, log, NOW);
  const [large = '', next = ''] = theirs;
  expect(seen.indexOf(own)).toBeLessThan(seen.lastIndexOf(large));
  expect(seen.indexOf(last)).toBeLessThan(seen.lastIndexOf(large));
  expect(seen.at(-1)).toBe(next);
});

test('what lives for a short time and cannot be deleted keeps no site waiting, and the run fails', async () => {
  const id = await site(await account(db), 1);
  await db('login_failures').insert({ who: Buffer.from([1]), failures: 1, window_end: new Date(0) });
  await addTrigger(database.url, {
    ...{ name: 'refuse', table: 'login_failures', event: 'BEFORE DELETE', body: "RAISE 'refused';" },
  });
  await expect(applyRetention(db, log, NOW)).rejects.toThrow('refused');
  expect(await left(id)).toBe(0);
});

test('a stop ends the record of every site that had a turn, and begins with no other', async () => {
  const [one, other] = [await account(db), await account(db)];
  const [large, next, small] = [await site(one, 10_001), await site(one, 1), await site(other, 5_001)];
  const stop = new AbortController();
  between(async (id) => id === small && stop.abort());
  await applyRetention(db, log, NOW, stop.signal);
  expect([await left(large), await left(next), await left(small)]).toEqual([5_001, 1, 1]);
  expect(await db('erasures').select('running', 'whole', 'choices')).toEqual(
    Array(2).fill({ running: 0, whole: false, choices: 5_000 }),
  );
  jest.restoreAllMocks();
  await applyRetention(db, log, NOW);
  expect(await db('erasures').orderBy('choices').select('running', 'whole', 'choices')).toEqual(
    [1, 5_001, 10_001].map((choices) => ({ running: 0, whole: true, choices })),
  );
});

test('a retention that is lengthened while others have their turns counts from the next chunk on', async () => {
  const id = await site(await account(db), 10_001);
  between(() =>
    db('environments')
      .where({ id })
      .update({ settings: JSON.stringify(keeping(50)) }),
  );
  await applyRetention(db, log, NOW);
  expect(await left(id)).toBe(5_001);
});
