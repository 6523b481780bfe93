import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../server/src/db/knex';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { endAll } from '../helpers/processes/load';
import { useServer } from '../helpers/server';
import { prove } from '../helpers/site/proofs';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-schedules-'));
const server = useServer({ variables: { ROLE: 'api' } });
afterAll(async () => {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

const worker = async () =>
  new ServerProcess(await freePort(), {
    ...{ DATABASE_URL: server.databaseUrl, DATA_DIR: folder, ROLE: 'worker', LOG_LEVEL: 'info' },
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });

test('a process that is killed while it starts a scheduled scan starts none, and another one starts it once', async () => {
  const { client, token } = await server.site();
  await prove(server, token, ['shop.example.com']);
  await client.setScanSchedule({ token, body: { every: 'daily', pages: ['https://shop.example.com/'] } });
  const { db } = server.service.context;
  const turn = new Date(Date.now() - 60_000);
  await db('scheduled_pages').update({ next_at: turn });
  // The line of scans is closed: the job holds the page, and waits.
  const holder = connect(server.databaseUrl, 1);
  const line = await holder.transaction();
  try {
    await line.raw("SELECT pg_advisory_xact_lock(hashtext('scans members'))");
    const first = await worker();
    await until('the job waits in line', async () => {
      const { rows } = await db.raw(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      );
      return rows.length > 0;
    });
    await first.kill('SIGKILL');
  } finally {
    await line.rollback();
    await holder.destroy();
  }
  expect(await db('cookie_scans').select('scan_id')).toEqual([]);
  expect(await db('scheduled_pages').first()).toMatchObject({ next_at: turn, under_way: false });
  const second = await worker();
  const scans = () => db('cookie_scans').select('scan_id');
  await until('the scan is started', async () => (await scans()).length > 0);
  const [{ scan_id }] = await scans();
  const page = await db('scheduled_pages').first();
  expect(page).toMatchObject({ scan_id, under_way: true });
  expect(page.next_at.getTime()).toBeGreaterThan(Date.now());
  await second.kill();
});
