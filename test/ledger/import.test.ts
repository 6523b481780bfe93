import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { readConfig } from '../../server/src/config';
import { eraseConsentsOf } from '../../server/src/db/erase-consents';
import { connect } from '../../server/src/db/knex';
import { SEALED_STEP } from '../../server/src/db/ledger/began';
import { CONSENT_KEY } from '../../server/src/db/ledger/erased';
import { migrate } from '../../server/src/db/migrate';
import { newId, timeOfId } from '../../server/src/domain/ids';
import { defaultSettings } from '../../server/src/domain/settings';
import { openGroupKey } from '../../server/src/ledger/group-secret';
import { proveLeaf } from '../../server/src/ledger/proofs';
import { Sealer } from '../../server/src/ledger/seal';
import { type FactRow, openConsents, openFact } from '../../server/src/ledger/statements';
import { viewLog } from '../../server/src/ledger/view';
import { createLogger } from '../../server/src/observability/logger';
import { Vault } from '../../server/src/security/vault';
import { insertEnvironment } from '../../server/src/services/environments';
import { addTrigger } from '../helpers/cluster/instruments';
import { emptyDatabase } from '../helpers/database';
import { rootByInclusion } from '../helpers/ledger/verify';
import { knowing } from '../helpers/migrations/released';

jest.setTimeout(120_000);

const vault = new Vault(Buffer.alloc(32, 7).toString('base64'));
const MINUTE = 60_000;
/** More than one transaction takes. */
const RECORDS = 4_500;
/** What is imported besides, in this order. */
const KINDS = ['form_consent', 'settings', 'vendors', 'bundle', 'dsar', 'breach', 'erasure'];

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let db: Knex;
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

/** A site as a process of the version before left it. */
async function oldSite(records = RECORDS, digit = '0'): Promise<{ id: string; token: string }> {
  const [id, token, now] = [newId(), `env_${digit.repeat(22)}`, new Date(Date.now() - 3_600_000)];
  const times = { created_at: now, updated_at: now };
  await db('environments').insert({
    ...{
      id,
      token,
      name: 'Shop',
      domain: 'shop.example',
      domains: ['shop.example'],
      url: 'https://shop.example',
    },
    ...{ status: 'active', settings: defaultSettings(), settings_version: 1, ...times },
  });
  await db('settings_versions').insert({
    ...{ environment_id: id, version: 1, settings: defaultSettings(), created_at: now },
  });
  await decide(id, records);
  const form_consent_id = newId();
  await db('form_consents').insert({
    ...{ environment_id: id, form_consent_id, recorded_at: timeOfId(form_consent_id), form_id: 'news' },
    ...{ form_url: 'https://shop.example/', email: 'ada@example.com', email_key: 'ada@example.com' },
    ...{ statements: '[]', double_opt_in: 'none', language: 'en', ip_masked: '203.0.***.***' },
  });
  await insertOthers(id, now);
  return { id, token };
}

/** One of everything else that the log holds. */
async function insertOthers(environment_id: string, now: Date): Promise<void> {
  const at = { environment_id, created_at: now };
  await db('vendor_lists').insert({ ...at, version: 1, vendors: '[]' });
  await db('bundles').insert({
    ...{ ...at, hash: 'a'.repeat(64), script: '0', integrity: 'sha384-x', bytes: 1, gzip_bytes: 1 },
    ...{ config: '{}', texts: '{}', vendors: '[]', warnings: '[]', program_digest: 'x' },
    ...{ settings_version: 1, vendor_list_version: 1, published_at: now },
  });
  const history = JSON.stringify([{ at: now, action: 'created', actor: 'visitor', note: null }]);
  await db('dsar_requests').insert({
    ...{ ...at, request_id: newId(), request_type: 'access', email: 'ada@example.com', language: 'en' },
    ...{ email_key: 'ada@example.com', status: 'created', due_at: now, history },
  });
  await db('breaches').insert({
    ...{ ...at, breach_id: newId(), title: 'Lost laptop', nature: 'confidentiality', description: 'Lost.' },
    ...{ severity: 'low', aware_at: now, notify_by: now, data_categories: '[]', subject_categories: '[]' },
    ...{ consequences: 'None.', measures: 'None.', status: 'created', history },
  });
  await db('erasures').insert({
    ...{
      environment_id,
      erasure_id: newId(),
      begun_at: now,
      finished_at: now,
      kind: 'session',
      found_by: [],
    },
    ...{ running: 0, whole: true, consents: 1, choices: 0, form_consents: 0, requests: 0, events: 0 },
    deliveries: 0,
  });
}

async function decide(environment_id: string, n: number): Promise<void> {
  const rows = Array.from({ length: n }, () => {
    const consent_id = newId();
    return {
      ...{ environment_id, consent_id, recorded_at: timeOfId(consent_id), session_id: randomUUID() },
      ...{
        decision: 'accept_all',
        categories: { b: true, a: false },
        policy_version: '1',
        expires_at: new Date(),
      },
      ...{ banner_version: 1, method: 'banner', language: 'en', ip_masked: '203.0.***.***', gpc: false },
    };
  });
  await db.batchInsert('consents', rows, 500);
}

const sealer = () =>
  new Sealer({ db, log: createLogger('silent'), vault, publicUrl: () => 'https://consent.example.com' });
const view = (id: string) => viewLog(db, id, { isPublished: true, isMember: false, config: readConfig({}) });

