import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAvow } from '@avow/sdk';
import { cloneDatabase } from '../helpers/database';
import { ServerProcess } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { endAll } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const ROWS = 200_000;
/** What a process may grow by while it sends about 90 MB, in MiB: buffers and garbage, but not the rows. */
const GROWTH = 80;
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let server: ServerProcess;
let bearer: string;
let address: string;

beforeAll(async () => {
  database = await cloneDatabase();
  const url = new URL(database.url);
  // A statement may take a second here, so that a slow reader need not be slow for half a minute.
  url.searchParams.set('options', '-c statement_timeout=1000');
  server = await ServerProcess.start({
    ...{ DATABASE_URL: url.href, DATA_DIR: folder, DEMO: 'on' },
    ...{ ADMIN_EMAIL: OWNER.email, ADMIN_PASSWORD: OWNER.password },
  });
  const token = await server.demoToken();
  bearer = (await createAvow({ baseUrl: server.url }).login({ body: OWNER })).token;
  address = `${server.url}/api/cookies/${token}/consents/export?format=ndjson`;
  await query(
    database.url,
    `INSERT INTO consents SELECT id, date_trunc('milliseconds', now()) - n * interval '1 second', gen_random_uuid(), gen_random_uuid(), 'accept_all',
       '{"functional": true, "analytics": true, "marketing": true}', '1', 1, NULL, 'banner', 'en', 'https://shop.example.com/a/page',
       '203.0.***.***', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', false, NULL, NULL, now() + interval '180 days'
     FROM environments, generate_series(1, ${ROWS}) AS n`,
  );
  // As autovacuum would soon, for so many rows at once.
  await query(database.url, 'ANALYZE consents');
});

afterAll(async () => {
  await endAll();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Resident memory of the server, in MiB. */
function resident(): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(address, { headers: { Authorization: `Bearer ${bearer}` }, agent: false }, resolve).on(
      'error',
      reject,
    );
  });

/** Connections of the server that are in the middle of a statement or a transaction. */
async function busy(): Promise<number> {
  const rows = await query(
    database.url,
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND application_name LIKE 'avow%' AND pid <> pg_backend_pid()",
  );
  return rows.length;
}

test('200,000 rows for a slow reader: complete, and in constant memory', async () => {
  if (process.platform !== 'linux') console.warn('SKIPPED: memory is read from /proc, which only Linux has');
  // Part of a first export, so that everything is compiled.
  let warm = 0;
  for await (const chunk of (await open()) as AsyncIterable<Buffer>) {
    warm += chunk.length;
    if (warm > 30_000_000) break;
  }
  const before = resident();
  let most = before;
  let lines = 0;
  let bytes = 0;
  const response = await open();
  expect(response.statusCode).toBe(200);
  // It stands still for longer than a statement may take, then reads in gulps.
  await delay(2_500);
  most = Math.max(most, resident());
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const gulp = bytes % 4_000_000;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    bytes += chunk.length;
    if (bytes % 4_000_000 < gulp) {
      await delay(30);
      most = Math.max(most, resident());
    }
  }
  expect(response.complete).toBe(true);
  expect(lines).toBe(ROWS);
  expect(bytes).toBeGreaterThan(60_000_000);
  expect(most - before).toBeLessThan(GROWTH);
  console.info(
    `export: ${ROWS} rows, ${Math.round(bytes / 1e6)} MB, from ${Math.round(before)} to at most ${Math.round(most)} MiB`,
  );
});

test('clients that stand still or go away hold no connection of the database, and leave no query running', async () => {
  // Twice as many as the pool has connections.
  const responses = await Promise.all(Array.from({ length: 20 }, open));
  await Promise.all(
    responses.map((response) => new Promise((resolve) => response.once('readable', resolve))),
  );
  await until('they wait for their readers only', async () => (await busy()) === 0, 5_000);
  const { email } = await createAvow({ baseUrl: server.url, token: bearer, timeout: 10_000 }).getMe();
  expect(email).toBe(OWNER.email);
  for (const response of responses) response.resume();
  await delay(100);
  for (const response of responses) response.destroy();
  await until('no export is left', async () => (await busy()) === 0, 5_000);
  // The rows that SQL filled in were never sealed, which the hourly sample tells, if its time comes meanwhile.
  const errors = server.log().filter(({ level, damage }) => level === 'error' && damage === undefined);
  expect(errors).toEqual([]);
});
