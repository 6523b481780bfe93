import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE, nativeError } from '../errors';
import { connectLike } from '../knex';
import { BESIDE, PLACEMENTS, type Placement, SITE_COLUMN } from './placements';
import { isDue, PREPARATIONS } from './prepare';
import { type Cluster, readCluster } from './read-cluster';

/** A table with more rows is copied while writes go on; that takes seconds, however small it is. */
const LARGE = 10_000;
/** How long a step may wait for a lock, and everybody else behind it, in milliseconds. */
const LOCK_WAIT = 2_000;
/** The same at the end of a copy beside the writes, which would have to begin anew. */
const LOCK_WAIT_ONLINE = 20_000;
/** The pause before a step tries again, in milliseconds; those who queued behind it go first. */
const PAUSE = 3_000;
const SETTLED_TIME = 'avow_settled_time(uuid, float8)';

export interface DistributeOptions {
  /** Parts that sites are spread over, each on one node; as many as the setting citus.shard_count by default. */
  shards?: number | undefined;
  /** False: copies while writes wait. */
  online?: boolean;
  /** Rows from which on a table is large. */
  large?: number;
  onWait?(what: string): void;
}

/** A part of the work: done for good when it ends, and left out when it is done already. */
export interface Step {
  what: string;
  run(db: Knex): Promise<void>;
}

/** What is to be done to spread the tables over the nodes, in order; empty when all is done. */
export async function planDistribution(
  db: Knex,
  cluster: Cluster,
  { shards, online = true, large = LARGE }: DistributeOptions = {},
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const preparation of PREPARATIONS) {
    if (await isDue(db, preparation)) steps.push({ what: preparation.what, run: inOne(preparation.run) });
  }
  const order: Placement[] = ['copied', 'coordinator', 'site'];
  const unplaced = Object.keys(PLACEMENTS)
    .filter((name) => cluster.unplaced.includes(name))
    .sort((a, b) => order.indexOf(placementOf(a)) - order.indexOf(placementOf(b)));
  for (const name of unplaced) {
    const placement = placementOf(name);
    const isLarge = placement === 'site' && (await hasRows(db, name, large));
    steps.push(
      placementOf(name) === 'site' ? spread(name, shards, isLarge && online) : place(name, placement),
    );
  }
  if (unplaced.length > 0 || !(await knowsSettledTime(db)))
    steps.push({
      what: 'each node says which events of its sites are settled',
      run: inOne([
        `SELECT create_distributed_function('${SETTLED_TIME}', 'of_environment', colocate_with := '${BESIDE}')`,
      ]),
    });
  if (unplaced.length > 0 || (await leftBehind(db)).length > 0) steps.push(removal);
  return steps;
}

const placementOf = (name: string): Placement => PLACEMENTS[name] as Placement;

async function hasRows(db: Knex, name: string, count: number): Promise<boolean> {
  return (await db(name).select(db.raw('1')).offset(count).limit(1)).length > 0;
}

async function knowsSettledTime(db: Knex): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT FROM pg_catalog.pg_dist_object WHERE objid = '${SETTLED_TIME}'::regprocedure AND distribution_argument_index IS NOT NULL`,
  );
  return rows.length > 0;
}

/** Statements in one transaction. */
const inOne =
  (statements: readonly string[]) =>
  (db: Knex): Promise<void> =>
    db.transaction(async (trx) => {
      for (const statement of statements) await trx.raw(statement);
    });

function place(name: string, placement: Placement): Step {
  if (placement === 'copied') {
    return {
      what: `${name} is copied to every node`,
      // The trigger that notes a changed site does the same on every node, each with its own transaction's number.
      run: inOne(['SET LOCAL citus.enable_unsafe_triggers = on', `SELECT create_reference_table('${name}')`]),
    };
  }
  return {
    what: `${name} stays on the coordinator, known to every node`,
    run: inOne([`SELECT citus_add_local_table_to_metadata('${name}')`]),
  };
}

function spread(name: string, shards: number | undefined, beside: boolean): Step {
  const call = beside ? 'create_distributed_table_concurrently' : 'create_distributed_table';
  const count = shards === undefined ? "current_setting('citus.shard_count')::int" : shards;
  const where =
    name === BESIDE ? `shard_count => ${count}, colocate_with => 'none'` : `colocate_with => '${BESIDE}'`;
  const statement = `SELECT ${call}('${name}', '${SITE_COLUMN}', ${where})`;
  if (!beside) return { what: `${name} is spread over the nodes by site`, run: inOne([statement]) };
  return {
    what: `${name} is spread over the nodes by site, while writes go on`,
    run: async (db) => {
      // Not in a transaction: Citus makes several of its own.
      await db.raw(`SET lock_timeout = ${LOCK_WAIT_ONLINE}`);
      try {
        await db.raw(statement);
      } finally {
        await db.raw(`SET lock_timeout = ${LOCK_WAIT}`);
      }
    },
  };
}

/** Tables whose rows, now on the nodes, still lie in the place that they were copied from. */
async function leftBehind(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `SELECT DISTINCT t.relname AS name FROM pg_dist_partition p JOIN pg_class t ON t.oid = p.logicalrelid
     WHERE NOT t.relispartition AND t.relkind IN ('r', 'p') AND EXISTS (
       SELECT FROM pg_partition_tree(t.oid) AS part WHERE part.isleaf AND pg_relation_size(part.relid) > 0)
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** They would take space, and outlive an erasure. */
const removal: Step = {
  what: 'what was copied is removed where it lay before',
  run: async (db) => {
    for (const name of await leftBehind(db))
      await inOne([`SELECT truncate_local_data_after_distributing_table('${name}')`])(db);
  },
};

/** Whether others held a lock for too long, or it was chosen to end a deadlock with them: nothing was done then. */
const isInTheWay = (code: string | undefined): boolean =>
  code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED;

/** Does the steps; one whose locks others hold waits in short turns. */
export async function distribute(
  knex: Knex,
  steps: readonly Step[],
  { onWait, onDone }: DistributeOptions & { onDone?(what: string): void } = {},
): Promise<void> {
  const db = connectLike(knex, 1, {
    name: 'avow distribution',
    limits: { statement: 0, lock: LOCK_WAIT },
    silenceMs: 0,
  });
  try {
    for (const { what, run } of steps) {
      for (;;) {
        try {
          await run(db);
          break;
        } catch (error) {
          if (!isInTheWay((nativeError(error) as { code?: string }).code)) throw error;
          onWait?.(what);
          await delay(PAUSE);
        }
      }
      onDone?.(what);
    }
  } finally {
    await db.destroy();
  }
}

/** Gives tables that a migration made their place, and those of a new database on a cluster. */
export async function placeNewTables(knex: Knex): Promise<void> {
  const cluster = await readCluster(knex);
  if (cluster === undefined || !cluster.isCoordinator || cluster.workers === 0) return;
  const isPlaced = [...cluster.placed.values()].includes('site');
  // A database that is in use is distributed only when the operator says so.
  if (!isPlaced && (await knex('environments').first('id')) !== undefined) return;
  await distribute(knex, await planDistribution(knex, cluster));
}
