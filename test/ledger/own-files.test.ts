import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Verification, verifyEvidence } from '../../sdk/src/verify';
import { connect } from '../../server/src/db/knex';
import { rotateKey } from '../../server/src/ledger/keys';
import { cloneDatabase } from '../helpers/database';
import { Authority, hasOpenssl } from '../helpers/ledger/authority';
import { FalseWitness } from '../helpers/ledger/false-witness';
import { foreignFacts, hasGo } from '../helpers/ledger/foreign';
import { vkeyOfSite } from '../helpers/ledger/grow';
import { oldSite } from '../helpers/ledger/old-site';
import { readPack } from '../helpers/ledger/read-pack';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { writeZip } from '../helpers/ledger/zip';
import { startServer, type TestServer } from '../helpers/server';
import { breachInput, submit } from '../helpers/site/data-subject-requests';
import { vendor } from '../helpers/site/vendors';
import { until } from '../helpers/until';

// What a real server hands out, of every kind, held by our verifier, by Go's packages and by openssl.
jest.setTimeout(240_000);

const session_id = randomUUID();
const form = { form_id: 'news', form_url: 'https://shop.example.com/' };
const statements = [{ key: 'a', text: 'Yes.', accepted: true }];
const erased = { email: 'erased@example.com', session: randomUUID() };

let server: TestServer;
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let witness: FalseWitness;
let authority: Authority | undefined;
let site: Awaited<ReturnType<TestServer['site']>>;
let old: { id: string; token: string };
/** The first key of the log: what its readers have from before. */
let vkey: string;
let ids: { consent_id: string; request_id: string; breach_id: string };
const folder = mkdtempSync(join(tmpdir(), 'avow-own-'));

