import { createAvow } from '@avow/sdk';
import type { Knex } from 'knex';
import { verifyEvidence } from '../../sdk/src/verify';
import { SEALED_STEP } from '../../server/src/db/ledger/began';
import { sealFact } from '../../server/src/db/ledger/facts';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { dsarRecord } from '../../server/src/db/ledger/records';
import { DsarRow } from '../../server/src/db/models';
import { newId } from '../../server/src/domain/ids';
import type { HistoryEntry } from '../../server/src/domain/types';
import { auditSite } from '../../server/src/ledger/audit';
import { readPack } from '../helpers/ledger/read-pack';
import { sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';
import { breachInput, submit } from '../helpers/site/data-subject-requests';

jest.setTimeout(120_000);

const HOUR = 3_600_000;
const server = useServer({ variables: { ROLE: 'api' } });
const db = (): Knex => server.service.context.db;
const today = (): string => new Date().toISOString().slice(0, 10);

async function newSite() {
  const site = await server.site();
  const { id } = await db()('environments').where({ token: site.token }).first('id');
  return { ...site, id };
}
type Site = Awaited<ReturnType<typeof newSite>>;

/** What an audit finds after a change, which is taken back. */
async function found({ id, token }: Site, tamper: (trx: Knex) => Promise<unknown> = async () => undefined) {
  const trx = await db().transaction();
  try {
    await tamper(trx);
    const findings = await auditSite(trx, { id, token }, { groupKey: groupKeyOf(trx) });
    return findings.all().map(({ damage, text }) => `${damage}: ${text}`);
  } finally {
    await trx.rollback();
  }
}

interface Kept {
  table: 'dsar_requests' | 'breaches';
  key: string;
  id: string;
}

const request = (id: string): Kept => ({ table: 'dsar_requests', key: 'request_id', id });
const breach = (id: string): Kept => ({ table: 'breaches', key: 'breach_id', id });

async function historyOf({ table, key, id }: Kept): Promise<HistoryEntry[]> {
  return (await db()(table).where(key, id).first('history')).history;
}

const FIELDS = ['at', 'actor', 'action', 'note', 'user_id', 'key_id'];

/** Changes a field of an entry of a history, or adds it. */
const change =
  ({ table, key, id }: Kept, entry: number, field: string) =>
  (trx: Knex) =>
    trx(table)
      .where(key, id)
      .update({ history: trx.raw('jsonb_set(history, ?, ?::jsonb)', [[String(entry), field], '"x"']) });

/** Fields of a history whose change no audit finds, or names wrongly. */
async function unseen(site: Site, kept: Kept): Promise<string[]> {
  const missed: string[] = [];
  for (let n = 0; n < (await historyOf(kept)).length; n += 1)
    for (const field of FIELDS) {
      const [one, ...others] = await found(site, change(kept, n, field));
      const says = one?.includes(
        `${kept.id} is not the one that was sealed step by step: entry ${n + 1} (${field})`,
      );
      if (!says || others.length > 0) missed.push(`${n + 1} ${field}`);
    }
  return missed;
}

test('each word of each step is sealed: who took it, with which key, and what they wrote', async () => {
  const site = await newSite();
  const { client, token } = site;
  const { request_id } = await submit(server, token);
  const { key } = await client.createKey({ body: { name: 'desk', scopes: ['dsar:write'], site: token } });
  const program = createAvow({ baseUrl: server.url, apiKey: key });
  await program.startDsar({ token, request_id, body: { note: 'Identity confirmed.' } });
  await client.extendDsar({ token, request_id, body: { reason: 'An archive.', told_on: today() } });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled', note: 'Sent.' } });
  await client.reopenDsar({ token, request_id, body: { reason: 'The wrong file.' } });
  const { breach_id } = await client.createBreach({ token, body: breachInput() });
  await client.markBreachNotReportable({ token, breach_id, body: { reason: 'It was encrypted.' } });
  await client.reopenBreach({ token, breach_id, body: { reason: 'It was not.' } });
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  expect(await unseen(site, request(request_id))).toEqual([]);
  expect(await unseen(site, breach(breach_id))).toEqual([]);
  expect(await historyOf(request(request_id))).toHaveLength(5);

  // A pack shows them, and so does whoever verifies it.
  const file = await (await client.exportEvidence({ token, request_id })).arrayBuffer();
  const pack = readPack(file);
  const steps = pack.records('dsar').map(({ record }) => record);
  const history = await historyOf(request(request_id));
  expect(steps.map(({ request: _, step: action, ...entry }) => ({ action, ...entry }))).toEqual(history);
  const page = Buffer.from(pack.files['statement.html'] as Uint8Array).toString();
  expect(page).toContain(`An archive. (told on ${today()})`);
  const words = (await verifyEvidence(new Uint8Array(file))).steps.map(({ what }) => what).join('\n');
  expect(words).toContain(`extended, ${site.email}, An archive. (told on ${today()}): leaf`);
});

test('an entry that is added or taken away is found', async () => {
  const site = await newSite();
  const { request_id } = await submit(server, site.token);
  await site.client.startDsar({ token: site.token, request_id });
  await sealAll(server);
  const update = (history: string) => (trx: Knex) =>
    trx('dsar_requests')
      .where({ request_id })
      .update({ history: trx.raw(history) });
  for (const [history, n] of [
    ['history - 1', 1],
    ["history || 'null'", 3],
    ["'{}'::jsonb", 0],
  ] as const)
    expect(await found(site, update(history))).toEqual([
      `altered: the history of request ${request_id} is not the one that was sealed step by step: ${n} entries, 2 were sealed`,
    ]);
});

test('after an erasure what is left of the history is sealed, and nothing of the person', async () => {
  const site = await newSite();
  const { client, token } = site;
  const email = 'ada.erased@example.com';
  const { request_id } = await submit(server, token, { email, name: 'Ada Erased' });
  await client.startDsar({ token, request_id, body: { note: 'By telephone.' } });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  await client.eraseSubject({ token, body: { subject: { email } } });
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  expect(await unseen(site, request(request_id))).toEqual([]);
  const facts: { statement: string }[] = await db()('ledger_facts').where({ subject: request_id });
  expect(facts).toHaveLength(1);
  expect(facts[0]?.statement).not.toContain('Ada Erased');
  await client.reopenDsar({ token, request_id, body: { reason: 'She wrote again.' } });
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  expect(await unseen(site, request(request_id))).toEqual([]);
});

/** A request that is there as a version before wrote it: sealed as that version did, or not at all. */
async function insertOld({ id, token }: Site, seal?: (trx: Knex, row: DsarRow) => Promise<unknown>) {
  const { request_id } = await submit(server, token);
  const row = await DsarRow.query(db()).findById([id, request_id]);
  if (row === undefined) throw new Error('the request is not there');
  // What was sealed then has the time of the step.
  const created_at = seal === undefined ? new Date(Date.now() - 2 * HOUR) : new Date();
  const history = row.history.map((entry) => ({ ...entry, at: created_at.toISOString() }));
  const old = Object.assign(row, { request_id: newId(), created_at, history });
  await db().transaction(async (trx) => {
    const { deadline: _, ...columns } = old.$toDatabaseJson() as Record<string, unknown>;
    await trx('dsar_requests').insert(columns);
    await seal?.(trx, old);
  });
  return request(old.request_id);
}

/** Seals what is from before the log, as when every process of the version before has ended long ago. */
async function importAll({ id }: Site): Promise<void> {
  const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR);
  await db()('environments')
    .where({ id })
    .update({ created_at: ago(3) });
  await db()('contract_steps')
    .where({ name: SEALED_STEP })
    .update({ started_at: ago(1) });
  await sealAll(server);
}

