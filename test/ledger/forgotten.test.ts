import { createHash, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { CONSENT_KEY } from '../../server/src/db/ledger/erased';
import { pendingRows } from '../../server/src/db/ledger/pending';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { allow } from '../../server/src/db/retention-holds';
import { idAt } from '../../server/src/domain/ids';
import { defaultSettings } from '../../server/src/domain/settings';
import { eraseDeletedSites } from '../../server/src/jobs/deleted-sites';
import { applyRetention } from '../../server/src/jobs/retention';
import { proveLeaf } from '../../server/src/ledger/proofs';
import { Sealer } from '../../server/src/ledger/seal';
import { openConsents } from '../../server/src/ledger/statements';
import { createLogger } from '../../server/src/observability/logger';
import { Vault } from '../../server/src/security/vault';
import { insertEnvironment } from '../../server/src/services/environments';
import { cloneDatabase } from '../helpers/database';
import { dumpOf } from '../helpers/ledger/dump';
import { FalseWitness } from '../helpers/ledger/false-witness';
import { GROUP_KEY, sealing } from '../helpers/ledger/group-key';
import { growLog, headOfSite } from '../helpers/ledger/grow';
import { rootByInclusion } from '../helpers/ledger/verify';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { useServer } from '../helpers/server';
import { tablesOf } from '../helpers/site/rows';

jest.setTimeout(60_000);

const DAY = 86_400_000;
const NOW = new Date();
const OLD = new Date(NOW.getTime() - 300 * DAY);
const log = createLogger('silent');
const vault = new Vault(Buffer.alloc(32, 7).toString('base64'));

describe('a month whose time is over', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let db: Knex;
  let site: { id: string; token: string };
  let opened: Awaited<ReturnType<typeof openConsents>>;

  beforeEach(async () => {
    database = await cloneDatabase();
    db = sealing(connect(database.url, 4));
    await ensurePartitions(db, new Date(NOW.getTime() - 400 * DAY), NOW);
    const settings = { ...defaultSettings(), retention_days: { consents: 30, events: 90 } };
    site = await insertEnvironment(db, { name: 'Shop', domain: 'shop.example', settings, createdBy: null });
    await allow(db, site.id, {
      ...{ allowed_records: 1_000, allowed_until: new Date(NOW.getTime() + 10 * DAY), allowed_by: null },
    });
    await seal();
    await db('ledger_heads')
      .where({ environment_id: site.id })
      .update({ imported_on: NOW, import_done: true });
    opened = await decided();
    await seal();
  });
  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  const seal = (): Promise<void> =>
    new Sealer({ db, log, vault, publicUrl: () => 'https://consent.example.com' }).run();

  /** Three old decisions, the first from before the log, and one of today, with what seals them. */
  async function decided() {
    const { id: environment_id } = site;
    const times = [OLD, new Date(OLD.getTime() + 1), new Date(OLD.getTime() + 2), NOW];
    for (const recorded_at of times) {
      const [consent_id, blinding] = [idAt(recorded_at), randomUUID()];
      const isBefore = recorded_at === OLD;
      await db('consents').insert({
        ...{ environment_id, consent_id, recorded_at, session_id: randomUUID() },
        ...{ decision: 'accept_all', categories: {}, policy_version: '1', expires_at: NOW, gpc: false },
        ...{ banner_version: 1, method: 'banner', language: 'en', ip_masked: '203.0.***.***' },
        blinding: isBefore ? null : blinding,
      });
      if (isBefore) await db('ledger_imported').insert({ environment_id, consent_id, blinding });
    }
    const keys = await db('consents').where({ environment_id }).select(CONSENT_KEY);
    const all = await openConsents(db, environment_id, keys);
    const leaves = all.map(({ at, commitment }) => ({ environment_id, at: at.toISOString(), commitment }));
    const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
    for (const row of pendingRows(GROUP_KEY, leaves))
      await db('ledger_pending').insert({ ...row, leaves: bytes(row.leaves), mac: bytes(row.mac) });
    return all.sort((one, other) => one.at.getTime() - other.at.getTime());
  }

  /** What retention took, by the note of it, in hexadecimal digits. */
  async function noted(): Promise<string[]> {
    const rows: { commitments: Buffer }[] = await db('ledger_erased').where({ environment_id: site.id });
    return rows.flatMap(({ commitments }) => commitments.toString('hex').match(/.{64}/g) ?? []).sort();
  }

  async function expectForgotten(): Promise<void> {
    const gone = opened.slice(0, 3);
    expect(await noted()).toEqual(gone.map(({ commitment }) => commitment).sort());
    const dump = await dumpOf(db);
    for (const { blinding, statement } of gone) {
      const { session_id, consent_id } = JSON.parse(statement).record;
      for (const value of [blinding, blinding.replaceAll('-', ''), session_id, consent_id])
        expect([value, dump.includes(value)]).toEqual([value, false]);
    }
    const [, , , kept] = opened;
    expect(dump).toContain(kept?.blinding);
    const fact = await db('ledger_facts').where({ environment_id: site.id, kind: 'erasure' }).first();
    const leaves = Buffer.from((await noted()).join(''), 'hex');
    expect(JSON.parse(fact.statement).record).toMatchObject({
      ...{ rule: 'consents', consents: 3, whole: true },
      leaves: createHash('sha256').update(leaves).digest('hex'),
    });
    // The log has all of them still, and says nothing of what is gone.
    await seal();
    for (const { commitment, at } of opened) {
      const found = await proveLeaf(db, site.id, commitment, at);
      if (found === undefined) throw new Error('a leaf is gone');
      const { leaf, head, proof } = found;
      expect(rootByInclusion(leaf, head.size, Buffer.from(commitment, 'hex'), proof)).toEqual(head.root);
    }
  }

  const hasMonth = async (): Promise<boolean> =>
    (await listPartitions(db)).some(
      ({ table, start, end }) => table === 'consents' && start <= OLD && OLD < end,
    );

  test('goes as a whole, and what the log held of it is noted before', async () => {
    expect(JSON.parse(opened[0]?.statement ?? '').imported_on).toBe(NOW.toISOString());
    await applyRetention(db, log, NOW);
    expect(await hasMonth()).toBe(false);
    await expectForgotten();
    expect(await db('ledger_imported').where({ environment_id: site.id })).toEqual([]);
  });

  test('that went by a run which was killed before it forgot the rest leaves no blinding, after the next run', async () => {
    const month = (await listPartitions(db)).find(
      ({ table, start, end }) => table === 'consents' && start <= OLD && OLD < end,
    );
    await db.raw('DROP TABLE ??', [month?.name ?? '']);
    const imported = () => db('ledger_imported').where({ environment_id: site.id }).pluck('consent_id');
    // One of a month that is there.
    const kept = idAt(new Date(NOW.getTime() - DAY));
    await db('ledger_imported').insert({
      ...{ environment_id: site.id, consent_id: kept, blinding: randomUUID() },
    });
    expect(await imported()).toHaveLength(2);
    await applyRetention(db, log, NOW);
    expect(await imported()).toEqual([kept]);
  });

  test('that somebody reads goes record by record, and each is noted once', async () => {
    const other = connect(database.url, 1);
    const reader = await other.transaction();
    await reader.raw('SELECT count(*) FROM consents');
    await applyRetention(db, log, NOW);
    expect(await hasMonth()).toBe(true);
    await reader.commit();
    await other.destroy();
    await expectForgotten();
    // The empty month goes later, and nothing is noted again.
    await applyRetention(db, log, new Date(NOW.getTime() + 3_600_000));
    expect(await hasMonth()).toBe(false);
    await expectForgotten();
  });
});

