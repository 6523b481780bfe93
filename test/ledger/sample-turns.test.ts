import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { auditSamples } from '../../server/src/ledger/audit/sample';
import { createAuditMetrics } from '../../server/src/observability/audit-metrics';
import { decide, sealAll } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' } });
const db = (table: string) => server.service.context.db(table);
const HOUR = 3_600_000;

/** A site with a log; its first sample was taken so many milliseconds ago. */
async function sealed(sampled?: number): Promise<string> {
  const { token } = await server.site();
  await decide(server, token);
  await sealAll(server);
  const { id } = await db('environments').where({ token }).first('id');
  if (sampled !== undefined) {
    const at = new Date(Date.now() - sampled);
    await db('ledger_audits').insert({ environment_id: id, size: 0, at, findings: 0 });
    await db('environments')
      .where({ id })
      .update({ created_at: new Date(at.getTime() - HOUR) });
  }
  return id;
}

/** New sites of whoever made this one, with logs of so many leaves. */
async function newSitesOf(id: string, count: number, size: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const copy = (table: string, key: string, changes: object) =>
    server.service.context.db.raw(
      `INSERT INTO ${table} SELECT one.* FROM ${table} AS r CROSS JOIN LATERAL jsonb_populate_record(r, ?::jsonb) AS one
       WHERE r.${key} = ?`,
      [JSON.stringify(changes), id],
    );
  for (const one of ids) {
    await copy('environments', 'id', { id: one, token: randomUUID(), created_at: new Date() });
    await copy('ledger_heads', 'environment_id', { environment_id: one, size });
  }
  return ids;
}

const atOf = async (environment_id: string): Promise<Date | undefined> =>
  (await db('ledger_audits').where({ environment_id }).first('at'))?.at;

/** One run of the job; fails for logs that only their heads are there of. */
async function sample(now: Date): Promise<void> {
  const { log } = server.service.context;
  const metrics = createAuditMetrics(new Registry());
  await auditSamples(
    { db: server.service.context.db, log, metrics },
    now,
    new AbortController().signal,
  ).catch(() => undefined);
}

test('new sites of one maker keep the logs of others out of no sample', async () => {
  const ids = await newSitesOf(await sealed(), 30, 2_300);
  const others = [await sealed(2 * HOUR), await sealed(3 * HOUR)];
  const now = new Date();
  await sample(now);
  for (const id of others) expect(await atOf(id)).toEqual(now);
  // The run was full.
  const looked = await db('ledger_audits').whereIn('environment_id', ids).where({ at: now });
  expect(looked.length).toBeGreaterThan(5);
  expect(looked.length).toBeLessThan(30);
});