test('steps that an earlier version sealed are judged by what it sealed of them', async () => {
  const site = await newSite();
  const { client, token } = site;
  const old = await insertOld(site, (trx, row) =>
    sealFact(trx, {
      ...{ environmentId: site.id, kind: 'dsar', subject: row.request_id, keep: true },
      record: { step: 'created', at: row.history[0]?.at, request: dsarRecord(row) },
    }),
  );
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  expect(await unseen(site, old)).toEqual(['1 actor', '1 note', '1 user_id', '1 key_id']);
  await client.startDsar({ token, request_id: old.id, body: { note: 'Now.' } });
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  expect(await unseen(site, old)).toEqual(['1 actor', '1 note', '1 user_id', '1 key_id']);
});

test('a step that was taken on such a request before the import is no damage', async () => {
  const site = await newSite();
  // The import waits.
  await db()('contract_steps').where({ name: SEALED_STEP }).update({ started_at: new Date() });
  const [old] = [await insertOld(site), await insertOld(site)];
  await site.client.startDsar({ token: site.token, request_id: old.id, body: { note: 'Now.' } });
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  // As if the site had always had a log.
  const imported = (trx: Knex) =>
    trx('ledger_heads').where({ environment_id: site.id }).update({ import_done: true });
  expect(await found(site, imported)).toEqual([
    expect.stringMatching(/^altered: .* 2 entries, 1 were sealed/),
    // The other one.
    expect.stringMatching(/^inserted: /),
  ]);
  await importAll(site);
  expect(await found(site)).toEqual([]);
  // Of the entry from before the log nothing is sealed.
  expect(await unseen(site, old)).toEqual(FIELDS.map((field) => `1 ${field}`));
});

test('the texts of such a request are erased before the log of its site begins: that is no change', async () => {
  const site = await newSite();
  const { client, token } = site;
  await db()('contract_steps').where({ name: SEALED_STEP }).update({ started_at: new Date() });
  const old = await insertOld(site);
  await db()('dsar_requests').where({ request_id: old.id }).update({ name: 'Ada', message: 'All of it.' });
  await client.resolveDsar({ token, request_id: old.id, body: { resolution: 'fulfilled' } });
  const { email } = await db()('dsar_requests').where({ request_id: old.id }).first('email');
  expect(await db()('ledger_heads').where({ environment_id: site.id })).toEqual([]);
  await client.eraseSubject({ token, body: { subject: { email } } });
  const [fact, ...others] = await db()('ledger_facts').where({ subject: old.id });
  expect(others).toEqual([]);
  const { record } = JSON.parse(fact.statement);
  expect([record.step, record.altered]).toEqual(['erased', undefined]);
  await importAll(site);
  expect(await found(site)).toEqual([]);
});

test('the history of a request from before the log is sealed with it', async () => {
  const site = await newSite();
  const old = await insertOld(site);
  await importAll(site);
  const [fact] = await db()('ledger_facts').where({ subject: old.id });
  expect(JSON.parse(fact.statement).record).toMatchObject({
    step: 'imported',
    history: await historyOf(old),
  });
  await site.client.startDsar({ token: site.token, request_id: old.id, body: { note: 'Now.' } });
  await sealAll(server);
  expect(await found(site)).toEqual([]);
  expect(await unseen(site, old)).toEqual([]);
});
