import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { auditSamples } from '../../server/src/ledger/audit/sample';
import { createAuditMetrics } from '../../server/src/observability/audit-metrics';
import { decide, sealAll, sealedSite } from '../helpers/ledger/sealed-site';
import { useServer } from '../helpers/server';

jest.setTimeout(60_000);

const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' } });
let hours = 0;

/** One run of the job, an hour after the one before; its metrics. */
async function sample(): Promise<string> {
  const { db, log } = server.service.context;
  const registry = new Registry();
  hours += 1;
  const now = new Date(Date.now() + hours * 3_600_000);
  await auditSamples({ db, log, metrics: createAuditMetrics(registry) }, now, new AbortController().signal);
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
