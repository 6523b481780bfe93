import { randomUUID } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import type { Knex } from 'knex';
import { eraseConsentsOf } from '../../server/src/db/erase-consents';
import { ErasureNote } from '../../server/src/db/erasure-log';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { NOTHING } from '../../server/src/db/seal-erasures';
import { noteMac } from '../../server/src/domain/ledger/erased-note';
import { applyRetention } from '../../server/src/jobs/retention';
import { auditSite } from '../../server/src/ledger/audit';
import { auditSamples } from '../../server/src/ledger/audit/sample';
import { openGroupKey, recodeLogs, resealGroupKey } from '../../server/src/ledger/group-secret';
import { Vault } from '../../server/src/security/vault';
import { growLog } from '../helpers/ledger/grow';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

jest.setTimeout(120_000);

const DAY = 86_400_000;
const server = useServer({ variables: { ROLE: 'api' } });
const db = (): Knex => server.service.context.db;
const metrics = { compared: () => undefined, damaged: () => undefined };

interface Site {
  id: string;
  token: string;
  session: string;
  userId: number;
}

/** A site with two sealed decisions, of two sessions. */
async function siteOf(): Promise<Site> {
  const { token, userId } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  const session = randomUUID();
  await decide(server, token, session);
  await decide(server, token);
  await sealAll(server);
  return { id, token, session, userId };
}

const ownerOf = async ({ userId }: Site) => {
  const { token } = await server.service.context.tokens.issue(userId);
  return { client: createAvow({ baseUrl: server.url, token }) };
};

const erase = (note: ErasureNote, session: string) =>
  note.inOne(async (trx, gone) => ({
    consents: await eraseConsentsOf(trx, note.environmentId, [session], { limit: 10, gone }),
  }));

const retain = (after = 0) => applyRetention(db(), server.service.context.log, new Date(Date.now() + after));
const facts = (subject: string) => db()('ledger_facts').where({ subject });

async function found({ id, token }: Site): Promise<string[]> {
  const audit = (trx: Knex) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db()) });
  const findings = await db().transaction(audit);
  return findings.all().map(({ damage, text }) => `${damage}: ${text}`);
}

async function warned({ id }: Site): Promise<string | null> {
  const row = await db()('ledger_audits').where({ environment_id: id }).first('problem');
  return row?.problem ?? null;
}

/** Removes the session's record as somebody with the database would, who has its commitment noted as erased. */
async function remove({ id, session }: Site, erasure_id: string, mac: (note: object) => Buffer | null) {
  const entries: Buffer[] = await db()('ledger_entries').where({ environment_id: id }).pluck('commitments');
  const [row] = await db()('consents').where({ environment_id: id, session_id: session }).select();
  const [settings, consent] = Buffer.concat(entries).toString('hex').match(/.{64}/g)?.slice(-2) ?? [];
  expect(row).toBeDefined();
  const last = await db()('ledger_erased').where({ environment_id: id, erasure_id }).max('n as n').first();
  // Which of the two leaves is the record's does not matter to the note.
  const commitments = Buffer.from(`${settings}${consent}`, 'hex');
  const note = { environment_id: id, erasure_id, n: Number(last?.n ?? 0) + 1, commitments };
  await db()('ledger_erased').insert({ ...note, mac: mac(note) });
  await db()('consents').where({ environment_id: id, session_id: session }).delete();
}

const row = (note: ErasureNote, day: string, more: object) => ({
  ...{ environment_id: note.environmentId, erasure_id: note.erasureId, kind: 'retention', found_by: [] },
  ...{ rule: 'consents', day, begun_at: new Date(), user_id: null, key_id: null, ...NOTHING, consents: 1 },
  ...more,
});

test.each<[what: string, mac: (note: object) => Buffer | null]>([
  ['without a code', () => null],
  ['with a code by another key', (note) => noteMac(Buffer.alloc(32), note as never)],
  ['with the code of another note', (note) => noteMac(groupKeyOf(db()), { ...note, n: 7 } as never)],
  ['with a short code', (note) => noteMac(groupKeyOf(db()), note as never).subarray(1)],
])("a rule's erasure of the day that somebody wrote is sealed by nobody: notes %s", async (_, mac) => {
  const site = await siteOf();
  const now = new Date();
  const note = ErasureNote.ofRule(db(), site.id, 'consents', now);
  const ended = { running: 0, whole: false, finished_at: now };
  await db()('erasures').insert(row(note, now.toISOString().slice(0, 10), ended));
  await remove(site, note.erasureId, mac);
  const { log } = server.service.context;
  const sample = async (hours: number) =>
    auditSamples(
      { db: db(), log, metrics },
      new Date(Date.now() + hours * 3_600_000),
      new AbortController().signal,
    );
  await sample(1);
  expect(await warned(site)).toMatch(/^deleted: leaf \d+: no record, and no erasure/);
  await db()('ledger_audits').where({ environment_id: site.id }).delete();

  await retain();
  expect(await facts(note.erasureId)).toEqual([]);
  const said = `has notes in ledger_erased that no server made`;
  expect(await warned(site)).toBe(`erasure: erasure ${note.erasureId} ${said}`);
  await sealAll(server);
  expect(await found(site)).toEqual(
    expect.arrayContaining([
      `erasure: ledger_erased: note 1 of erasure ${note.erasureId} has a code that no server made`,
      expect.stringMatching(/^deleted: leaf \d+, of a record of .*: no record, and no erasure/),
    ]),
  );
});

