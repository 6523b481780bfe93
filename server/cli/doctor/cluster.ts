import type { Knex } from 'knex';
import { unreachedFromHere } from '../../src/db/cluster/reach';
import { isDistributed, readCluster } from '../../src/db/cluster/read-cluster';
import { broken, type Finding, fine, warning } from './finding';

/** A node that holds so many times more than another, and at least so many bytes, is worth a move. */
const UNBALANCED = 1.5;
const NOTABLE = 256 * 2 ** 20;
/** A prepared transaction that is older was left behind, in minutes. */
const LEFT_BEHIND = 5;

interface Node {
  place: string;
  active: boolean;
  synced: boolean;
  shards: number;
  bytes: number;
}

/** On which node what lives, what is unbalanced, and what is behind; nothing on plain PostgreSQL. */
export async function checkCluster(db: Knex): Promise<Finding[]> {
  const cluster = await readCluster(db);
  if (cluster === undefined) return [];
  if (!isDistributed(cluster))
    return [
      warning(
        `Cluster: Citus ${cluster.version}, the tables lie on this node alone`,
        'npm run distribute spreads them',
      ),
    ];
  const counts = [...cluster.placed.values()];
  const of = (placement: string): number => counts.filter((one) => one === placement).length;
  const text = `Cluster: Citus ${cluster.version}, ${cluster.workers} workers; ${of('site')} tables are spread by site, ${of('copied')} copied to every node, ${of('coordinator')} on the coordinator`;
  const nodes = await readNodes(db);
  return [
    cluster.unplaced.length === 0
      ? fine(text)
      : broken(
          `${text}; not yet placed: ${cluster.unplaced.join(', ')}`,
          'npm run distribute goes on with them',
        ),
    ...nodes.map(findingOf),
    ...(await reach(db)),
    balance(nodes),
    ...(await copies(db)),
    await transactions(db),
  ];
}

async function readNodes(db: Knex): Promise<Node[]> {
  const { rows } = await db.raw<{ rows: Node[] }>(
    `SELECT n.nodename || ':' || n.nodeport AS place, n.isactive AS active, n.metadatasynced AS synced,
       count(s.shardid) FILTER (WHERE s.citus_table_type = 'distributed')::int AS shards,
       coalesce(sum(s.shard_size) FILTER (WHERE s.citus_table_type = 'distributed'), 0)::bigint AS bytes
     FROM pg_dist_node n LEFT JOIN citus_shards s ON s.nodename = n.nodename AND s.nodeport = n.nodeport
     WHERE n.groupid <> 0 AND n.shouldhaveshards GROUP BY n.nodeid, 1, 2, 3 ORDER BY n.nodeid`,
  );
  return rows;
}

function findingOf({ place, active, synced, shards, bytes }: Node): Finding {
  const text = `Node ${place}: ${shards} shards, ${Math.round(bytes / 2 ** 20)} MB`;
  if (!active) return broken(`${text}, not active`, `start it, then SELECT citus_activate_node`);
  if (!synced)
    return broken(
      `${text}, behind: it does not know where every table is`,
      'SELECT start_metadata_sync_to_node for it',
    );
  return fine(text);
}

/** Decisions go to each node directly, so this machine must know it by the same name as the others. */
async function reach(db: Knex): Promise<Finding[]> {
  return (await unreachedFromHere(db)).map(({ host, port, why }) =>
    broken(
      `Node ${host}:${port} cannot be reached from here: ${why}`,
      'let every machine with Avow log in to it by that name',
    ),
  );
}

function balance(nodes: readonly Node[]): Finding {
  const sizes = nodes.map(({ bytes }) => bytes);
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)];
  if (nodes.some(({ shards }) => shards === 0))
    return warning(
      'Balance: a node holds nothing',
      'SELECT citus_rebalance_start() gives it a share while writes go on',
    );
  if (most > NOTABLE && most > UNBALANCED * least)
    return warning(
      `Balance: one node holds ${(most / Math.max(1, least)).toFixed(1)} times what another holds`,
      'SELECT citus_rebalance_start() evens it out while writes go on',
    );
  return fine('Balance: no node holds much more than another');
}

/** Copied tables that a node, for example a new one, does not have yet. */
async function copies(db: Knex): Promise<Finding[]> {
  const { rows } = await db.raw<{ rows: { name: string; n: number }[] }>(
    `SELECT t.relname AS name, (SELECT count(*) FROM pg_dist_node WHERE isactive)::int - count(*)::int AS n
     FROM pg_dist_partition p JOIN pg_class t ON t.oid = p.logicalrelid JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid
       JOIN pg_dist_placement l ON l.shardid = s.shardid
     WHERE p.repmodel = 't' GROUP BY 1 HAVING count(*) < (SELECT count(*) FROM pg_dist_node WHERE isactive)`,
  );
  return rows.map(({ name, n }) =>
    broken(`Copies: ${n} nodes lack ${name}`, 'SELECT replicate_reference_tables()'),
  );
}

async function transactions(db: Knex): Promise<Finding> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `SELECT count(*)::int AS n FROM pg_prepared_xacts
     WHERE database = current_database() AND prepared < now() - interval '${LEFT_BEHIND} minutes'`,
  );
  const n = rows[0]?.n ?? 0;
  if (n === 0) return fine('Transactions over several nodes: none was left behind');
  return broken(
    `Transactions over several nodes: ${n} have waited for more than ${LEFT_BEHIND} minutes`,
    'SELECT recover_prepared_transactions() ends them',
  );
}
