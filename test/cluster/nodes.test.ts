import { unreachedFromHere } from '../../server/src/db/cluster/reach';
import { type Cluster, startCluster } from '../helpers/cluster/cluster.cjs';
import { admin, databaseUrl, everywhere, joinNodes, onCluster } from '../helpers/database';
import { query } from '../helpers/processes/evidence';
import { endAll, Load, type Seen } from '../helpers/processes/load';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

// A run with TEST_CLUSTER=1 has a cluster; this suite kills nodes, so it has one of its own.
const describeOnCluster = onCluster() ? describe : describe.skip;
jest.setTimeout(180_000);

const NAME = 'avow';

describeOnCluster('a cluster under load', () => {
  let cluster: Cluster;
  let server: TestServer;
  /** A site on each of the first two workers. */
  let first: string;
  let second: string;
  const at = (n: number): string => databaseUrl(NAME, cluster.nodes[n]?.url);
  const start = (n: number): Promise<void> => (cluster.nodes[n] as Cluster['nodes'][number]).start();
  const kill = (n: number): Promise<void> => (cluster.nodes[n] as Cluster['nodes'][number]).stop('SIGKILL');

  beforeAll(async () => {
    cluster = await startCluster({ workers: 3 });
    const all = cluster.nodes.map(({ url }) => url);
    await everywhere(`CREATE DATABASE ${NAME}`, undefined, all);
    await everywhere('CREATE EXTENSION citus', NAME, all);
    await joinNodes(NAME, all.slice(0, 3));
    server = await startServer({ databaseUrl: at(0) });
    [first, second] = [await siteOn(1), await siteOn(2)];
  });
  afterAll(async () => {
    await endAll();
    await server?.stop();
    await cluster?.stop();
  });

  /** A node that was restarted answers the first who use their old connections to it with an error. */
  const newSite = (): ReturnType<TestServer['site']> =>
    until('a site is made', () => server.site().catch(() => undefined));
  const siteOn = async (n: number): Promise<string> => {
    for (;;) {
      const { token } = await newSite();
      if ((await portOf(token)) === cluster.nodes[n]?.port) return token;
    }
  };

  async function portOf(token: string): Promise<number | undefined> {
    const [row] = await query<{ port: number }>(
      at(0),
      `SELECT n.nodeport AS port FROM environments e
         JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('consents', e.id)
         JOIN pg_dist_node n USING (groupid) WHERE e.token = $1`,
      [token],
    );
    return row?.port;
  }

  const visit = (...tokens: string[]): Load[] =>
    tokens.map((token) => new Load({ urls: () => [server.url], token, connections: 4 }));
  const stopAll = (loads: Load[]): Promise<Seen[]> => Promise.all(loads.map((load) => load.stop()));
  /** Waits until a load has had so many more acknowledged. */
  const more = ({ seen }: Load, n: number): Promise<unknown> => {
    const { length } = seen.acknowledged;
    return until(`${n} decisions more`, () => seen.acknowledged.length >= length + n, 60_000);
  };
  const refused = ({ seen }: Load): number => seen.statuses[503] ?? 0;

  async function missing(loads: Seen[]): Promise<string[]> {
    const rows = await query<{ consent_id: string }>(at(0), 'SELECT consent_id FROM consents');
    const stored = new Set(rows.map(({ consent_id }) => consent_id));
    return loads.flatMap(({ acknowledged }) => acknowledged.filter((id) => !stored.has(id)));
  }

  // One, and another once a lock has stopped some.
  const hasWriter = async (n: number): Promise<boolean> =>
    (
      await query(
        at(n),
        "SELECT pid FROM pg_stat_activity WHERE application_name ~ '^avow ingest' AND datname = $1",
        [NAME],
      )
    ).length > 0;

  test('decisions go to the node of their site', async () => {
    const loads = visit(first, second);
    await Promise.all(loads.map((load) => more(load, 50)));
    const writers = await Promise.all([0, 1, 2].map(hasWriter));
    const seen = await stopAll(loads);
    expect(writers).toEqual([false, true, true]);
    expect(seen.map(({ statuses }) => Object.keys(statuses))).toEqual([['201'], ['201']]);
    expect(await missing(seen)).toEqual([]);
  });

  test('a node that dies stops its own sites only, until it is back', async () => {
    const loads = visit(first, second) as [Load, Load];
    const [dead, alive] = loads;
    await Promise.all(loads.map((load) => more(load, 20)));
    await kill(1);
    await until('the sites of the dead node are refused', () => refused(dead) > 20);
    // A site that no process has in its memory, too.
    server.service.context.sites.forget(second);
    await more(alive, 50);
    const { status } = await fetch(`${server.url}/readyz`);
    const reach = await unreachedFromHere(server.service.context.db);
    await start(1);
    await more(dead, 20);
    const seen = await stopAll(loads);
    expect(status).toBe(200);
    expect(reach).toEqual([{ host: '127.0.0.1', port: cluster.nodes[1]?.port, why: expect.any(String) }]);
    expect(seen.flatMap(({ faults }) => faults)).toEqual([]);
    expect(Object.keys(alive.seen.statuses)).toEqual(['201']);
    expect(await missing(seen)).toEqual([]);
  });

  test('a standby is promoted in place of its dead node: what was acknowledged is there, and its sites go on', async () => {
    const { port } = cluster.nodes[1] as Cluster['nodes'][number];
    const standby = await cluster.nodes[1]?.follow();
    if (standby === undefined) throw new Error('no standby');
    await query(at(1), "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await query(at(1), 'SELECT pg_reload_conf()');
    const follows = "SELECT pid FROM pg_stat_replication WHERE sync_state = 'sync'";
    await until('the node waits for its standby', async () => (await query(at(1), follows)).length > 0);
    const loads = visit(first, second) as [Load, Load];
    const [moved, alive] = loads;
    await Promise.all(loads.map((load) => more(load, 50)));
    await kill(1);
    await until('the sites of the dead node are refused', () => refused(moved) > 20);
    cluster.nodes[1] = standby;
    await query(at(1), 'SELECT pg_promote()');
    await query(
      at(0),
      "SELECT citus_update_node(nodeid, '127.0.0.1', $1) FROM pg_dist_node WHERE nodeport = $2",
      [standby.port, port],
    );
    await more(moved, 50);
    const seen = await stopAll(loads);
    expect(await portOf(first)).toBe(standby.port);
    expect(seen.flatMap(({ faults }) => faults)).toEqual([]);
    expect(Object.keys(alive.seen.statuses)).toEqual(['201']);
    expect(await missing(seen)).toEqual([]);
  });

  test('without the coordinator visitors of other nodes go on, and owners are told', async () => {
    const { client, token } = await newSite();
    const loads = visit(first, second);
    await Promise.all(loads.map((load) => more(load, 20)));
    await kill(0);
    // Longer than what is known of sites is trusted.
    for (let n = 0; n < 5; n += 1) {
      await Promise.all(loads.map((load) => more(load, 20)));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    const { status } = await fetch(`${server.url}/readyz`);
    const owner = await client.getEnvironment({ token }).catch((error) => error);
    await start(0);
    await until('the owner is answered again', () =>
      client.getEnvironment({ token }).then(
        () => true,
        () => false,
      ),
    );
    await Promise.all(loads.map((load) => more(load, 20)));
    const seen = await stopAll(loads);
    expect(status).toBe(200);
    expect(owner).toMatchObject({ status: 503 });
    expect(seen.map(({ faults, statuses }) => [faults, Object.keys(statuses)])).toEqual([
      [[], ['201']],
      [[], ['201']],
    ]);
    expect(await missing(seen)).toEqual([]);
  });

  test.each([
    ['a worker', 1, ['503']],
    ['the coordinator', 0, []],
  ] as const)('%s that takes no writes stops its own sites only', async (_name, n, refusals) => {
    const loads = visit(first, second) as [Load, Load];
    const [stopped, alive] = loads;
    await Promise.all(loads.map((load) => more(load, 20)));
    // What is connected goes on as it was, so all connect anew.
    const node = cluster.nodes[n]?.url;
    const anew = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${NAME}'`;
    await admin([`ALTER DATABASE ${NAME} SET default_transaction_read_only = on`, anew], node);
    if (n === 1) await until('its sites are refused', () => refused(stopped) > 20);
    await more(alive, 50);
    const readiness: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      readiness.push((await fetch(`${server.url}/readyz`)).status);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await admin([`ALTER DATABASE ${NAME} RESET default_transaction_read_only`, anew], node);
    await Promise.all(loads.map((load) => more(load, 20)));
    const seen = await stopAll(loads);
    expect(readiness).toEqual(readiness.map(() => 200));
    expect(seen.flatMap(({ faults }) => faults)).toEqual([]);
    expect(Object.keys(stopped.seen.statuses)).toEqual(['201', ...refusals]);
    expect(Object.keys(alive.seen.statuses)).toEqual(['201']);
    expect(await missing(seen)).toEqual([]);
  });

  test('a third worker gets its share while decisions go on, and none of them fails', async () => {
    const loads = visit(first, second, (await newSite()).token, (await newSite()).token);
    await Promise.all(loads.map((load) => more(load, 20)));
    await admin(`SELECT citus_add_node('127.0.0.1', ${cluster.nodes[3]?.port})`, cluster.url, NAME);
    await admin('SELECT citus_rebalance_start()', cluster.url, NAME);
    await until(
      'the rebalance ends',
      async () => {
        const jobs = await query<{ state: string }>(at(0), 'SELECT state FROM pg_dist_background_job');
        return jobs.length > 0 && jobs.every(({ state }) => state === 'finished');
      },
      120_000,
    );
    const third = await siteOn(3);
    loads.push(...visit(third));
    await Promise.all(loads.map((load) => more(load, 20)));
    const written = await hasWriter(3);
    const seen = await stopAll(loads);
    expect(written).toBe(true);
    expect(seen.flatMap(({ faults }) => faults)).toEqual([]);
    expect(seen.map(({ statuses }) => Object.keys(statuses))).toEqual(seen.map(() => ['201']));
    expect(await missing(seen)).toEqual([]);
  });

  test('a giant site gets a part of its own on another node, as the guide says, while it is visited', async () => {
    // A site has a part of its own only once, so each try takes another.
    const giant = await siteOn(1);
    const loads = visit(giant, second);
    await Promise.all(loads.map((load) => more(load, 20)));
    // Those of the part may have been kept waiting too long while it was divided, but not while it moves.
    const [part] = await query<{ shard: string }>(
      at(0),
      `SELECT isolate_tenant_to_new_shard('consents', id::text, 'CASCADE', 'block_writes') AS shard
       FROM environments WHERE token = $1`,
      [giant],
    );
    const divided = await stopAll(loads.splice(0));
    loads.push(...visit(giant, second));
    const port = await portOf(giant);
    const target = cluster.nodes.slice(1).find((node) => node.port !== port)?.port;
    await query(
      at(0),
      "SELECT citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')",
      [part?.shard, port, target],
    );
    await Promise.all(loads.map((load) => more(load, 50)));
    const seen = await stopAll(loads);
    expect(await portOf(giant)).toBe(target);
    expect(seen.map(({ statuses, faults }) => [Object.keys(statuses), faults])).toEqual([
      [['201'], []],
      [['201'], []],
    ]);
    expect(divided.flatMap(({ faults }) => faults)).toEqual([]);
    expect(await missing([...divided, ...seen])).toEqual([]);
    // What a backup of all nodes is restored to.
    expect(await query(at(0), "SELECT citus_create_restore_point('nightly') AS at")).toEqual([
      { at: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/) },
    ]);
  });
});
