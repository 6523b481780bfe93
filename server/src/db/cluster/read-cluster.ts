import type { Knex } from 'knex';
import { PLACEMENTS, type Placement } from './placements';

/** A database with the Citus extension. */
export interface Cluster {
  version: string;
  /** Nodes beside this one that hold shards. */
  workers: number;
  /** Whether this is the node that knows all others and places tables. */
  isCoordinator: boolean;
  placed: ReadonlyMap<string, Placement>;
  /** Tables that are there and have no place yet. */
  unplaced: string[];
}

const KINDS: Record<string, Placement> = { hash: 'site', reference: 'copied', local: 'coordinator' };

/** The cluster that the database is the coordinator of, or a node of; undefined on plain PostgreSQL. */
export async function readCluster(db: Knex): Promise<Cluster | undefined> {
  const { rows } = await db.raw<{ rows: { version: string }[] }>(
    "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
  );
  if (rows[0] === undefined) return undefined;
  const nodes = await db.raw<{ rows: { workers: number; coordinator: boolean }[] }>(
    `SELECT (SELECT count(*)::int FROM pg_dist_node WHERE groupid <> 0 AND isactive AND shouldhaveshards) AS workers,
       (SELECT groupid = 0 FROM pg_dist_local_group) AS coordinator`,
  );
  const tables = await db.raw<{ rows: { name: string; kind: string | null }[] }>(
    `SELECT t.relname AS name, CASE WHEN p.partmethod = 'h' THEN 'hash' WHEN p.repmodel = 't' THEN 'reference'
       WHEN p.partmethod = 'n' THEN 'local' END AS kind
     FROM pg_class t LEFT JOIN pg_dist_partition p ON p.logicalrelid = t.oid
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition`,
  );
  const placed = new Map<string, Placement>();
  const unplaced: string[] = [];
  for (const { name, kind } of tables.rows) {
    const wanted = PLACEMENTS[name];
    const present = KINDS[kind ?? ''];
    if (present !== undefined) placed.set(name, present);
    // Citus itself makes a table known to all nodes when a key refers to a copied one: it is not there yet.
    if (wanted !== undefined && present !== wanted) unplaced.push(name);
  }
  const { workers, coordinator } = nodes.rows[0] as { workers: number; coordinator: boolean };
  return { version: rows[0].version, workers, isCoordinator: coordinator, placed, unplaced };
}

/** Whether the tables are spread over nodes; also while some still have to be. */
export const isDistributed = ({ placed }: Cluster): boolean => [...placed.values()].includes('site');
