import type { Knex } from 'knex';
import { BESIDE, PLACEMENTS } from './placements';

/** A node as the others of its cluster reach it. */
export interface NodeAddress {
  host: string;
  port: number;
}

/** The sites that lie together: those whose hashed ids are in a range, both ends included. */
export interface Shard {
  from: number;
  to: number;
  /** `host:port` of the node that holds them. */
  node: string;
}

export interface ShardMap {
  /** In order of their ranges; empty until all tables are distributed. */
  shards: readonly Shard[];
  /** By `host:port`, the coordinator first. */
  nodes: ReadonlyMap<string, NodeAddress>;
}

export const NO_SHARDS: ShardMap = { shards: [], nodes: new Map() };

/** The hash by which Citus spreads a column of this type: PostgreSQL's own, so that every server knows it. */
export const PLACE = 'uuid_hash(id)';

const READ_NODES = `SELECT groupid, nodename AS host, nodeport AS port, nodename || ':' || nodeport AS node
  FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND (metadatasynced OR groupid = 0) ORDER BY groupid`;

/** While some are still to be spread, the other nodes do not know them. */
const SPREAD = Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name] === 'site');

const READ_SHARDS = `SELECT s.shardminvalue::int AS "from", s.shardmaxvalue::int AS "to", n.nodename || ':' || n.nodeport AS node
  FROM pg_dist_shard s JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node n USING (groupid)
  WHERE s.logicalrelid = to_regclass('${BESIDE}') AND s.shardminvalue IS NOT NULL AND n.noderole = 'primary'
    AND NOT EXISTS (SELECT FROM unnest(?::text[]) AS name WHERE to_regclass(name) IS NOT NULL
      AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(name) AND partmethod = 'h'))
  ORDER BY 1`;

/** Which node holds which sites, as the node that is asked knows it: each of a cluster does. */
export async function readShardMap(db: Knex): Promise<ShardMap> {
  const { rows: shards } = await db.raw<{ rows: Shard[] }>(READ_SHARDS, [SPREAD]);
  if (shards.length === 0) return NO_SHARDS;
  const { rows: nodes } = await db.raw<{ rows: (NodeAddress & { node: string })[] }>(READ_NODES);
  return { shards, nodes: new Map(nodes.map(({ node, host, port }) => [node, { host, port }])) };
}

/** The node of a hashed id; undefined when nothing is distributed. */
export function nodeOf(shards: readonly Shard[], place: number): string | undefined {
  let low = 0;
  let high = shards.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shards[middle] as Shard).to < place) low = middle + 1;
    else high = middle;
  }
  return shards[low]?.node;
}
