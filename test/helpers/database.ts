import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Set by the global set-up for every test process. */
export const SERVER = 'AVOW_TEST_SERVER_URL';
export const TEMPLATE = 'AVOW_TEST_TEMPLATE';
/** Of a cluster: the addresses of its nodes as JSON. */
export const NODES = 'AVOW_TEST_NODES';

/** The address of a database on the server of this run. */
export function databaseUrl(database: string, server = process.env[SERVER] as string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** The servers of this run: one, or the nodes of a cluster, the coordinator first. */
export const servers = (): string[] =>
  JSON.parse(process.env[NODES] ?? JSON.stringify([process.env[SERVER]]));

/** Whether suites run on a cluster (TEST_CLUSTER). */
export const onCluster = (): boolean => servers().length > 1;

/** Runs statements one by one as the server's owner. */
export async function admin(sql: string | string[], server?: string, database = 'postgres'): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(database, server) });
  await client.connect();
  try {
    for (const statement of [sql].flat()) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Runs statements on every server, the coordinator first. */
export async function everywhere(
  sql: string | string[],
  database?: string,
  [first, ...others] = servers(),
): Promise<void> {
  await admin(sql, first, database);
  await Promise.all(others.map((server) => admin(sql, server, database)));
}

/** Workers of the server's own that are at work in it: autovacuum's, and on a cluster Citus's, which soon end. */
const IN_USE = ['42501', '55006'];

async function drop(name: string, attempts = 20): Promise<void> {
  try {
    await everywhere(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } catch (error) {
    if (!IN_USE.includes((error as { code?: string }).code ?? '') || attempts === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 250));
    await drop(name, attempts - 1);
  }
}

/**
 * On a cluster each node copies its part: what Citus knows of its tables are their numbers, which a copy keeps. Nobody
 * may be connected to a template, and Citus itself always is: so it lets nobody in, and its copy does again.
 */
const copyTemplate = (name: string): Promise<void> =>
  everywhere([
    `CREATE DATABASE ${name} TEMPLATE ${process.env[TEMPLATE]}`,
    ...(onCluster() ? [`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`] : []),
  ]);

/** An empty database; on a cluster one that its nodes know of, so that the first migration spreads its tables. */
export async function createEmpty(name: string): Promise<void> {
  await everywhere(`CREATE DATABASE ${name}`);
  if (!onCluster()) return;
  await everywhere('CREATE EXTENSION citus', name);
  await joinNodes(name);
}

/** Makes the nodes of a run one cluster, as far as a database is concerned. */
export async function joinNodes(name: string, all = servers()): Promise<void> {
  const [first, ...others] = all.map((server) => new URL(server).port);
  await admin(
    [
      `SELECT citus_set_coordinator_host('127.0.0.1', ${first})`,
      ...others.map((port) => `SELECT citus_add_node('127.0.0.1', ${port})`),
    ],
    all[0],
    name,
  );
}

/** A database of the test's own, cloned from the migrated template. */
export async function cloneDatabase(): Promise<{ url: string; name: string; drop(): Promise<void> }> {
  const name = `avow_test_${randomBytes(6).toString('hex')}`;
  await copyTemplate(name);
  return { url: databaseUrl(name), name, drop: () => drop(name) };
}

/** An empty database, not even migrated. */
export async function emptyDatabase(): Promise<{ url: string; name: string; drop(): Promise<void> }> {
  const name = `avow_test_${randomBytes(6).toString('hex')}`;
  await createEmpty(name);
  return { url: databaseUrl(name), name, drop: () => drop(name) };
}