test("a note that somebody adds to the server's own erasure keeps it from being sealed", async () => {
  const site = await siteOf();
  const other = randomUUID();
  await decide(server, site.token, other);
  await sealAll(server);
  // Of which an audit does not ask how old the records were.
  const note = ErasureNote.ofRule(db(), site.id, 'requests', new Date());
  await erase(note, other);
  expect(await found(site)).toEqual([]);
  await remove(site, note.erasureId, () => null);
  await note.finish(true);
  expect(await facts(note.erasureId)).toEqual([]);
  expect(await found(site)).toEqual(
    expect.arrayContaining([expect.stringContaining(`note 2 of erasure ${note.erasureId} has a code`)]),
  );
});

test('what was cut off is not sealed with such a note either, and keeps no other waiting', async () => {
  const site = await siteOf();
  const other = await siteOf();
  const [forged, killed] = [site, other].map((one) =>
    ErasureNote.of(db(), one.id, one, { kind: 'session', found_by: [] }),
  ) as [ErasureNote, ErasureNote];
  await forged.begin();
  await remove(site, forged.erasureId, () => null);
  await erase(killed, other.session);
  await retain(2 * DAY);
  expect(await facts(forged.erasureId)).toEqual([]);
  expect(await facts(killed.erasureId)).toHaveLength(1);
  expect(await warned(site)).toContain(`erasure ${forged.erasureId} has notes`);
  // And stays so: a sample looks at it again.
  await auditSamples(
    { db: db(), log: server.service.context.log, metrics },
    new Date(Date.now() + 3 * DAY),
    new AbortController().signal,
  );
  expect(await warned(site)).toContain(`erasure ${forged.erasureId} has notes`);
  await sealAll(server);
  expect(await found(other)).toEqual([]);
});

test('what retention took by settings that somebody changed in the database is found', async () => {
  const [site, lawful] = [await siteOf(), await siteOf()];
  const days = { consents: 30, events: 30 };
  const { client } = await ownerOf(lawful);
  await client.updateEnvironment({ token: lawful.token, body: { settings: { retention_days: days } } });
  const own = () => db()('environments').where({ id: site.id });
  const { settings } = await own().first('settings');
  await own().update({ settings: JSON.stringify({ ...settings, retention_days: days }) });
  await retain(40 * DAY);
  await own().update({ settings: JSON.stringify(settings) });
  await sealAll(server);
  for (const { id } of [site, lawful])
    expect(await db()('consents').where({ environment_id: id })).toEqual([]);
  expect(await found(lawful)).toEqual([]);
  const early = expect.stringMatching(/^erasure: leaf \d+, of a record of .* before the settings let it$/);
  expect(await found(site)).toEqual([early, early]);
});

test('nor does it help to let the segment of what retention took begin long ago', async () => {
  const site = await siteOf();
  // As many as fill a segment: what is sealed after them was stored after them.
  await growLog(server, site.token, 300);
  await decide(server, site.token);
  await sealAll(server);
  const own = () => db()('environments').where({ id: site.id });
  const { settings } = await own().first('settings');
  const days = { consents: 30, events: 30 };
  await own().update({ settings: JSON.stringify({ ...settings, retention_days: days }) });
  await retain(40 * DAY);
  await own().update({ settings: JSON.stringify(settings) });
  await sealAll(server);
  await db()('ledger_segments')
    .where({ environment_id: site.id })
    .update({ first_at: new Date(0) });
  const early = (await found(site)).filter((text) => text.includes('before the settings let it'));
  expect(early).toEqual([expect.stringMatching(/^erasure: leaf 3\d\d, of a record of 20/)]);
});

test('notes of an earlier version, which have no code, stand by what was sealed of them', async () => {
  const site = await siteOf();
  const note = ErasureNote.of(db(), site.id, site, { kind: 'session', found_by: [] });
  await erase(note, site.session);
  await note.finish(true);
  await sealAll(server);
  const notes = () => db()('ledger_erased').where({ erasure_id: note.erasureId });
  await notes().update({ mac: null });
  expect(await found(site)).toEqual([]);
  await auditSamples(
    { db: db(), log: server.service.context.log, metrics },
    new Date(Date.now() + DAY),
    new AbortController().signal,
  );
  expect(await warned(site)).toBeNull();
  await notes().update({ commitments: Buffer.alloc(32) });
  expect(await found(site)).toEqual(
    expect.arrayContaining([`erasure: erasure ${note.erasureId} is not as it was sealed: leaves`]),
  );
});

test('a secret that is lost takes the codes of notes with it, and the next one makes new ones', async () => {
  const site = await siteOf();
  const note = ErasureNote.of(db(), site.id, site, { kind: 'session', found_by: [] });
  await erase(note, site.session);
  const lost = new Vault(Buffer.alloc(32, 9).toString('base64'));
  const before = groupKeyOf(db());
  await resealGroupKey(db(), lost, true);
  await openGroupKey(db(), lost);
  expect(groupKeyOf(db()).equals(before)).toBe(false);
  const [finding] = await found(site);
  expect(finding).toMatch(/^deleted: leaf|^erasure: ledger_erased: note 1/);
  // The operator vouches, once: nothing is left to vouch for then.
  expect(await recodeLogs(db(), lost)).toBeGreaterThan(0);
  expect(await recodeLogs(db(), lost)).toBe(0);
  expect(await found(site)).toEqual([]);
  await note.finish(true);
  expect(await facts(note.erasureId)).toHaveLength(1);
});
