import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../server/src/db/embedded';
import { skipOnCluster } from '../helpers/cluster/skip';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { missing, query } from '../helpers/processes/evidence';
import { endAll, Load } from '../helpers/processes/load';
import { Wire } from '../helpers/processes/wire';
import { until } from '../helpers/until';

skipOnCluster('it promotes a stand-by of one server');

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
const at = (name: string): string => join(folder, name);
let one: Embedded;
let two: Embedded;
let wire: Wire;

/** Two servers: the second is a standby of the first, made from a copy of its files. */
beforeAll(async () => {
  one = await startEmbedded({ dataDir: at('one') });
  // A server has worked on it, and made its secrets there.
  const first = await ServerProcess.start({ DATABASE_URL: one.url(), DATA_DIR: at('data') });
  await first.kill();
  await one.stop();
  // With owners and modes: as root the files belong to another user.
  execFileSync('cp', ['-a', at('one'), at('two')]);
  one = await startEmbedded({ dataDir: at('one') });
  const { hostname, port, username, password } = new URL(adminUrl(one));
  appendFileSync(
    join(at('two'), 'postgres', 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
  execFileSync('cp', [
    '-a',
    join(at('two'), 'postgres', 'PG_VERSION'),
    join(at('two'), 'postgres', 'standby.signal'),
  ]);
  two = await startEmbedded({ dataDir: at('two') });
  wire = await Wire.to(one.url());
});

afterAll(async () => {
  await endAll();
  await wire?.close();
  await two?.stop();
  await one?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

/** The address of the superuser, whose password is the same. */
function adminUrl(embedded: Embedded): string {
  const url = new URL(embedded.url('postgres'));
  url.username = 'postgres';
  return url.href;
}

const asAdmin = (embedded: Embedded, sql: string) => query(adminUrl(embedded), sql);

async function setReadOnly(embedded: Embedded, on: boolean): Promise<void> {
  await asAdmin(embedded, `ALTER SYSTEM SET default_transaction_read_only = ${on ? 'on' : 'off'}`);
  await asAdmin(embedded, 'SELECT pg_reload_conf()');
}

/** The reason that /readyz gives. */
async function reasonOf(server: ServerProcess): Promise<string | undefined> {
  const response = await fetch(`${server.url}/readyz`);
  return ((await response.json()) as { reason?: string }).reason;
}

test('a stand-by in recovery: the process starts, and is not ready, with the reason', async () => {
  const server = new ServerProcess(await freePort(), {
    ...{ DATABASE_URL: two.url(), DATA_DIR: at('data'), MIGRATE: 'off', ROLE: 'api' },
  });
  await until(
    'readiness says why',
    async () => (await reasonOf(server).catch(() => undefined)) === 'the database is read-only',
  );
  expect(await server.readiness()).toBe(503);
  expect(await server.kill()).toEqual({ code: 0, signal: null });
});

test('an old primary lives on, read-only, while its name leads to the new one: writes go on there by themselves', async () => {
  const server = await ServerProcess.start({ DATABASE_URL: wire.url, DATA_DIR: at('data'), DEMO: 'on' });
  const token = await server.demoToken();
  const load = new Load({ urls: () => [server.url], token });
  await until('decisions are acknowledged', () => load.seen.acknowledged.length > 100);
  await setReadOnly(one, true);
  await until('writes are refused', () => (load.seen.statuses[503] ?? 0) > 0);
  await until('readiness says why', async () => (await reasonOf(server)) === 'the database is read-only');
  const before = load.seen.acknowledged.length;
  await until('the standby has everything', async () => {
    const [row] = await asAdmin(
      one,
      'SELECT bool_and(replay_lsn = pg_current_wal_lsn()) AS all FROM pg_stat_replication',
    );
    return (row as { all: boolean | null } | undefined)?.all === true;
  });
  await asAdmin(two, 'SELECT pg_promote()');
  wire.leadTo(two.url());
  await until('decisions are acknowledged again', () => load.seen.acknowledged.length > before + 200, 15_000);
  expect(await server.readiness()).toBe(200);
  const seen = await load.stop();
  expect(seen.faults).toEqual([]);
  expect(seen.broken).toBe(0);
  expect(await missing(two.url(), seen.acknowledged)).toEqual([]);
  // Nobody is left on the old one, readers neither.
  const left =
    "SELECT FROM pg_stat_activity WHERE application_name ~ '^avow( |$)' AND datname = 'avow' AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
  await until('the old primary is left', async () => (await asAdmin(one, left)).length === 0);
  expect(await server.kill()).toEqual({ code: 0, signal: null });
  // Words once, not a line for each visitor.
  const told = server.log().filter(({ outage }) => outage === 'read-only');
  expect(told.filter(({ msg }) => !/^(still|over): /.test(String(msg))).length).toBeLessThanOrEqual(2);
  expect(told[0]?.msg).toMatch(/^the database is read-only: check that DATABASE_URL/);
});

test('several hosts with target_session_attrs=read-write: the one that takes writes is found, also after it changed', async () => {
  const hosts = [one, two].map((embedded) => new URL(embedded.url()).host).join(',');
  const address = `${one.url().replace(new URL(one.url()).host, hosts)}?target_session_attrs=read-write&connect_timeout=2`;
  // The password of both is that of the first.
  const server = await ServerProcess.start({ DATABASE_URL: address, DATA_DIR: at('data'), DEMO: 'on' });
  const token = await server.demoToken();
  const load = new Load({ urls: () => [server.url], token });
  await until('decisions are acknowledged', () => load.seen.acknowledged.length > 100);
  expect(await missing(two.url(), load.seen.acknowledged)).toEqual([]);
  await setReadOnly(two, true);
  await setReadOnly(one, false);
  const before = load.seen.acknowledged.length;
  await until(
    'decisions are acknowledged on the other',
    () => load.seen.acknowledged.length > before + 200,
    15_000,
  );
  const seen = await load.stop();
  expect(seen.faults).toEqual([]);
  expect(await missing(one.url(), seen.acknowledged.slice(-100))).toEqual([]);
  expect(await server.kill()).toEqual({ code: 0, signal: null });
  expect(server.output + server.errors).not.toContain(new URL(one.url()).password);
});
