import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import type { Knex } from 'knex';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { allow } from '../../server/src/db/retention-holds';
import { applyRetention } from '../../server/src/jobs/retention';
import { auditSite } from '../../server/src/ledger/audit';
import { itIs } from '../helpers/at-time';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

jest.setTimeout(60_000);

const DAY = 86_400_000;
const server = useServer({ variables: { ROLE: 'api' } });
const db = (): Knex => server.service.context.db;
afterEach(() => jest.useRealTimers());

/** A site with sealed decisions of two sessions; days are counted from its beginning. */
async function begun() {
  const { token, userId } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  const sessions = [randomUUID(), randomUUID()] as const;
  for (const session of sessions) await decide(server, token, session);
  await sealAll(server);
  const start = Date.now();
  const owner = async () => {
    const { token: login } = await server.service.context.tokens.issue(userId);
    return createAvow({ baseUrl: server.url, token: login });
  };
  return {
    ...{ id, sessions },
    onDay: (day: number) => itIs(start + day * DAY),
    erase: async (session_id: string) => (await owner()).eraseSession({ token, session_id }),
    keepErasures: async (days: number) => {
      const retention_days = { consents: 1825, events: 90, erasures: days };
      await (await owner()).updateEnvironment({ token, body: { settings: { retention_days } } });
    },
    retain: async () => {
      const allowed_until = new Date(Date.now() + DAY);
      await allow(db(), id, { allowed_records: 1_000, allowed_until, allowed_by: null });
      await applyRetention(db(), server.service.context.log, new Date());
      await sealAll(server);
    },
    erasures: (): Promise<string[]> =>
      db()('erasures').where({ environment_id: id, kind: 'session' }).pluck('erasure_id'),
    /** What an audit finds after a change, which is taken back. */
    found: async (tamper: (trx: Knex) => Promise<unknown> = async () => undefined): Promise<string[]> => {
      const trx = await db().transaction();
      try {
        await tamper(trx);
        const findings = await auditSite(trx, { id, token }, { groupKey: groupKeyOf(trx) });
        return findings.all().map(({ damage, text }) => `${damage}: ${text}`);
      } finally {
        await trx.rollback();
      }
    },
  };
}

const removeErasures = (trx: Knex) => trx('erasures').where({ kind: 'session' }).delete();

test('the record of an erasure goes after its time, and what was sealed of it explains what it took', async () => {
  const site = await begun();
  await site.erase(site.sessions[0]);
  await sealAll(server);
  const [erasure] = await site.erasures();
  expect(await site.found()).toEqual([]);
  site.onDay(1094);
  const early = await site.found(removeErasures);
  expect(early).toEqual([
    `deleted: erasures ${erasure}: its steps are sealed, the row is gone`,
    `erasure: ledger_erased: note 1 is of no erasure (${erasure})`,
  ]);
  site.onDay(1096);
  await site.retain();
  expect(await site.erasures()).toEqual([]);
  expect(await site.found()).toEqual([]);

  // What stays of it cannot be changed either.
  const notes = (trx: Knex) => trx('ledger_erased').where({ erasure_id: erasure });
  const altered = `erasure: erasure ${erasure} is not as it was sealed: leaves`;
  const other = Buffer.alloc(32, 1);
  expect(
    await site.found((trx) => notes(trx).update({ commitments: trx.raw('commitments || ?', [other]) })),
  ).toContain(altered);
  expect(await site.found((trx) => notes(trx).delete())).toEqual([
    expect.stringMatching(/^deleted: leaf \d+/),
    altered,
  ]);
  const facts = (trx: Knex) => trx('ledger_facts').where({ subject: erasure });
  expect(await site.found((trx) => facts(trx).delete())).toEqual([
    expect.stringMatching(/^deleted: leaf \d+/),
    expect.stringMatching(/^erasure: .* is of no erasure/),
  ]);
});

test('an erasure that went under a short retention stays explained when the retention is long again', async () => {
  const site = await begun();
  await site.keepErasures(30);
  await site.erase(site.sessions[0]);
  await sealAll(server);
  site.onDay(31);
  await site.retain();
  expect(await site.erasures()).toEqual([]);
  expect(await site.found()).toEqual([]);
  site.onDay(32);
  await site.keepErasures(3650);
  await site.erase(site.sessions[1]);
  await sealAll(server);
  expect(await site.found()).toEqual([]);
  // The short retention had ended when this one began.
  site.onDay(100);
  expect(await site.found(removeErasures)).toContainEqual(expect.stringMatching(/^deleted: erasures /));
  expect(await site.found()).toEqual([]);
});

test('a retention that nobody sealed excuses nothing', async () => {
  const site = await begun();
  await site.erase(site.sessions[0]);
  await sealAll(server);
  site.onDay(40);
  const found = await site.found(async (trx) => {
    const short = JSON.stringify({ consents: 1825, events: 90, erasures: 30 });
    const settings = trx.raw(`jsonb_set(settings, '{retention_days}', ?::jsonb)`, [short]);
    await trx('environments').where({ id: site.id }).update({ settings });
    await removeErasures(trx);
  });
  expect(found).toContainEqual(expect.stringMatching(/^deleted: erasures /));
});
