import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { dropNoted } from '../../server/src/db/delete-outlived';
import { SEALED_STEP } from '../../server/src/db/ledger/began';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { timeOfId } from '../../server/src/domain/ids';
import { auditSite } from '../../server/src/ledger/audit';
import { auditSamples } from '../../server/src/ledger/audit/sample';
import { giveForm, makeFiner } from '../helpers/ledger/finer';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

jest.setTimeout(60_000);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const server = useServer({ variables: { ROLE: 'api' } });
const metrics = { compared: () => undefined, damaged: () => undefined };

const named = (name: string, ids: readonly string[]) =>
  [...ids].sort().map((id) => ({
    damage: 'altered',
    text: `${name} ${id}: recorded_at is not exactly the time in its id`,
  }));

async function newSite() {
  const { db, log } = server.service.context;
  const { client, token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  const audit = async () =>
    (await db.transaction((trx) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db) }))).all();
  const sample = () => auditSamples({ db, log, metrics }, new Date(), new AbortController().signal);
  return { client, token, id, audit, sample };
}

test('an instant of the database that is finer than one of JavaScript ends no audit, sample or retention', async () => {
  const { db } = server.service.context;
  const { token, id, audit, sample } = await newSite();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await decide(server, token)).consent_id);
  await sealAll(server);
  // The newest record is later than any cursor of milliseconds says.
  await makeFiner(server, 'consents', id);
  expect(await audit()).toEqual(named('consent', ids));
  await db.raw(
    `UPDATE consents SET recorded_at = recorded_at - interval '1 millisecond' WHERE environment_id = ?`,
    [id],
  );
  await sample();
  const kept = () => db('ledger_audits').where({ environment_id: id }).first();
  expect((await kept()).at.getTime()).toBeGreaterThan(0);
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

test('the audit and the sample name each record whose instant is not exactly the one in its id', async () => {
  const { db } = server.service.context;
  const { token, id, audit, sample } = await newSite();
  const { consent_id } = await decide(server, token);
  await decide(server, token);
  await giveForm(server, token);
  const { form_consent_id } = await giveForm(server, token);
  await sealAll(server);
  expect(await audit()).toEqual([]);
  await makeFiner(server, 'consents', id, [consent_id]);
  await makeFiner(server, 'form_consents', id, [form_consent_id]);
  const expected = [...named('consent', [consent_id]), ...named('form consent', [form_consent_id])];
  expect(await audit()).toEqual(expected);
  await sample();
  const lines = expected.map(({ damage, text }) => `${damage}: ${text}`);
  expect((await db('ledger_audits').where({ environment_id: id }).first()).problem.split('\n')).toEqual(
    lines,
  );
  // A copy beside the record, which no other id names.
  await db.raw(
    `INSERT INTO form_consents SELECT (jsonb_populate_record(NULL::form_consents,
       to_jsonb(f) || jsonb_build_object('recorded_at', f.recorded_at + interval '1 hour'))).*
     FROM form_consents f WHERE form_consent_id = ?`,
    [form_consent_id],
  );
  const [, ofForm] = expected;
  expect((await audit()).filter(({ text }) => text === ofForm?.text)).toHaveLength(2);
  const [{ fact_id }] = await db('ledger_facts').where({ environment_id: id }).limit(1);
  await db('ledger_facts')
    .where({ fact_id })
    .update({ at: db.raw("at + interval '500 microseconds'") });
  expect(await audit()).toContainEqual({
    damage: 'altered',
    text: expect.stringMatching(`^fact ${fact_id} .* does not fit its own columns: at$`),
  });
});

test('an erasure takes what it notes', async () => {
  const { db } = server.service.context;
  const { client, token, id, audit } = await newSite();
  const session_id = randomUUID();
  await decide(server, token, session_id);
  await sealAll(server);
  await makeFiner(server, 'consents', id);
  expect(await client.eraseSession({ token, session_id })).toMatchObject({ complete: true, consents: 1 });
  expect(await db('consents').where({ environment_id: id })).toEqual([]);
  await sealAll(server);
  expect(await audit()).toEqual([]);
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

test('an import of records from before the log ends', async () => {
  const { db } = server.service.context;
  const { id, audit } = await newSite();
  await db('environments')
    .where({ id })
    .update({ created_at: new Date(Date.now() - 3 * HOUR) });
  await db('contract_steps')
    .where({ name: SEALED_STEP })
    .update({ started_at: new Date(Date.now() - HOUR) });
  const rows = Array.from({ length: 2_001 }, (_, n) => {
    const consent_id = v7({ msecs: Date.now() - 2 * HOUR + n });
    return {
      ...{ environment_id: id, consent_id, recorded_at: timeOfId(consent_id), session_id: randomUUID() },
      ...{ decision: 'accept_all', categories: { b: true }, policy_version: '1', expires_at: new Date() },
      ...{ banner_version: 1, method: 'banner', language: 'en', ip_masked: '203.0.***.***', gpc: false },
    };
  });
  await db.batchInsert('consents', rows, 500);
  // The last one of those that one transaction takes.
  const { consent_id } = rows[1_999] as { consent_id: string };
  await makeFiner(server, 'consents', id, [consent_id]);
  await sealAll(server);
  const head = await db('ledger_heads').where({ environment_id: id }).first();
  expect(head).toMatchObject({ import_done: true });
  expect(await db('ledger_imported').where({ environment_id: id })).toHaveLength(2_001);
  expect(await audit()).toEqual(named('consent', [consent_id]));
});