test('records from before the log are sealed once, after the contract step, and say when', async () => {
  database = await emptyDatabase();
  db = connect(database.url, 8);
  await knowing(
    (name) => name < '20261124042327_add_ledger',
    () => migrate(db),
  );
  const { id, token } = await oldSite();
  await migrate(db, { background: true, version: '99.0.0' });
  await openGroupKey(db, vault);
  await sealer().run();
  // Processes of before may still write.
  expect(await view(id)).toMatchObject({ size: null, imported_on: null });
  await decide(id, 1);
  await migrate(db, { contract: true, version: '99.0.0' });
  await sealer().run();
  expect(await view(id)).toMatchObject({ imported_on: null });
  await db('contract_steps')
    .where({ name: SEALED_STEP })
    .update({ started_at: new Date(Date.now() - 10 * MINUTE) });
  // What was written since has a blinding; without one it is no record of before.
  await db('consents')
    .where({ environment_id: id })
    .update({ recorded_at: new Date(Date.now() - 60 * MINUTE) });
  await decide(id, 1);
  await Promise.all([sealer().run(), sealer().run()]);
  await sealer().run();
  const log = await view(id);
  // The consents, one of each other kind, and the fact of the import.
  expect(log).toMatchObject({
    size: RECORDS + 1 + KINDS.length + 1,
    behind: false,
    imported_on: expect.any(String),
  });
  const keys = await db('consents')
    .where({ environment_id: id })
    .select([...CONSENT_KEY]);
  const consents = await openConsents(db, id, keys);
  expect(consents).toHaveLength(RECORDS + 1);
  const facts: FactRow[] = await db('ledger_facts').where({ environment_id: id }).orderBy('fact_id');
  expect(facts.map(({ kind }) => kind)).toEqual([...KINDS, 'import']);
  const opened = (await Promise.all(facts.map((fact) => openFact(db, fact)))).flatMap((leaf) => leaf ?? []);
  const places = new Set<number>();
  for (const leaf of [...opened, ...consents.filter((_, n) => n % 50 === 0)]) {
    const found = await proveLeaf(db, id, leaf.commitment, leaf.at);
    if (found === undefined) throw new Error(`${leaf.kind} has no leaf`);
    const root = rootByInclusion(
      found.leaf,
      found.head.size,
      Buffer.from(leaf.commitment, 'hex'),
      found.proof,
    );
    expect(root).toEqual(found.head.root);
    places.add(found.leaf);
    const { imported_on, kind, record, site } = JSON.parse(leaf.statement);
    expect([site, imported_on]).toEqual([token, kind === 'import' ? undefined : log.imported_on]);
    if (kind === 'import')
      expect(record).toMatchObject({ imported_on: log.imported_on, records: RECORDS + 1 + KINDS.length });
  }
  expect(places.size).toBe(KINDS.length + 1 + Math.ceil((RECORDS + 1) / 50));
  await sealer().run();
  expect((await view(id)).size).toBe(log.size);
  // An erasure finds the blindings of such records too.
  const { session_id } = await db('consents')
    .where({ environment_id: id })
    .whereNull('blinding')
    .orderBy('recorded_at')
    .first();
  const gone: string[] = [];
  await db.transaction((trx) => eraseConsentsOf(trx, id, [session_id], { limit: 10, gone }));
  expect(consents.map(({ commitment }) => commitment)).toContain(gone[0]);
  expect(await db('ledger_imported').where({ environment_id: id })).toHaveLength(RECORDS);
});

test('a site whose records cannot be sealed keeps no other site waiting, and is tried again', async () => {
  database = await emptyDatabase();
  db = connect(database.url, 4);
  await knowing(
    (name) => name < '20261124042327_add_ledger',
    () => migrate(db),
  );
  const [broken, other] = [await oldSite(2), await oldSite(2, '1')];
  await migrate(db, { background: true, version: '99.0.0' });
  await migrate(db, { contract: true, version: '99.0.0' });
  await openGroupKey(db, vault);
  await db('contract_steps')
    .where({ name: SEALED_STEP })
    .update({ started_at: new Date(Date.now() - 10 * MINUTE) });
  await db('consents').update({ recorded_at: new Date(Date.now() - 60 * MINUTE) });
  const putRight = await addTrigger(database.url, {
    ...{ name: 'refuse', table: 'ledger_imported', event: 'BEFORE INSERT' },
    condition: `NEW.environment_id = '${broken.id}'`,
    body: "RAISE 'refused';",
  });
  const one = sealer();
  await expect(one.run()).rejects.toThrow('refused');
  expect(await view(other.id)).toMatchObject({ imported_on: expect.any(String) });
  expect(await view(broken.id)).toMatchObject({ imported_on: null });
  await putRight();
  await one.run();
  expect(await view(broken.id)).toMatchObject({ imported_on: expect.any(String) });
});

test('a site that is made later has nothing to import', async () => {
  database = await emptyDatabase();
  db = connect(database.url, 4);
  await migrate(db);
  await openGroupKey(db, vault);
  await db('contract_steps')
    .where({ name: SEALED_STEP })
    .update({ started_at: new Date(Date.now() - 10 * MINUTE) });
  const { id } = await insertEnvironment(db, {
    ...{ name: 'Shop', domain: 'shop.example', settings: defaultSettings(), createdBy: null },
  });
  await sealer().run();
  expect(await view(id)).toMatchObject({ size: 1, imported_on: null });
  expect(await db('ledger_heads').first('import_done')).toEqual({ import_done: true });
});