beforeAll(async () => {
  database = await cloneDatabase();
  const db = connect(database.url, 2);
  old = await oldSite(db);
  await db.destroy();
  server = await startServer({ databaseUrl: database.url, variables: { SEAL_SECONDS: '1' } });
  witness = await new FalseWitness('witness.example').listen();
  authority = hasOpenssl ? new Authority() : undefined;
  const url = await authority?.listen();
  const variables = {
    WITNESSES: witnessesOf(witness),
    ...(url === undefined ? {} : { TIMESTAMP_URLS: url }),
  };
  site = await server.site();
  vkey = await vkeyOfSite(server, site.token);
  ids = await firstRecords();
  await sealed(site.token);
  await vouchOnce(server, { variables });
  // The older head is vouched for; the next one is signed by another key, after an erasure.
  await server.service.context.db.transaction((trx) => rotateKey(trx, server.service.context.vault));
  await laterRecords();
  await sealed(site.token);
  await vouchOnce(server, { variables, minutes: 25 * 60 });
});
afterAll(async () => {
  await server?.stop();
  await witness?.close();
  authority?.close();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

const decide = (body: object = {}) =>
  server.visitor.logConsent({
    token: site.token,
    body: { session_id: randomUUID(), decision: 'accept_all', ...body },
  });

const sealed = (token: string): Promise<unknown> =>
  until('all is sealed', async () => {
    const { behind, size } = await server.visitor.getEvidenceLog({ token });
    return !behind && size !== null && size > 0;
  });

async function firstRecords() {
  const { client, token } = site;
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Maps')] } });
  const { hash } = await client.generateBundle({ token });
  const page_url = 'https://shop.example.com/é/ü';
  const { consent_id } = await decide({ session_id, bundle_hash: hash, page_url });
  await server.visitor.recordFormConsent({
    token,
    body: { ...form, statements, session_id, subject: { external_id: 'x' } },
  });
  await decide({ session_id: erased.session });
  await server.visitor.recordFormConsent({
    token,
    body: { ...form, statements, subject: { email: erased.email } },
  });
  const { request_id } = await submit(server, token, {
    name: 'Größe \u{1F600}',
    message: 'Line one\nand "two".',
  });
  await client.startDsar({ token, request_id });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const { breach_id } = await client.createBreach({ token, body: breachInput({ title: '<b>x</b>' }) });
  return { consent_id, request_id, breach_id };
}

async function laterRecords(): Promise<void> {
  const { client, token } = site;
  await decide({ session_id, decision: 'reject_all' });
  await client.reportBreach({ token, breach_id: ids.breach_id, body: { authority: 'CNIL' } });
  await client.eraseSubject({
    token,
    body: { subject: { email: erased.email }, sessions: [erased.session] },
  });
}

const packOf = async (query: object): Promise<Buffer> =>
  Buffer.from(await (await site.client.exportEvidence({ token: site.token, ...query })).arrayBuffer());
const verify = (file: Uint8Array): Promise<Verification> =>
  verifyEvidence(file, { trustedKeys: [vkey], witnesses: [witness.vkey] });
const withOutcome = ({ steps }: Verification, ok: boolean | 'unknown') =>
  steps.filter((step) => step.ok === ok).map(({ step, where, what }) => `${step}: ${where}: ${what}`);

/** By kind, as a pack names them; `log` is what a pack of everything holds. */
const SUBJECTS: [name: string, query: () => object, kinds: Record<string, number>][] = [
  ['a consent', () => ({ consent_id: ids.consent_id }), { consent: 1, bundle: 1, settings: 1, vendors: 1 }],
  ['a session', () => ({ session_id }), { consent: 2, form_consent: 1, bundle: 1, settings: 1, vendors: 1 }],
  ['a request', () => ({ request_id: ids.request_id }), { dsar: 3 }],
  ['a breach', () => ({ breach_id: ids.breach_id }), { breach: 2 }],
  [
    'a range',
    () => ({ from: '2020-01-01', to: '2090-01-01' }),
    {
      ...{ consent: 2, form_consent: 1, bundle: 1, settings: 2, vendors: 1, dsar: 3, breach: 2 },
      erasure: 1,
    },
  ],
  [
    'everything',
    () => ({}),
    {
      ...{ consent: 2, form_consent: 1, bundle: 1, settings: 2, vendors: 1, dsar: 3, breach: 2 },
      erasure: 1,
    },
  ],
];

describe.each(SUBJECTS)('the pack of %s', (name, query, kinds) => {
  let file: Buffer;
  let path: string;
  beforeAll(async () => {
    file = await packOf(query());
    path = join(folder, `${name.replaceAll(' ', '-')}.zip`);
    writeFileSync(path, file);
  });

  test('is verified by the SDK', async () => {
    const found = await verify(file);
    expect(withOutcome(found, false)).toEqual([]);
    expect(withOutcome(found, true).filter((step) => step.startsWith('cosignature:'))).toHaveLength(2);
    const records = Object.values(kinds).reduce((sum, n) => sum + n, 0);
    expect(found).toMatchObject({ verdict: 'verified', records: { proven: records, pending: 0, failed: 0 } });
    const unknown = withOutcome(found, 'unknown');
    expect(unknown.filter((step) => !step.startsWith('time-stamp: timestamps/'))).toEqual([]);
    // Of this head, and of the one before the key was rotated.
    expect(unknown).toHaveLength(hasOpenssl ? 2 : 0);
    expect(withOutcome(found, true).filter((step) => step.startsWith('consistency:'))).toHaveLength(1);
  });

  (hasGo ? test : test.skip)('is verified by Go', async () => {
    const found = await foreignFacts('pack', path, vkey);
    expect(found.records).toEqual(kinds);
    expect(found.witnesses).toEqual(['witness.example', 'witness.example']);
    expect(found.older).toHaveLength(1);
    expect(found.files).toBe(Object.keys(readPack(arrayOf(file)).files).length - 1);
  });

  (hasOpenssl ? test : test.skip)('has time-stamps that openssl verifies as they are', async () => {
    const { files, of } = readPack(arrayOf(file));
    const stamps = of('checkpoint').flatMap(({ note, timestamps }) =>
      timestamps.map(({ file: name }: { file: string }) => ({ note, name })),
    );
    expect(stamps).toHaveLength(2);
    for (const { note, name } of stamps) {
      // The lines of the checkpoint, with the last line feed.
      const text = note.slice(0, note.indexOf('\n\n') + 1);
      const imprint = createHash('sha256').update(text).digest('hex');
      writeFileSync(join(folder, 'stamp.tsr'), files[name] as Uint8Array);
      writeFileSync(join(folder, 'text'), text);
      const check = (...by: string[]): string =>
        openssl(
          'ts',
          '-verify',
          '-in',
          'stamp.tsr',
          ...by,
          '-CAfile',
          join(authority?.folder ?? '', 'ca.pem'),
        );
      expect(check('-digest', imprint)).toContain('Verification: OK');
      expect(check('-data', 'text')).toContain('Verification: OK');
      writeFileSync(join(folder, 'text'), text.trimEnd());
      expect(() => check('-data', 'text')).toThrow();
      const steps = withOutcome(await verify(file), 'unknown');
      expect(steps.some((step) => step.includes(`openssl ts -verify -digest ${imprint} -in ${name}`))).toBe(
        true,
      );
    }
  });
});

const arrayOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
const openssl = (...args: string[]): string =>
  execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

test('the receipt of a decision is verified by the SDK and by Go', async () => {
  const { token } = site;
  const { consent_id } = ids;
  const receipt = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
  const text = JSON.stringify(receipt, null, 2);
  const found = await verifyEvidence(Buffer.from(text), { trustedKeys: [vkey] });
  expect(withOutcome(found, false)).toEqual([]);
  expect(found).toMatchObject({ verdict: 'verified', kind: 'receipt' });
  const path = join(folder, 'receipt.json');
  writeFileSync(path, text);
  if (hasGo)
    expect(await foreignFacts('receipt', path, vkey)).toEqual({
      ...{ size: found.size, leaf: receipt.evidence.leaf },
    });
  const changed = text.replace(/(decision\\":\\")accept_all/, '$1reject_all');
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
  expect((await verifyEvidence(Buffer.from(changed), { trustedKeys: [vkey] })).verdict).not.toBe('verified');
  if (hasGo) await expect(foreignFacts('receipt', path, vkey)).rejects.toThrow();
});

test('packs of a site without vendors, and of a range after the settings of its banner, are whole', async () => {
  const { client, token } = await server.site();
  const trusted = await vkeyOfSite(server, token);
  const kindsOf = async (query: object): Promise<[string, string[], Record<string, number>]> => {
    await sealed(token);
    const file = Buffer.from(await (await client.exportEvidence({ token, ...query })).arrayBuffer());
    const found = await verifyEvidence(file, { trustedKeys: [trusted] });
    const kinds: Record<string, number> = {};
    for (const { kind } of readPack(arrayOf(file)).of('record')) kinds[kind] = (kinds[kind] ?? 0) + 1;
    return [found.verdict, withOutcome(found, false), kinds];
  };
  const { hash } = await client.generateBundle({ token });
  await server.visitor.logConsent({
    token,
    body: { session_id, decision: 'accept_all', bundle_hash: hash },
  });
  expect(await kindsOf({})).toEqual(['verified', [], { consent: 1, settings: 1, bundle: 1 }]);
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Maps')] } });
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  const from = new Date().toISOString();
  await client.generateBundle({ token });
  const range = await kindsOf({ from, to: '2090-01-01' });
  expect(range).toEqual(['verified', [], { settings: 1, bundle: 1, vendors: 1 }]);
});

test('packs of before the import, and of a log that has not begun, are incomplete and nothing of them fails', async () => {
  const before = await cloneDatabase();
  const db = connect(before.url, 2);
  const { id, token } = await oldSite(db);
  // No job runs, so that nothing is imported or sealed.
  const idle = await startServer({ databaseUrl: before.url, variables: { ROLE: 'api' } });
  try {
    const { client, userId } = await idle.person();
    const member = { environment_id: id, user_id: userId, role: 'owner', added_at: new Date() };
    await db('members').insert(member);
    // A new decision under the settings of before, which have no leaf yet.
    await idle.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
    const file = Buffer.from(await (await client.exportEvidence({ token })).arrayBuffer());
    const found = await verifyEvidence(file, { trustedKeys: [await vkeyOfSite(idle, token)] });
    expect([found.verdict, withOutcome(found, false)]).toEqual(['incomplete', []]);
    expect(found.records).toEqual({ proven: 0, pending: 5, failed: 0 });
    expect(readPack(arrayOf(file)).of('pack')).toEqual([
      expect.objectContaining({ origin: expect.stringMatching(new RegExp(`/ledger/${token}$`)) }),
    ]);
  } finally {
    await idle.stop();
    await db.destroy();
    await before.drop();
  }
});

test('records from before the log are in a pack as imported, and verified', async () => {
  const { client, userId } = await server.person();
  const db = server.service.context.db;
  await db('members').insert({
    environment_id: old.id,
    user_id: userId,
    role: 'owner',
    added_at: new Date(),
  });
  await until('they are imported', async () => {
    const { behind, imported_on } = await server.visitor.getEvidenceLog({ token: old.token });
    return imported_on !== null && !behind;
  });
  const response = await client.exportEvidence({ token: old.token });
  const file = Buffer.from(await response.arrayBuffer());
  const trusted = await vkeyOfSite(server, old.token);
  const found = await verifyEvidence(file, { trustedKeys: [trusted] });
  expect(withOutcome(found, false)).toEqual([]);
  expect(found).toMatchObject({ verdict: 'verified', records: { proven: 6, pending: 0, failed: 0 } });
  const imported = withOutcome(found, true).filter((step) =>
    step.includes('; the operator says imported on '),
  );
  // All but the fact of the import itself.
  expect(imported).toHaveLength(5);
  const path = join(folder, 'old.zip');
  writeFileSync(path, file);
  if (!hasGo) return;
  // It may have been sealed before the key was rotated, or after.
  const { keys } = await server.visitor.getEvidenceLog({ token: old.token });
  const { records } = await Promise.any(keys.map((key) => foreignFacts('pack', path, key.vkey)));
  expect(records).toEqual({ consent: 3, form_consent: 1, settings: 1, import: 1 });
});

test('a pack whose proof, blinding or signature was changed is refused by Go too', async () => {
  if (!hasGo) return;
  const file = await packOf({ consent_id: ids.consent_id });
  const { files } = readPack(arrayOf(file));
  const text = Buffer.from(files['evidence.ndjson'] as Uint8Array).toString();
  const others = Object.entries(files).filter(([name]) => name !== 'evidence.ndjson');
  const check = (changed: string) => {
    const path = join(folder, 'changed.zip');
    const all = others.map(([name, content]) => ({ name, content: Buffer.from(content) }));
    writeFileSync(path, writeZip([{ name: 'evidence.ndjson', content: Buffer.from(changed) }, ...all]));
    return foreignFacts('pack', path, vkey);
  };
  await check(text);
  for (const [from, to] of [
    [/accept_all/, 'reject_all'],
    [/"leaf":(\d+)/, '"leaf":1$1'],
    [/"blinding":"(.)/, '"blinding":"_'],
    [/"successor_signature":"..../, '"successor_signature":"AAAA'],
    [/(\\n— witness\.example )....../, '$1AAAAAA'],
    [/(\\n— witness\.example .{40}).{6}/, '$1AAAAAA'],
    [/"sha256":"./, '"sha256":"g'],
  ] as [RegExp, string][]) {
    const changed = text.replace(from, to);
    expect([from, changed === text]).toEqual([from, false]);
    await expect(check(changed)).rejects.toThrow();
  }
});
