import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, emptyDatabase } from '../helpers/database';
import { raw } from '../helpers/http/raw';
import { freePort, runToEnd, ServerProcess } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { endAll } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
const databases: { drop(): Promise<void> }[] = [];

afterAll(async () => {
  await endAll();
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

async function use<Database extends { url: string; drop(): Promise<void> }>(
  made: Promise<Database>,
): Promise<string> {
  const database = await made;
  databases.push(database);
  return database.url;
}

/** A key that is long over, which only a job removes. */
async function leaveOldKey(url: string): Promise<() => Promise<boolean>> {
  await query(
    url,
    `INSERT INTO idempotency_keys VALUES ('00000000-0000-0000-0000-000000000000', 'test', 'old', 'x', NULL, NULL, now() - interval '2 days')`,
  );
  return async () => (await query(url, "SELECT FROM idempotency_keys WHERE key = 'old'")).length > 0;
}

test('ROLE=worker answers no port and runs the jobs, ROLE=api answers and runs none', async () => {
  const url = await use(cloneDatabase());
  const isThere = await leaveOldKey(url);
  const api = await ServerProcess.start({
    DATABASE_URL: url,
    DATA_DIR: folder,
    ROLE: 'api',
    LOG_LEVEL: 'info',
  });
  // Its jobs would have run by now: the first ones begin 5 and 6 seconds after the start.
  const startedAt = Date.now();
  await until('eight seconds are over', () => Date.now() - startedAt > 8_000);
  expect(await isThere()).toBe(true);
  const port = await freePort();
  const worker = new ServerProcess(port, {
    DATABASE_URL: url,
    DATA_DIR: folder,
    ROLE: 'worker',
    LOG_LEVEL: 'info',
  });
  await until('the worker has started', () => worker.log().some(({ msg }) => msg === 'worker started'));
  expect(await worker.readiness()).toBeUndefined();
  await until('the job has run', async () => !(await isThere()));
  expect(await worker.readiness()).toBeUndefined();
  expect(worker.output).not.toContain('Avow is ready');
  expect(await api.kill()).toEqual({ code: 0, signal: null });
  expect(await worker.kill()).toEqual({ code: 0, signal: null });
});

test('MIGRATE=off on a database without migrations: not ready and 503 until npm run migrate', async () => {
  const url = await use(emptyDatabase());
  const variables = { DATABASE_URL: url, DATA_DIR: folder, MIGRATE: 'off' };
  const server = new ServerProcess(await freePort(), variables);
  await until('it answers', async () => (await server.readiness()) === 503);
  const ready = await (await fetch(`${server.url}/readyz`)).json();
  expect(ready).toEqual({
    status: 'not ready',
    reason: expect.stringMatching(/^\d+ migrations are pending: run npm run migrate$/),
  });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const early = await fetch(`${server.url}/api/public/verify/example.com`);
  expect(early.status).toBe(503);
  expect(early.headers.get('retry-after')).toBe('1');
  expect(await early.json()).toMatchObject({ status: 'error', data: { code: 'unavailable', errors: [] } });
  // In absolute form, too.
  expect((await raw(server.url, { path: early.url })).status).toBe(503);
  expect(await runToEnd('server/cli/main.js', ['migrate'], variables)).toMatchObject({ code: 0, errors: '' });
  await server.ready();
  expect(await server.kill()).toEqual({ code: 0, signal: null });
});