describe('a site that is deleted', () => {
  const server = useServer({ variables: { ROLE: 'api' } });

  test('leaves no row of its log, of who vouched for it, or of what they said', async () => {
    const witness = await new FalseWitness('ended.example').listen();
    try {
      const { client, token } = await server.site();
      await growLog(server, token, 5);
      await vouchOnce(server, {
        variables: { WITNESSES: witnessesOf(witness), TIMESTAMP_URLS: `${witness.url}/none` },
      });
      const { id } = await headOfSite(server, token);
      const { db } = server.service.context;
      const rows = (table: string) => db(table).where({ environment_id: id });
      expect(await rows('ledger_vouchers')).toHaveLength(2);
      expect(await rows('ledger_cosignatures')).toHaveLength(1);
      await client.updateEnvironment({ token, body: { status: 'archived' } });
      await client.deleteEnvironment({ token, name: 'Example shop' });
      // Nobody is asked about it any more, also not between its end and its erasure.
      const { requests } = witness;
      const before = requests.length;
      await vouchOnce(server, { variables: { WITNESSES: witnessesOf(witness) }, minutes: 600 });
      expect(requests).toHaveLength(before);
      await eraseDeletedSites(db, log, new Date(Date.now() + 3_600_000));
      for (const [table, columns] of await tablesOf(db))
        if (columns.includes('environment_id') && table.startsWith('ledger_'))
          expect([table, await rows(table)]).toEqual([table, []]);
    } finally {
      await witness.close();
    }
  });
});
