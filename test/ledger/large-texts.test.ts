import type { Knex } from 'knex';
import { recordFormConsent } from '../../server/src/api/form-consents';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { sealDsar } from '../../server/src/db/ledger/steps';
import { DsarRow } from '../../server/src/db/models';
import { ensurePartitions } from '../../server/src/db/partitions';
import { allow } from '../../server/src/db/retention-holds';
import type { HistoryEntry } from '../../server/src/domain/types';
import { applyRetention } from '../../server/src/jobs/retention';
import { auditSite } from '../../server/src/ledger/audit';
import { waitingForLocks } from '../helpers/cluster/instruments';
import { sealAll } from '../helpers/ledger/sealed-site';
import { textsRead } from '../helpers/ledger/texts-read';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

// However long the texts are that people made a site store, nothing reads many of them at once.
const server = useServer({ variables: { ROLE: 'api' } });
const db = (): Knex => server.service.context.db;

const MIB = 2 ** 20;
const ADA = 'ada@example.com';

async function newSite() {
  const { client, token } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  const audited = () =>
    textsRead(db(), () =>
      db().transaction((trx) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db()) })),
    );
  return {
    ...{ client, token, id },
    audited,
    found: async () => {
      await sealAll(server);
      return (await audited()).result.all();
    },
    erase: () => client.eraseSubject({ token, body: { subject: { email: ADA } } }),
    /** So long after that everything has outlived its retention. */
    retain: async () => {
      const now = new Date(Date.now() + 4_000 * 86_400_000);
      const allowed_until = new Date(now.getTime() + 60_000);
      await allow(db(), id, { allowed_records: 2_000_000, allowed_until, allowed_by: null });
      await applyRetention(db(), server.service.context.log, now);
      await ensurePartitions(db(), new Date(), new Date());
    },
    /** Notes of what an erasure took: one for each transaction. */
    notes: async (): Promise<number[]> => {
      const notes = await db()('ledger_erased').where({ environment_id: id });
      return notes.map(({ commitments }) => commitments.length / 32);
    },
  };
}

/** Form consents of which each has 250 kB. */
async function withForms(count: number) {
  const site = await newSite();
  const statements = Array.from({ length: 50 }, (_, n) => ({
    ...{ key: `k${n}`, accepted: true },
    text: `${n}`.padEnd(5_000, 'yes '),
  }));
  const client = { ipMasked: '203.0.***.***', recordedBy: 'visitor' };
  const body = {
    form_id: 'news',
    form_url: 'https://shop.example.com/',
    subject: { email: ADA },
    statements,
  };
  const asked = { site: { id: site.id, settings: { default_language: 'en' } }, client, body };
  for (let n = 0; n < count; n += 1)
    await db().transaction(async (trx) => recordFormConsent({} as never, { ...asked, trx } as never));
  await sealAll(server);
  return site;
}

/** Answered requests of one person, of which each has sealed steps of 600 kB. */
async function withRequests(count: number) {
  const site = await newSite();
  const { client, token } = site;
  for (let n = 0; n < count; n += 1) {
    const message = '\u4e2d'.repeat(10_000);
    const { request_id } = await submit(server, token, { email: ADA, name: 'Ada', message });
    await db().transaction(async (trx) => {
      const row = (await DsarRow.query(trx).findOne({ request_id })) as DsarRow;
      for (let step = 1; step < 20; step += 1) {
        const entry = { at: new Date().toISOString(), action: 'commented', actor: 'owner', note: null };
        row.history.push({ ...row.history[0], ...entry } as HistoryEntry);
        await sealDsar(trx, row);
      }
      const history = JSON.stringify(row.history);
      await trx('dsar_requests').where({ request_id }).update({ history });
    });
    await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  }
  await sealAll(server);
  return site;
}

test('an audit reads form consents a part at once, of which no statement is kept', async () => {
  const site = await withForms(20);
  const { all, most, result } = await site.audited();
  expect(result.all()).toEqual([]);
  expect(all).toBeGreaterThan(20 * 250_000);
  expect(most).toBeLessThanOrEqual(MIB);
});

test('an erasure takes long form consents in several transactions, and reads a part at once', async () => {
  const site = await withForms(40);
  const { most, result } = await textsRead(db(), site.erase);
  expect(result.complete).toBe(true);
  expect(result.erased).toContainEqual({ kind: 'form_consents', count: 40 });
  expect(most).toBeLessThanOrEqual(MIB);
  const notes = await site.notes();
  expect([notes.length, notes.reduce((sum, n) => sum + n)]).toEqual([2, 40]);
  expect(await site.found()).toEqual([]);
});

test('so does retention', async () => {
  const site = await withForms(40);
  const { most } = await textsRead(db(), site.retain);
  expect(await db()('form_consents').where({ environment_id: site.id })).toEqual([]);
  expect(most).toBeLessThanOrEqual(MIB);
  const notes = await site.notes();
  expect([notes.length, notes.reduce((sum, n) => sum + n)]).toEqual([2, 40]);
  expect(await site.found()).toEqual([]);
});

test('retention takes requests by what was sealed of them', async () => {
  const site = await withRequests(16);
  const { most } = await textsRead(db(), site.retain);
  expect(await db()('dsar_requests').where({ environment_id: site.id })).toEqual([]);
  expect(most).toBeLessThanOrEqual(MIB);
  const notes = await site.notes();
  expect([notes.length, notes.reduce((sum, n) => sum + n)]).toEqual([2, 16 * 21]);
  expect(await site.found()).toEqual([]);
});

test('a person’s requests lose their texts in several transactions: what one that ends early leaves, the next call takes', async () => {
  const site = await withRequests(16);
  const ids: string[] = await db()('dsar_requests')
    .where({ environment_id: site.id })
    .orderBy('created_at')
    .pluck('request_id');
  const named = async (): Promise<number> =>
    (await db()('dsar_requests').where({ environment_id: site.id }).whereNotNull('name')).length;
  const killed = await db().transaction();
  let taken: number;
  try {
    await killed('dsar_requests')
      .where({ request_id: ids.at(-1) as string })
      .forUpdate();
    const call = site.erase().then(
      () => 'ended',
      () => 'failed',
    );
    await until('it waits', async () => (await waitingForLocks(server.databaseUrl)) > 0);
    taken = await named();
    await db().raw(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(await call).toBe('failed');
  } finally {
    await killed.rollback();
  }
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(16);
  expect(await named()).toBe(taken);
  expect(await site.found()).toEqual([]);
  const { most, result } = await textsRead(db(), site.erase);
  expect(result.complete).toBe(true);
  expect(result.erased).toContainEqual({ kind: 'requests', count: taken });
  expect(await named()).toBe(0);
  expect(most).toBeLessThanOrEqual(MIB);
  expect(await site.found()).toEqual([]);
});
