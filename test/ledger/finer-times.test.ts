import { dropNoted } from '../../server/src/db/delete-outlived';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { auditSite } from '../../server/src/ledger/audit';
import { auditSamples } from '../../server/src/ledger/audit/sample';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

const DAY = 86_400_000;
const server = useServer({ variables: { ROLE: 'api' } });
const metrics = { compared: () => undefined, damaged: () => undefined };

test('an instant of the database that is finer than one of JavaScript ends no audit, sample or retention', async () => {
  const { db, log } = server.service.context;
  const { token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  for (let n = 0; n < 3; n += 1) await decide(server, token);
  await sealAll(server);
  // The newest record is later than any cursor of milliseconds says.
  await db.raw(
    `UPDATE consents SET recorded_at = recorded_at + interval '500 microseconds' WHERE environment_id = ?`,
    [id],
  );
  const found = await db.transaction((trx) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db) }));
  expect(found.all()).toEqual([]);
  await db.raw(
    `UPDATE consents SET recorded_at = recorded_at - interval '1 millisecond' WHERE environment_id = ?`,
    [id],
  );
  await auditSamples({ db, log, metrics }, new Date(), new AbortController().signal);
  const audit = () => db('ledger_audits').where({ environment_id: id }).first();
  expect((await audit()).at.getTime()).toBeGreaterThan(0);
  const now = new Date();
  const month = {
    name: 'consents',
    table: 'consents',
    start: new Date(Date.now() - 2 * DAY),
    end: new Date(Date.now() + DAY),
  };
  const sites = [{ id, settings: { retention_days: 1 } }] as never;
  const drop = async (): Promise<boolean> =>
    (await db('consents').where({ environment_id: id }).delete()) > 0;
  await dropNoted(db, month as never, { sites, now, drop });
  const noted: Buffer[] = await db('ledger_erased').where({ environment_id: id }).pluck('commitments');
  expect(noted.reduce((sum, { length }) => sum + length / 32, 0)).toBe(3);
});

test('a sample that a wrong clock dated ahead does not keep the next one from being taken', async () => {
  const { db, log } = server.service.context;
  const { token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  await decide(server, token);
  await sealAll(server);
  const own = () => db('ledger_audits').where({ environment_id: id });
  const sample = (): Promise<void> =>
    auditSamples({ db, log, metrics }, new Date(), new AbortController().signal);
  await sample();
  await own().update({ at: new Date(Date.now() + 10 * DAY) });
  await sample();
  expect((await own().first()).at.getTime()).toBeLessThan(Date.now() + DAY);
});
