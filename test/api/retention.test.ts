import { randomUUID } from 'node:crypto';
import { ensurePartitions } from '../../server/src/db/partitions';
import { applyRetention } from '../../server/src/jobs/retention';
import { useServer } from '../helpers/server';
import { join } from '../helpers/site/people';

const DAY = 86_400_000;
const server = useServer({ variables: { ROLE: 'api' } });
beforeAll(async () => {
  await ensurePartitions(server.service.context.db, new Date(Date.now() - 400 * DAY), new Date());
});

/** A site with a decision of each of so many days. */
async function siteWith(days: number) {
  const owner = await server.site();
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token: owner.token }).first('id');
  const rows = Array.from({ length: days }, (_, age) => ({
    ...{ environment_id: id, consent_id: randomUUID(), session_id: randomUUID(), decision: 'accept_all' },
    ...{ categories: '{}', policy_version: '1', banner_version: 1, method: 'banner', language: 'en' },
    ...{ ip_masked: '203.0.***.***', gpc: false, expires_at: new Date() },
    recorded_at: new Date(Date.now() - age * DAY - 3_600_000),
  }));
  await db('consents').insert(rows);
  const left = async () => (await db('consents').where({ environment_id: id })).length;
  return { ...owner, left };
}

const run = () => applyRetention(server.service.context.db, server.service.context.log, new Date());

test('an owner who shortens the retention sees what would go, allows it, and then it goes', async () => {
  const { client, token, left } = await siteWith(200);
  expect(await client.getRetentionPlan({ token })).toMatchObject({ records: 0, held: false, allowed: null });
  await client.updateEnvironment({
    token,
    body: { settings: { retention_days: { consents: 100, events: 90 } } },
  });
  const plan = await client.getRetentionPlan({ token });
  expect(plan).toMatchObject({ records: 100, held: true, held_since: null, allowed: null });
  expect(plan.deletions[0]).toMatchObject({ kind: 'consents', records: 100, over_bound: true });
  expect(plan.deletions.filter(({ over_bound }) => over_bound)).toHaveLength(1);
  await run();
  expect(await left()).toBe(200);
  const { items } = await client.listWarnings({ token });
  expect(items).toMatchObject([{ code: 'retention_held', severity: 'warning', subject_id: null }]);
  expect(items[0]?.message).toContain('100 records');
  expect((await client.getRetentionPlan({ token })).held_since).toBe(items[0]?.since);
  const allowed = await client.allowRetention({ token, body: { records: 100 } });
  expect(allowed).toMatchObject({ held: false, allowed: { records: 100 } });
  const hours = (Date.parse(allowed.allowed?.until as string) - Date.parse(allowed.as_of)) / 3_600_000;
  expect(hours).toBe(24);
  expect((await client.listWarnings({ token })).items).toEqual([]);
  await run();
  expect(await left()).toBe(100);
  expect(await client.getRetentionPlan({ token })).toMatchObject({
    records: 0,
    held_since: null,
    allowed: null,
  });
});

test('a word for fewer records than there are lifts nothing; 2,000,000 stands for any number', async () => {
  const { client, token, left } = await siteWith(100);
  await client.updateEnvironment({
    token,
    body: { settings: { retention_days: { consents: 30, events: 90 } } },
  });
  expect(await client.allowRetention({ token, body: { records: 69 } })).toMatchObject({ held: true });
  await run();
  expect(await left()).toBe(100);
  expect(await client.allowRetention({ token, body: { records: 2_000_000 } })).toMatchObject({
    held: false,
    allowed: { records: 2_000_000 },
  });
  await run();
  expect(await left()).toBe(30);
});

test('everybody of the site reads the plan, only an owner allows', async () => {
  const { client, token } = await siteWith(1);
  for (const role of ['viewer', 'operator'] as const) {
    const other = await server.person();
    await join({ client, token }, other, role);
    expect(await other.client.getRetentionPlan({ token })).toMatchObject({ held: false });
    await expect(other.client.allowRetention({ token, body: { records: 1 } })).rejects.toMatchObject({
      status: 403,
    });
  }
  for (const records of [0, 2_000_001, 1.5]) {
    await expect(client.allowRetention({ token, body: { records } })).rejects.toMatchObject({ status: 400 });
  }
});
