import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { eraseConsentsOf } from '../../server/src/db/erase-consents';
import { ErasureNote } from '../../server/src/db/erasure-log';
import { sealFact } from '../../server/src/db/ledger/facts';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { erasureRecord } from '../../server/src/db/ledger/records';
import type { ErasureRow } from '../../server/src/db/models';
import { applyRetention } from '../../server/src/jobs/retention';
import { auditSite } from '../../server/src/ledger/audit';
import { auditSamples } from '../../server/src/ledger/audit/sample';
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

/** A site with sealed decisions of one session, and of another one. */
async function siteWith(decisions: number): Promise<Site> {
  const { token, userId } = await server.site();
  const { id } = await db()('environments').where({ token }).first('id');
  const session = randomUUID();
  for (let n = 0; n < decisions; n += 1) await decide(server, token, session);
  await decide(server, token);
  await sealAll(server);
  return { id, token, session, userId };
}

const erase = (note: ErasureNote, session: string, limit = 10) =>
  note.inOne(async (trx, gone) => ({
    consents: await eraseConsentsOf(trx, note.environmentId, [session], { limit, gone }),
  }));

/** A site whose owner has erased a session; the record of it is sealed. */
async function erasedSite() {
  const site = await siteWith(2);
  const note = ErasureNote.of(db(), site.id, site, { kind: 'session', found_by: [] });
  await erase(note, site.session);
  await note.finish(true);
  await sealAll(server);
  return { ...site, erasure: note.erasureId };
}

async function found({ id, token }: Pick<Site, 'id' | 'token'>): Promise<string[]> {
  const audit = (trx: Knex) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(db()) });
  const findings = await db().transaction(audit);
  return findings.all().map(({ damage, text }) => `${damage}: ${text}`);
}

const erasures = (erasure_id: string) => db()<ErasureRow>('erasures').where({ erasure_id });
const facts = (subject: string) => db()('ledger_facts').where({ subject });
const warned = async (id: string): Promise<string | undefined> =>
  (await db()('ledger_audits').where({ environment_id: id }).first('problem'))?.problem;

/** Days later, as often as it runs. */
async function retain(): Promise<void> {
  const later = (days: number) => new Date(Date.now() + days * DAY);
  await applyRetention(db(), server.service.context.log, later(1.5));
  await applyRetention(db(), server.service.context.log, later(3));
  await sealAll(server);
}

const AGO = new Date(Date.now() - 5 * DAY);

test.each<[what: string, change: object, says: string]>([
  ['as it was', {}, 'finished_at'],
  ['with another count', { consents: 1 }, 'consents, finished_at'],
  ['as one that was cut off', { finished_at: null, whole: false }, 'finished_at'],
  ['with another reason', { found_by: ['email'] }, 'found_by, finished_at'],
  ['as one of a rule', { kind: 'retention', rule: 'consents', day: '2026-01-01' }, 'kind'],
])('an erasure that has ended is never open again: %s', async (_, change, says) => {
  const site = await erasedSite();
  const cut = await siteWith(1);
  // Killed before `finish`.
  const killed = ErasureNote.of(db(), cut.id, cut, { kind: 'session', found_by: [] });
  await erase(killed, cut.session);
  expect(await found(site)).toEqual([]);
  await erasures(site.erasure).update({ running: 1, begun_at: AGO, ...change });
  const finding = expect.stringContaining(`erasure: erasure ${site.erasure} runs again`);
  expect(await found(site)).toEqual([finding]);
  const [said] = await found(site);
  expect(said).toContain('begun_at');
  for (const name of says.split(', ')) expect(said).toContain(name);

  // Nothing of ours makes it genuine, and the next one is sealed all the same.
  await retain();
  expect(await facts(site.erasure)).toHaveLength(1);
  expect(await facts(killed.erasureId)).toHaveLength(1);
  expect(await found(site)).toEqual([finding]);
  expect(await found(cut)).toEqual([]);
  expect(await warned(site.id)).toContain(`erasure ${site.erasure} cannot be what was sealed`);
});

test('what was sealed falsely before stays a finding, and its row cannot go by its false time', async () => {
  const site = await erasedSite();
  const [row] = await erasures(site.erasure);
  const old = new Date(Date.now() - 4 * 365 * DAY);
  const changed = { begun_at: old, consents: 1, whole: false };
  const { leaves } = JSON.parse((await facts(site.erasure).first()).statement).record;
  await db().transaction((trx) =>
    sealFact(trx, {
      ...{ environmentId: site.id, kind: 'erasure', subject: site.erasure, keep: true },
      record: erasureRecord(Object.assign(row as ErasureRow, changed), leaves),
    }),
  );
  await erasures(site.erasure).update(changed);
  await sealAll(server);
  const again = `erasure: erasure ${site.erasure} was sealed again as what it was not before: begun_at, consents, finished_at`;
  expect(await found(site)).toEqual([again]);
  await erasures(site.erasure).delete();
  expect(await found(site)).toEqual([
    `deleted: erasures ${site.erasure}: its steps are sealed, the row is gone`,
    `erasure: ledger_erased: note 1 is of no erasure (${site.erasure})`,
    again,
  ]);
});

test("a rule's is opened again by the next run of its day; what it had taken when it ended stays taken", async () => {
  const site = await siteWith(2);
  const now = new Date();
  // Of which an audit does not ask how old the records were.
  const rule = () => ErasureNote.ofRule(db(), site.id, 'requests', now);
  const first = rule();
  const before = await consentsOf(site);
  await erase(first, site.session, 1);
  const left = (await consentsOf(site)).map(({ consent_id }) => consent_id);
  const [gone] = before.filter(({ consent_id }) => !left.includes(consent_id));
  await first.finish(true);
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  // Killed before `finish`, with a note of more than it took.
  const second = rule();
  await erase(second, site.session, 1);
  expect(await consentsOf(site)).toEqual([]);
  expect(await found(site)).toEqual([]);
  await retain();
  expect(await facts(first.erasureId)).toHaveLength(2);
  expect(await found(site)).toEqual([]);

  await putBack(gone as Record<string, unknown>);
  expect(await found(site)).toEqual([expect.stringMatching(/^returned: consent .* is there again/)]);
});

const consentsOf = ({ session }: Site): Promise<Record<string, unknown>[]> =>
  db()('consents').where({ session_id: session }).select('*');

async function putBack(row: Record<string, unknown>): Promise<void> {
  const json = Object.entries(row).map(([name, value]): [string, unknown] => [
    name,
    value !== null && typeof value === 'object' && !(value instanceof Date) && !Buffer.isBuffer(value)
      ? JSON.stringify(value)
      : value,
  ]);
  await db()('consents').insert(Object.fromEntries(json));
}

test('a sample finds one that was opened again, and that its count fell', async () => {
  const site = await erasedSite();
  const sample = async (hours: number) => {
    const { log } = server.service.context;
    const now = new Date(Date.now() + hours * 3_600_000);
    await auditSamples({ db: db(), log, metrics }, now, new AbortController().signal);
    return warned(site.id);
  };
  expect(await sample(1)).toBeNull();
  await erasures(site.erasure).update({ consents: 1 });
  expect(await sample(2)).toContain(`erasure ${site.erasure} is not as it was sealed: consents`);
  await erasures(site.erasure).update({ running: 1 });
  expect(await sample(3)).toContain(`erasure ${site.erasure} runs again`);
  await erasures(site.erasure).update({ running: 0, consents: 2 });
  expect(await sample(4)).toBeNull();
});
