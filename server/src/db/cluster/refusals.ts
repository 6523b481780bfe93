import type { Knex } from 'knex';
import { isAtLeast } from '../../domain/versions';
import { GONE_AFTER, runningProcesses } from '../running-processes';
import { PLACEMENTS } from './placements';
import { unreachedFromHere } from './reach';
import type { Cluster } from './read-cluster';

/** The oldest version that works on a cluster. */
const ABLE = '0.1.0';

interface Key {
  name: string;
  source: string;
  target: string;
  columns: string[];
  referenced: string[];
}

/** Why the database cannot be distributed, each with what to do; empty when it can. */
export async function refusals(db: Knex, cluster: Cluster | undefined, online: boolean): Promise<string[]> {
  if (cluster === undefined) {
    return [
      'The database has no Citus extension: install Citus on this server, set shared_preload_libraries = citus, and run CREATE EXTENSION citus.',
    ];
  }
  if (!cluster.isCoordinator)
    return ['DATABASE_URL names a worker of the cluster: let it name the coordinator.'];
  if (cluster.workers === 0) {
    return [
      'The cluster is a single node: run citus_set_coordinator_host and citus_add_node for each worker first.',
    ];
  }
  return [
    ...(await unreachable(db)),
    ...(await breakingKeys(db)),
    ...(await oldPrograms(db)),
    ...(online ? await settings(db) : []),
  ];
}

async function unreachable(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { place: string }[] }>(
    `SELECT to_nodename || ':' || to_nodeport AS place FROM citus_check_cluster_node_health()
       JOIN pg_dist_node n ON n.nodename = from_nodename AND n.nodeport = from_nodeport AND n.groupid = 0
     WHERE result IS NOT TRUE`,
  );
  if (rows.length > 0)
    return rows.map(
      ({ place }) => `The node ${place} does not answer: start it, or take it out of the cluster.`,
    );
  return (await unreachedFromHere(db)).map(
    ({ host, port, why }) =>
      `The node ${host}:${port} cannot be reached from here (${why}): every machine with Avow writes to each node directly, by the name that citus_add_node was given.`,
  );
}

/** Keys stay on a node: to tables of the same site, or to one that every node has. */
async function breakingKeys(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: Key[] }>(
    `SELECT c.conname AS name, s.relname AS source, t.relname AS target,
       array(SELECT a.attname::text FROM unnest(c.conkey) AS k JOIN pg_attribute a ON a.attrelid = s.oid AND a.attnum = k) AS columns,
       array(SELECT a.attname::text FROM unnest(c.confkey) AS k JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k) AS referenced
     FROM pg_constraint c JOIN pg_class s ON s.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
     WHERE c.contype = 'f' AND c.conparentid = 0 AND t.relnamespace = current_schema()::regnamespace`,
  );
  return rows
    .filter((key) => key.target in PLACEMENTS && !holds(key))
    .map(
      ({ name, source, target }) =>
        `The foreign key ${name} from ${source} to ${target} would break: drop it, both lie on different nodes.`,
    );
}

function holds({ source, target, columns, referenced }: Key): boolean {
  const [from, to] = [PLACEMENTS[source], PLACEMENTS[target]];
  if (to === 'copied') return from !== undefined;
  if (to === 'coordinator') return from === 'coordinator';
  return from === 'site' && columns.includes('environment_id') && referenced.includes('environment_id');
}

/** Each process says which version it is, and is forgotten when it has not been seen for a while. */
async function oldPrograms(db: Knex): Promise<string[]> {
  const old = (await runningProcesses(db)).filter(({ version }) => !isAtLeast(version, ABLE));
  return old.map(
    ({ version, host, pid }) =>
      `Avow ${version} runs on ${host} (process ${pid}) and knows no cluster: bring it up to date, or stop it and wait ${GONE_AFTER} s.`,
  );
}

/** What copying beside the writes needs: logical replication by Citus's own plugin. */
async function settings(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { level: string; plugins: string | null }[] }>(
    "SELECT current_setting('wal_level') AS level, current_setting('output_plugin_libraries', true) AS plugins",
  );
  const { level, plugins } = rows[0] as { level: string; plugins: string | null };
  const refused: string[] = [];
  if (level !== 'logical')
    refused.push(
      'wal_level is not logical, so that large tables cannot be copied while writes go on: set it on every node and restart them, or stop every Avow and use --offline.',
    );
  if (plugins !== null && !/\b(citus|\*)/.test(plugins))
    refused.push(
      `output_plugin_libraries does not allow citus, so that large tables cannot be copied while writes go on: set output_plugin_libraries = 'citus, pgoutput' on every node, or stop every Avow and use --offline.`,
    );
  return refused;
}
