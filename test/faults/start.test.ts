import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import { notOnCluster } from '../helpers/cluster/skip';
import { checkedFetch } from '../helpers/contract';
import { cloneDatabase, databaseUrl } from '../helpers/database';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { endAll } from '../helpers/processes/load';
import { Wire } from '../helpers/processes/wire';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let blocker: Server;
let taken: number;

beforeAll(async () => {
  database = await cloneDatabase();
  taken = await freePort();
  blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(taken, '127.0.0.1', resolve));
});

afterAll(async () => {
  await endAll();
  blocker.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** What a start that fails says, in one line on standard error. */
async function failure(variables: Record<string, string>, port = 0): Promise<string> {
  const server = new ServerProcess(port, { DATABASE_URL: database.url, DATA_DIR: folder, ...variables });
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.errors).toMatch(/^Avow cannot start: [^\n]+\n$/);
  return server.errors.trim();
}

test('a start that fails says which variable to set, and never a password', async () => {
  const [unknown, port, host, away, missing, metrics] = await Promise.all([
    failure({ DATABASE_POOLS: '3' }),
    failure({}, taken),
    failure({ HOST: '198.51.100.7' }),
    failure({ DATABASE_URL: `postgres://avow:s3cret-word@127.0.0.1:${await freePort()}/avow` }),
    failure({ DATABASE_URL: databaseUrl('no_such_database') }),
    failure({ METRICS_PORT: String(taken) }),
  ]);
  expect(unknown).toContain('DATABASE_POOLS is not a variable of Avow');
  expect(port).toContain(`PORT ${taken} on 127.0.0.1 is in use`);
  expect(host).toContain('HOST 198.51.100.7 is no address of this machine');
  expect(away).toMatch(/The database cannot be reached \(ECONNREFUSED\).*DATABASE_URL/);
  expect(missing).toContain('The database does not exist');
  expect(metrics).toContain(`METRICS_PORT ${taken} cannot be used on METRICS_HOST 127.0.0.1 (EADDRINUSE)`);
  expect(away).not.toContain('s3cret-word');
});

notOnCluster('its nodes trust everybody')('a wrong password is told without being shown', async () => {
  const wrong = new URL(database.url);
  wrong.password = 'not-the-password';
  const told = await failure({ DATABASE_URL: wrong.href });
  expect(told).toContain('check the user and the password in DATABASE_URL');
  expect(told).not.toContain('not-the-password');
});

test('ADMIN_EMAIL and ADMIN_PASSWORD, given by files, make the first owner, who has the demo site', async () => {
  const file = join(folder, 'password');
  writeFileSync(file, 'correct horse battery\n', { mode: 0o600 });
  const variables = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on' },
    ...{ ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD_FILE: file },
  };
  const server = await ServerProcess.start(variables);
  const token = await server.demoToken();
  expect(server.output).not.toContain('/console/setup#');
  const credentials = { email: 'owner@example.com', password: 'correct horse battery' };
  const owner = createAvow({ baseUrl: server.url, credentials, fetch: checkedFetch });
  const { items } = await owner.listEnvironments();
  expect(items.map((item) => item.token)).toEqual([token]);
  await server.kill();
  // The next start finds the owner and makes no other, whatever the variables say by then.
  const again = await ServerProcess.start({ ...variables, ADMIN_EMAIL: 'other@example.com' });
  const other = createAvow({ baseUrl: again.url, retries: 0 }).login({
    body: { email: 'other@example.com', password: 'correct horse battery' },
  });
  await expect(other).rejects.toMatchObject({ status: 401 });
  await again.kill();
});

test('a database that comes up a little later than the server is waited for', async () => {
  const wire = await Wire.to(database.url);
  wire.refusing = true;
  const server = new ServerProcess(await freePort(), { DATABASE_URL: wire.url, DATA_DIR: folder });
  await until('it has been tried', () =>
    server.log().some(({ msg }) => /does not answer yet/.test(String(msg))),
  );
  expect(await server.readiness()).toBe(503);
  wire.refusing = false;
  await server.ready();
  expect(await server.kill()).toEqual({ code: 0, signal: null });
  await wire.close();
});
