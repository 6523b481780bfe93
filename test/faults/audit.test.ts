import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import { cloneDatabase } from '../helpers/database';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { endAll } from '../helpers/processes/load';
import { PASSWORD } from '../helpers/server';
import { until } from '../helpers/until';

const KILLS = 5;
jest.setTimeout(KILLS * 30_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  await endAll();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const EMAIL = 'ada@example.com';
const start = (port: number) =>
  ServerProcess.start(
    {
      ...{ DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'off' },
      ...{ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD },
    },
    port,
  );
const ids = async (sql: string): Promise<string[]> =>
  (await query<{ id: string }>(database.url, sql)).map(({ id }) => id).sort();
const ofTrail = (operation: string) =>
  ids(`SELECT resource_id AS id FROM audit_events WHERE operation = '${operation}'`);

test(`kill -9 under load, ${KILLS} times: no change without its event, and no event without its change`, async () => {
  const port = await freePort();
  let server = await start(port);
  const credentials = { email: EMAIL, password: PASSWORD };
  const api = createAvow({ baseUrl: server.url, credentials, retries: 0 });
  const { token } = await api.createEnvironment({ body: { name: 'Shop', domain: 'shop.example.com' } });
  const acknowledged: string[] = [];
  let stopped = false;
  const visitor = { address: '203.0.113.7' };
  const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
  const aware_at = new Date().toISOString();
  /** Changes in the binding's transaction, and in the group commit. */
  const work = async (): Promise<void> => {
    while (!stopped) {
      try {
        const { breach_id } = await api.createBreach({ token, body: { title: 'Lost laptop', aware_at } });
        const body = { session_id, decision: 'accept_all' as const, visitor };
        const { consent_id } = await api.logConsentForVisitor({ token, body });
        acknowledged.push(breach_id, consent_id);
      } catch {
        // The server is away.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const workers = Array.from({ length: 6 }, work);
  for (let round = 0; round < KILLS; round += 1) {
    const before = acknowledged.length;
    await until('some changes are acknowledged', () => acknowledged.length > before + 10);
    await server.kill('SIGKILL');
    server = await start(port);
  }
  stopped = true;
  await Promise.all(workers);
  const [breaches, consents] = [
    await ids('SELECT breach_id AS id FROM breaches'),
    await ids('SELECT consent_id AS id FROM consents'),
  ];
  expect(await ofTrail('createBreach')).toEqual(breaches);
  expect(await ofTrail('logConsentForVisitor')).toEqual(consents);
  const stored = new Set([...breaches, ...consents]);
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(KILLS * 10);
  expect((await api.listAccountEvents()).items.at(-1)).toMatchObject({ operation: 'start', via: 'command' });
});
