import { randomUUID } from 'node:crypto';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { startServer, type TestServer, useServer } from '../helpers/server';
import { until } from '../helpers/until';

const DAY = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY);
let second: TestServer | undefined;
// Takes requests and has no jobs, until everything is in place.
const first = useServer({ variables: { ROLE: 'api' } });
afterAll(async () => {
  await second?.stop();
});

/** Every scheduled job. */
const JOBS = [
  'audit',
  'deletions',
  'domains',
  'notices',
  'partitions',
  'retention',
  'samples',
  'scans',
  'schedules',
  'sealing',
  'words',
];

test('two services do the scheduled work once: months, retention, scans', async () => {
  const { db } = first.service.context;
  const { token } = await first.site({ retention_days: { consents: 30, events: 30 } });
  const { id } = await db('environments').where({ token }).first('id');
  await ensurePartitions(db, ago(400));
  const months = (await listPartitions(db)).length;
  const scan = (days: number) => ({
    scan_id: randomUUID(),
    environment_id: id,
    url: 'https://shop.example.com/',
    domain: 'shop.example.com',
    state: 'done',
    runs: 1,
    created_at: ago(days),
  });
  const [old, young] = [scan(31), scan(29)];
  await db('cookie_scans').insert([old, young]);
  const choice = (days: number) => ({
    environment_id: id,
    session_id: randomUUID(),
    consent_id: randomUUID(),
    decision: 'accept_all',
    categories: '{}',
    policy_version: '1',
    recorded_at: ago(days),
    expires_at: ago(0),
  });
  await db('session_choices').insert([choice(31), choice(29)]);
  const workers = ['worker', 'worker'].map((ROLE) =>
    startServer({ databaseUrl: first.databaseUrl, variables: { ROLE } }),
  );
  second = await workers[0];
  const third = await workers[1];
  try {
    await until('every job has run', async () => (await db('job_runs')).length === JOBS.length);
    expect((await db('job_runs').orderBy('name').pluck('name')) as string[]).toEqual(JOBS);
    expect(await db('cookie_scans').pluck('scan_id')).toEqual([young.scan_id]);
    expect(await db('session_choices').where({ environment_id: id })).toHaveLength(1);
    expect((await listPartitions(db)).length).toBeLessThan(months);
  } finally {
    await third?.stop();
  }
}, 60_000);
