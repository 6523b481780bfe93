import type { Knex } from 'knex';
import { LOCK_NOT_AVAILABLE } from './errors';

/** Any number that no other program on the same database uses for an advisory lock. */
const PARTITION_LOCK = 7_305_826_002;
/**
 * How many months ahead partitions exist: a service whose jobs fail for three months still stores decisions.
 */
export const MONTHS_AHEAD = 3;
/** How long a drop may wait for its lock, and everybody else behind it, in milliseconds. */
const DROP_WAIT = 250;

/** The tables that are partitioned by month, and the setting that says how long their rows are kept. */
export const PARTITIONED = ['consents', 'events'] as const;
export type PartitionedTable = (typeof PARTITIONED)[number];

const monthStart = (at: Date, plus = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + plus, 1));
const partitionName = (table: string, month: Date): string =>
  `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;

/**
 * Makes the monthly partitions from the month before `from` (or of `from`) to three months after `to`, where
 * they are missing. Each in a transaction of its own: of several processes none waits until another has made all,
 * which takes seconds on a cluster.
 */
export async function ensurePartitions(knex: Knex, from: Date, to: Date = from): Promise<void> {
  const existing = new Set((await listPartitions(knex)).map(({ name }) => name));
  for (const table of PARTITIONED) {
    const last = monthStart(to, MONTHS_AHEAD);
    for (let month = monthStart(from, -1); month <= last; month = monthStart(month, 1))
      if (!existing.has(partitionName(table, month))) await ensurePartition(knex, table, month);
  }
}

async function ensurePartition(knex: Knex, table: string, month: Date): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw('SELECT pg_advisory_xact_lock(?)', [PARTITION_LOCK]);
    // Another process may have made it meanwhile.
    const isMade = (await listPartitions(trx)).some(({ name }) => name === partitionName(table, month));
    if (!isMade) await addPartition(trx, table, month);
  });
}

/**
 * Created apart and attached: creating it as a partition would lock out all readers and writers, and wait for
 * a long export first.
 */
async function addPartition(trx: Knex, table: string, month: Date): Promise<void> {
  const name = partitionName(table, month);
  await trx.raw(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  await trx.raw(
    `ALTER TABLE ${table} ATTACH PARTITION ${name}
     FOR VALUES FROM ('${month.toISOString()}') TO ('${monthStart(month, 1).toISOString()}')`,
  );
}

export interface Partition {
  name: string;
  table: string;
  /** Its first instant. */
  start: Date;
  /** The first instant after the partition. */
  end: Date;
}

/** A partition of a table whose rows retention deletes. */
export type Month = Partition & { table: PartitionedTable };

/** The monthly partitions that exist. */
export async function listPartitions(knex: Knex): Promise<Partition[]> {
  const { rows } = await knex.raw<{ rows: { name: string; parent: string }[] }>(
    `SELECT child.relname AS name, parent.relname AS parent
     FROM pg_inherits
     JOIN pg_class child ON child.oid = pg_inherits.inhrelid
     JOIN pg_class parent ON parent.oid = pg_inherits.inhparent
     WHERE parent.relname = ANY(?) AND parent.relkind = 'p' AND pg_table_is_visible(parent.oid)`,
    [[...PARTITIONED]],
  );
  return rows.map(({ name, parent }) => {
    const [year, month] = name.slice(parent.length + 1).split('_');
    const start = new Date(Date.UTC(Number(year), Number(month) - 1, 1));
    return { name, table: parent, start, end: monthStart(start, 1) };
  });
}

/**
 * Drops a table's partitions that end at or before an instant: the fast half of retention. Returns their
 * names. One that is being read, for example by an export, is left for the next run, because a waiting drop
 * would block every visitor. One with rows of the environments in `sparing` is kept. `noting` is called with each and
 * what drops it.
 */
export async function dropPartitionsBefore(
  knex: Knex,
  table: PartitionedTable,
  before: Date,
  sparing: readonly string[] = [],
  noting: (month: Month, drop: () => Promise<boolean>) => Promise<boolean> = (_, drop) => drop(),
): Promise<string[]> {
  const old = (await listPartitions(knex)).filter(
    (partition) => partition.table === table && partition.end <= before,
  );
  const dropped: string[] = [];
  for (const partition of old) {
    const { name } = partition;
    if (await holdsAny(knex, name, sparing)) continue;
    if (await noting({ ...partition, table }, () => dropUnlessInUse(knex, name))) dropped.push(name);
  }
  return dropped;
}

async function holdsAny(knex: Knex, name: string, environmentIds: readonly string[]): Promise<boolean> {
  if (environmentIds.length === 0) return false;
  const row = await knex(name)
    .whereIn('environment_id', [...environmentIds])
    .first('environment_id');
  return row !== undefined;
}

async function dropUnlessInUse(knex: Knex, name: string): Promise<boolean> {
  try {
    await knex.transaction(async (trx) => {
      await trx.raw(`SET LOCAL lock_timeout = ${DROP_WAIT}`);
      await trx.raw('DROP TABLE IF EXISTS ??', [name]);
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
