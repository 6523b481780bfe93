import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { Registry } from 'prom-client';
import { keepAudit, keepFound } from '../../server/src/db/ledger/audits';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { headOf } from '../../server/src/db/ledger/heads';
import { sealBreach } from '../../server/src/db/ledger/steps';
import { BreachRow } from '../../server/src/db/models';
import type { HistoryEntry } from '../../server/src/domain/types';
import { auditSite } from '../../server/src/ledger/audit';
import { Findings } from '../../server/src/ledger/audit/findings';
import { auditSamples } from '../../server/src/ledger/audit/sample';
import { judgeSomeRows } from '../../server/src/ledger/audit/sample-steps';
import { createAuditMetrics } from '../../server/src/observability/audit-metrics';
import { decide, sealAll, sealedSite } from '../helpers/ledger/sealed-site';
import { textsRead } from '../helpers/ledger/texts-read';
import { useServer } from '../helpers/server';
import { copyRow } from '../helpers/site/copy-row';
import { breachInput } from '../helpers/site/data-subject-requests';

jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' } });
let hours = 0;

/** One run of the job, an hour after the one before; its metrics. */
async function sample(signal = new AbortController().signal): Promise<string> {
  const { db, log } = server.service.context;
  const registry = new Registry();
  hours += 1;
  const now = new Date(Date.now() + hours * 3_600_000);
  await auditSamples({ db, log, metrics: createAuditMetrics(registry) }, now, signal);
  return registry.metrics();
}

async function damageOf(token: string): Promise<string | undefined> {
  const { db, tokens } = server.service.context;
  const { user_id } = await db('members')
    .join('environments', 'environments.id', 'members.environment_id')
    .where({ token })
    .first('user_id');
  const { token: login } = await tokens.issue(user_id);
  const response = await fetch(`${server.url}/api/cookies/${token}/warnings`, {
    headers: { Authorization: `Bearer ${login}` },
  });
  const { data } = (await response.json()) as { data: { items: { code: string; message: string }[] } };
  return data.items.find(({ code }) => code === 'evidence_log_damaged')?.message;
}

test('samples find what was changed, warn until it is put right, and find nothing where nothing is', async () => {
  const { db } = server.service.context;
  const { id, token } = await sealedSite(server);
  await decide(server, token);
  expect(await sample()).toContain('avow_ledger_audit_damaged_logs 0');
  expect(await damageOf(token)).toBeUndefined();
  await sealAll(server);
  const [last] = await db('consents').where({ environment_id: id }).orderBy('recorded_at', 'desc').limit(1);
  const session = (to: string) =>
    db('consents')
      .where({ environment_id: id, recorded_at: last.recorded_at, consent_id: last.consent_id })
      .update({ session_id: to });
  await session(randomUUID());
  expect(await sample()).toContain('avow_ledger_audit_damaged_logs 1');
  expect(await damageOf(token)).toContain(`consent ${last.consent_id}`);
  // Nothing is new: the same leaves are looked at again.
  expect(await sample()).toContain('avow_ledger_audit_damaged_logs 1');
  await session(last.session_id);
  expect(await sample()).toContain('avow_ledger_audit_damaged_logs 0');
  expect(await damageOf(token)).toBeUndefined();

  await db('consents').where({ environment_id: id, consent_id: last.consent_id }).delete();
  await db('ledger_audits').where({ environment_id: id }).update({ size: 0 });
  expect(await sample()).toContain('avow_ledger_audit_damaged_logs 1');
  expect(await damageOf(token)).toContain('deleted: leaf');
});

