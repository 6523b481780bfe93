import { randomBytes, randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Knex } from 'knex';
import { checkCluster } from '../../server/cli/doctor/cluster';
import { VERSION } from '../../server/src/config/version';
import { distribute, planDistribution } from '../../server/src/db/cluster/distribute';
import { PLACEMENTS } from '../../server/src/db/cluster/placements';
import { type Cluster, readCluster } from '../../server/src/db/cluster/read-cluster';
import { refusals } from '../../server/src/db/cluster/refusals';
import { connect } from '../../server/src/db/knex';
import { migrate } from '../../server/src/db/migrate';
import {
  registerProcess,
  removeProcess,
  renewProcess,
  runningProcesses,
} from '../../server/src/db/running-processes';
import { databaseUrl, everywhere, joinNodes, onCluster } from '../helpers/database';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { startServer, type TestServer } from '../helpers/server';

// A run with TEST_CLUSTER=1 has a cluster.
const describeOnCluster = onCluster() ? describe : describe.skip;
if (!onCluster()) console.warn('SKIPPED: a database on one server; TEST_CLUSTER=1 makes a cluster');
jest.setTimeout(240_000);

describeOnCluster('a database that is in use', () => {
  const name = `avow_test_${randomBytes(6).toString('hex')}`;
  let db: Knex;
  let server: TestServer;
  beforeAll(async () => {
    await everywhere(`CREATE DATABASE ${name}`);
    db = connect(databaseUrl(name), 4);
    await migrate(db);
    server = await startServer({ databaseUrl: databaseUrl(name) });
  });
  afterAll(async () => {
    await endChildren();
    await server.stop();
    await db.destroy();
    await everywhere(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  const cluster = async (): Promise<Cluster> => (await readCluster(db)) as Cluster;
  const refused = async (): Promise<string> => (await refusals(db, await readCluster(db), true)).join('\n');
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  test('is refused in words while it cannot be distributed', async () => {
    expect(await refused()).toMatch('no Citus extension');
    await server.site();
    await everywhere('CREATE EXTENSION citus', name);
    expect(await refused()).toMatch('a single node');
    await joinNodes(name);
    expect(await refused()).toBe('');
    await db.raw('CREATE TABLE notes (job text REFERENCES job_runs (name))');
    expect(await refused()).toMatch('notes_job_fkey from notes to job_runs would break');
    await db.raw('DROP TABLE notes');
    await db.raw(
      `INSERT INTO running_processes (process_id, version, contract_steps, host, pid, started_at, seen_at)
       VALUES (gen_random_uuid(), '0.0.9', '{}', 'old', 7, now(), now())`,
    );
    expect(await refused()).toMatch('Avow 0.0.9 runs on old (process 7) and knows no cluster');
    await db('running_processes').where({ host: 'old' }).delete();
    expect(await refused()).toBe('');
  });

  test('is spread over the nodes while decisions go on, and nothing of them is lost', async () => {
    const sites = [await server.site(), await server.site(), await server.site(), await server.site()];
    const acknowledged: string[] = [];
    const failures: number[] = [];
    let running = true;
    const visiting = sites.map(async ({ token }) => {
      while (running) {
        const body = { session_id: randomUUID(), decision: 'accept_all' as const };
        await server.visitor.logConsent({ token, body }).then(
          ({ consent_id }) => acknowledged.push(consent_id),
          ({ status }) => failures.push(status),
        );
        await pause(20);
      }
    });
    while (acknowledged.length < 100) await pause(50);
    // Broken off in the middle, and begun again.
    const options = { shards: 4, large: 50 };
    const first = await planDistribution(db, await cluster(), options);
    const what = first.map((step) => step.what);
    expect(what).toContain('consents is spread over the nodes by site, while writes go on');
    // A table may become large, or small, while the others are spread.
    const tables = (steps: string[]): string[] =>
      steps.map((step) => step.replace(', while writes go on', ''));
    const half = what.findIndex((step) => step.startsWith('consents')) + 1;
    await distribute(db, first.slice(0, half));
    const rest = await planDistribution(db, await cluster(), options);
    expect(tables(rest.map((step) => step.what))).toEqual(tables(what.slice(half)));
    const command = await runToEnd('server/cli/main.js', ['distribute', '--shards', '4'], {
      DATABASE_URL: databaseUrl(name),
    });
    expect(command).toMatchObject({ code: 0, errors: '' });
    const event = await db('audit_events').where({ operation: 'distribute' }).first('os_user', 'changes');
    expect(event).toMatchObject({ os_user: userInfo().username, changes: [{ field: 'steps' }] });
    const before = acknowledged.length;
    while (acknowledged.length < before + 50) await pause(50);
    running = false;
    await Promise.all(visiting);
    const stored = new Set(await db('consents').pluck('consent_id'));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    // A table may be locked for longer than a visitor waits; one who is told so may have been stored all the same.
    expect(failures.filter((status) => status !== 503)).toEqual([]);
    expect(stored.size - acknowledged.length).toBeLessThanOrEqual(failures.length);
    expect(await db('session_choices').pluck('consent_id')).toHaveLength(stored.size);
    expect(await planDistribution(db, await cluster())).toEqual([]);
  });

  test('lies where it is meant to afterwards, and an owner goes on', async () => {
    const { placed, unplaced } = await cluster();
    expect(unplaced).toEqual([]);
    expect(Object.fromEntries(placed)).toEqual(PLACEMENTS);
    const owner = await server.site();
    const { items } = await owner.client.listEnvironments({});
    expect(items.map(({ token }) => token)).toEqual([owner.token]);
    const [one, other] = [(await server.person()).userId, (await server.person()).userId];
    expect(other).toBe(one + 1);
  });

  test('a process that runs is known there, and renews its sign of life', async () => {
    expect(await runningProcesses(db)).toHaveLength(1);
    const id = randomUUID();
    await registerProcess(db, id, VERSION);
    const seenAt = async (): Promise<number> =>
      (await db('running_processes').where({ process_id: id }).first('seen_at')).seen_at.getTime();
    const before = await seenAt();
    await renewProcess(db, id, VERSION);
    expect(await seenAt()).toBeGreaterThan(before);
    await removeProcess(db, id);
  });

  test('the doctor says which node holds what', async () => {
    const texts = (await checkCluster(db)).map(({ mark, text }) => `${mark} ${text}`).join('\n');
    expect(texts).toMatch(/✓ Cluster: Citus .*, 2 workers; \d+ tables are spread by site/);
    expect(texts.match(/✓ Node 127\.0\.0\.1:\d+: \d+ shards/g)).toHaveLength(2);
    expect(texts).toMatch('✓ Balance');
    expect(texts).toMatch('✓ Transactions over several nodes: none was left behind');
  });

  test('a table that a later migration makes gets its place', async () => {
    await db.raw('DROP TABLE canaries');
    await db.raw('CREATE TABLE canaries (name text PRIMARY KEY, sealed bytea NOT NULL)');
    expect((await cluster()).unplaced).toEqual(['canaries']);
    await migrate(db);
    expect((await cluster()).unplaced).toEqual([]);
  });
});
