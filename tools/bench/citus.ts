import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { ROOT } from '../../server/src/config/paths';
import { distribute, planDistribution } from '../../server/src/db/cluster/distribute';
import { type Cluster as Known, readCluster } from '../../server/src/db/cluster/read-cluster';
import { type Database, fillDatabase, runAll } from './database';

/** Servers of PostgreSQL with Citus, the coordinator first. */
export interface Cluster {
  nodes: { url: string }[];
  stop(): Promise<void>;
}

interface Helper {
  startCluster(options: { settings: Record<string, string> }): Promise<Cluster>;
  whyNot(): string | undefined;
}

/** The cluster of the tests. An image of Avow has no tests. */
const HELPER = join(ROOT, 'test', 'helpers', 'cluster', 'cluster.cjs');
/** As in production, and as the benchmark's other PostgreSQL. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

const helper = (): Helper => createRequire(__filename)(HELPER) as Helper;

/** Why there can be no cluster here; undefined when there can be one. */
export const whyNoCluster = (): string | undefined =>
  existsSync(HELPER) ? helper().whyNot() : 'only a clone of the repository has what starts one';

/** A coordinator and two workers, durable. */
export const startNodes = (): Promise<Cluster> => helper().startCluster({ settings: DURABLE });

/** Which servers of the cluster hold a database: the first without Citus, the first alone, or all. */
export type Kind = 'plain' | 'one' | 'all';

/** A database of this kind, with some sites in it. */
export async function makeClustered({ nodes }: Cluster, kind: Kind, sites: number): Promise<Database> {
  const name = `avow_${kind}`;
  const servers = kind === 'all' ? nodes : nodes.slice(0, 1);
  for (const { url } of servers) await runAll(url, [`CREATE DATABASE ${name}`]);
  const urls = servers.map(({ url }) => Object.assign(new URL(url), { pathname: `/${name}` }).href);
  const [first = ''] = urls;
  if (kind !== 'plain') {
    for (const url of urls) await runAll(url, ['CREATE EXTENSION citus']);
    await runAll(first, joining(urls.map((url) => `'127.0.0.1', ${new URL(url).port}`)));
  }
  // A new database on several nodes is spread by its migration; on one nobody would.
  return fillDatabase(first, sites, kind === 'one' ? spread : undefined);
}

/** What makes servers one cluster. A single one holds the sites itself. */
const joining = ([first, ...others]: string[]): string[] => [
  `SELECT citus_set_coordinator_host(${first})`,
  ...others.map((node) => `SELECT citus_add_node(${node})`),
  ...(others.length === 0 ? [`SELECT citus_set_node_property(${first}, 'shouldhaveshards', true)`] : []),
];

const spread = async (knex: Knex): Promise<void> =>
  distribute(knex, await planDistribution(knex, (await readCluster(knex)) as Known));