test('a forged group is a warning as soon as the sealing sees it', async () => {
  const { db } = server.service.context;
  const { token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  await sealAll(server);
  await decide(server, token);
  const { mac } = await db('ledger_pending').where({ environment_id: id }).first('mac');
  await db('ledger_pending')
    .where({ environment_id: id })
    .update({ mac: Buffer.alloc(16) });
  await sealAll(server);
  expect(await damageOf(token)).toContain('has a code that no server made');
  await sample();
  expect(await damageOf(token)).toContain('has a code that no server made');
  await db('ledger_pending').where({ environment_id: id }).update({ mac });
  await sealAll(server);
  await sample();
  expect(await damageOf(token)).toBeUndefined();
});

test('what is found while something else is known stays when that is put right', async () => {
  const { db } = server.service.context;
  const { client, token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  const [first, second] = [await breachOf(client, token, 1), await breachOf(client, token, 1)];
  // More than a sample looks at by chance.
  for (let n = 0; n < 3; n += 1) await breachOf(client, token, 150);
  await sealAll(server);
  await sample();
  const title = (breach_id: string, to: string) => db('breaches').where({ breach_id }).update({ title: to });
  const { title: own } = await db('breaches').where({ breach_id: first }).first('title');
  const known = `altered: breach ${first} is not as its last step sealed it: title`;
  const found = `altered: breach ${second} was changed beside this server before a step: title`;
  await title(first, 'Other');
  await keepFound(db, id, known, new Date());
  await title(second, 'Other');
  // Sealed with the step, which the server tells.
  await client.updateBreach({ token, breach_id: second, body: { severity: 'low' } });
  const problem = async (): Promise<string> =>
    (await db('ledger_audits').where({ environment_id: id }).first('problem')).problem;
  expect((await problem()).split('\n')).toEqual([known, found]);
  expect(await damageOf(token)).toMatch(new RegExp(`breach ${first}.* and 1 more`));
  await keepFound(db, id, found, new Date());
  expect((await problem()).split('\n')).toHaveLength(2);
  await title(first, own);
  await sealAll(server);
  for (let n = 0; n < 3; n += 1) {
    await sample();
    expect(await problem()).toContain(`breach ${second} was changed beside this server`);
    expect(await problem()).not.toContain(first);
  }
  // A sample that had looked before something was found does not forget it.
  const looked = await problem();
  const late = `altered: breach ${first} was changed beside this server before a step: title`;
  await keepFound(db, id, late, new Date());
  const state = { environment_id: id, size: 0, at: new Date(), damaged_from: null, damaged_to: null };
  await keepAudit(db, { ...state, findings: 0, problem: null }, looked);
  expect(await problem()).toBe(late);
  expect(await damageOf(token)).toContain(first);
});

/** Statements are this long, or longer. */
const LONG = 15_000;

/** A breach with so many steps. */
async function breachOf(client: Site['client'], token: string, steps: number): Promise<string> {
  const { db } = server.service.context;
  const body = { ...breachInput(), measures: 'x'.repeat(5_000), nature: 'y'.repeat(5_000) };
  const { breach_id } = await client.createBreach({
    token,
    body: { ...body, consequences: 'z'.repeat(5_000) },
  });
  await db.transaction(async (trx) => {
    const row = (await BreachRow.query(trx).findOne({ breach_id })) as BreachRow;
    for (let n = 1; n < steps; n += 1) {
      const entry = { at: new Date().toISOString(), action: 'updated', actor: 'owner', note: '' };
      row.history.push({ ...row.history[0], ...entry } as HistoryEntry);
      await sealBreach(trx, row);
    }
    await trx('breaches')
      .where({ breach_id })
      .update({ history: JSON.stringify(row.history) });
  });
  return breach_id;
}
type Site = Awaited<ReturnType<typeof server.site>>;

/** What some work in a transaction reads of sealed texts. */
const statementsRead = <Result>(work: (trx: Knex) => Promise<Result>) => {
  const { db } = server.service.context;
  return textsRead(db, () => db.transaction(work));
};

test('a sample reads no more of four times as many large breaches; a whole audit reads all, a part at once', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const look = (problem: string | null) =>
    statementsRead(async (trx) => {
      const findings = new Findings();
      const about = { trx, site: { id, token }, head: await headOf(trx, id), findings, imported: 0 };
      const judged = await judgeSomeRows(
        { ...about, groupKey: groupKeyOf(trx), progress: () => undefined },
        problem,
      );
      return { judged, found: findings.all().map(({ damage, text }) => `${damage}: ${text}`) };
    });
  const audit = () => statementsRead((trx) => auditSite(trx, { id, token }, { groupKey: groupKeyOf(trx) }));
  const stored = async () => {
    const sum = await db('ledger_facts')
      .where({ environment_id: id })
      .sum({ n: db.raw('length(statement)') })
      .first();
    return Number(sum?.n);
  };
  for (let n = 0; n < 8; n += 1) await breachOf(client, token, 20);
  await sealAll(server);
  const few = await look(null);
  expect(few.result).toMatchObject({ judged: 160, found: [] });
  expect(few.all).toBeGreaterThan(160 * LONG);
  for (let n = 0; n < 24; n += 1) await breachOf(client, token, 20);
  await sealAll(server);
  const many = await look(null);
  expect(many.result.found).toEqual([]);
  expect(many.all).toBeLessThan(1.3 * few.all);
  expect(many.all).toBeLessThanOrEqual(3 * 2 ** 20);
  expect(many.most).toBeLessThanOrEqual(2 ** 20);

  // One alone is more than a sample reads: what was found of it stays, and the whole audit finds it.
  const large = await breachOf(client, token, 250);
  await sealAll(server);
  await db('breaches').where({ breach_id: large }).update({ title: 'Other' });
  const problem = `altered: breach ${large} is not as its last step sealed it: title`;
  const named = await look(problem);
  expect(named.result.found).toEqual([problem]);
  expect(named.all).toBeLessThanOrEqual(3 * 2 ** 20);
  const whole = await audit();
  expect(whole.result.of('altered')).toEqual([problem.slice('altered: '.length)]);
  expect(whole.all).toBeGreaterThan((await stored()) * 1.9);
  expect(whole.most).toBeLessThanOrEqual(2 ** 20);
});

test('a sample that looks for many rows ends as soon as the process stops, and keeps nothing of what it found', async () => {
  const { db } = server.service.context;
  const { token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  await decide(server, token);
  await sealAll(server);
  await copyRow(db, 'consents', id, { copies: 300, changes: { consent_id: 'gen_random_uuid()' } });
  const kept = () => db('ledger_audits').where({ environment_id: id }).first('findings');
  const before = await kept();
  const stopping = new AbortController();
  let asked = 0;
  const count = ({ sql }: { sql: string }): void => {
    if (!/from "ledger_pending"/.test(sql)) return;
    asked += 1;
    if (asked === 50) stopping.abort();
  };
  db.on('query', count);
  await sample(stopping.signal);
  expect(asked).toBe(50);
  expect(await kept()).toEqual(before);
  await sample();
  db.off('query', count);
  // Each copy is in no leaf, and stands at another time than its id says.
  expect((await kept())?.findings).toBe(600);
});

test('what a sample found stays while too many records lie beside it to look at all of them', async () => {
  const { db } = server.service.context;
  const { token } = await server.site();
  const { id } = await db('environments').where({ token }).first('id');
  await decide(server, token);
  await sealAll(server);
  await db('consents').where({ environment_id: id }).delete();
  await sample();
  const found = await damageOf(token);
  expect(found).toContain('deleted: leaf');
  // Copies of one fact: each has its leaf.
  await db.raw(
    `INSERT INTO ledger_facts (environment_id, fact_id, at, kind, subject, blinding, statement, imported)
     SELECT environment_id, (substr(fact_id::text, 1, 15) || substr(gen_random_uuid()::text, 16))::uuid, at, kind, subject,
       blinding, statement, imported
     FROM ledger_facts, generate_series(1, 5001) WHERE environment_id = ? AND kind = 'settings'`,
    [id],
  );
  await sample();
  expect(await damageOf(token)).toBe(found);
});
