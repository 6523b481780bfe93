import { randomUUID } from 'node:crypto';
import { dropNoted } from '../../server/src/db/delete-outlived';
import { eraseConsentsOf } from '../../server/src/db/erase-consents';
import { ErasureNote } from '../../server/src/db/erasure-log';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { applyRetention } from '../../server/src/jobs/retention';
import { auditSite } from '../../server/src/ledger/audit';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

const DAY = 86_400_000;
const server = useServer({ variables: { ROLE: 'api' } });

test('what a killed erasure took is sealed a day later, and says that it did not end', async () => {
  const { db, log } = server.service.context;
  const { token, userId } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  const session = randomUUID();
  await decide(server, token, session);
  await sealAll(server);
  const audit = () => db.transaction((trx) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db) }));
  const note = ErasureNote.of(db, id, { userId }, { kind: 'session', found_by: [] });
  // Killed before `finish`.
  await note.inOne(async (trx, gone) => ({
    consents: await eraseConsentsOf(trx, id, [session], { limit: 10, gone }),
  }));
  const before = await audit();
  expect([before.total, before.notes]).toEqual([0, [expect.stringContaining('cut off')]]);

  const facts = () => db('ledger_facts').where({ environment_id: id, kind: 'erasure' });
  await applyRetention(db, log, new Date(Date.now() + DAY / 2));
  expect(await facts()).toEqual([]);
  await applyRetention(db, log, new Date(Date.now() + DAY + 60_000));
  await applyRetention(db, log, new Date(Date.now() + DAY + 120_000));
  const sealed = (await facts()).map(({ statement }) => JSON.parse(statement).record);
  expect(sealed).toEqual([
    expect.objectContaining({ erasure_id: note.erasureId, finished_at: null, whole: false, consents: 1 }),
  ]);
  await sealAll(server);
  const after = await audit();
  expect([after.all(), after.notes]).toEqual([[], []]);

  // It was not dead after all: what it says at its end is sealed, too.
  await note.finish(true);
  expect(await facts()).toHaveLength(2);
  await sealAll(server);
  expect((await audit()).all()).toEqual([]);
});

test('a month that is noted, and dropped by a later run only, is noted once', async () => {
  const { db } = server.service.context;
  const { token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  for (let n = 0; n < 3; n += 1) await decide(server, token);
  await sealAll(server);
  const [{ recorded_at }] = await db('consents').where({ environment_id: id }).select('recorded_at');
  const start = new Date(Date.UTC(recorded_at.getUTCFullYear(), recorded_at.getUTCMonth()));
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  const month = { name: 'consents', table: 'consents', start, end } as Parameters<typeof dropNoted>[1];
  const sites = [{ id, settings: { retention_days: 1 } }] as never;
  const erase = (drop: () => Promise<boolean>) => dropNoted(db, month, { sites, now: new Date(), drop });
  const noted = async () => {
    const notes: Buffer[] = await db('ledger_erased').where({ environment_id: id }).pluck('commitments');
    return notes.flatMap((note) => note.toString('hex').match(/.{64}/g) ?? []).sort();
  };
  // As after a kill: nobody knows whether it was dropped.
  await expect(erase(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
  const first = await noted();
  expect(new Set(first).size).toBe(3);
  await decide(server, token);
  await sealAll(server);
  await erase(async () => (await db('consents').where({ environment_id: id }).delete()) > 0);
  const second = await noted();
  expect([second.length, new Set(second).size]).toEqual([4, 4]);
  expect(second).toEqual(expect.arrayContaining(first));
});

test('a month that the database refuses to drop leaves no record of an erasure, and is no damage', async () => {
  const { db } = server.service.context;
  const { token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  for (let n = 0; n < 3; n += 1) await decide(server, token);
  await sealAll(server);
  const now = new Date();
  const start = new Date(now.getTime() - DAY);
  const month = { name: 'consents', table: 'consents', start, end: new Date(now.getTime() + DAY) };
  const refused = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  const sites = [{ id, settings: { retention_days: 1 } }] as never;
  const drop = () => Promise.reject(refused);
  await expect(dropNoted(db, month as never, { sites, now, drop })).rejects.toThrow('timeout');
  await sealAll(server);
  for (const table of ['erasures', 'ledger_erased'])
    expect(await db(table).where({ environment_id: id })).toEqual([]);
  const found = await db.transaction((trx) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db) }));
  expect(found.all()).toEqual([]);
});
