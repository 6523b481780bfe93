import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';

/** How often a build by another process is looked at, in milliseconds. */
const LOOK = 500;

/**
 * Builds an index without blocking writes, for a migration with `config = { transaction: false }`; `on` is
 * what follows ON. It may wait as long as it needs, because nobody waits behind it. The remains of an
 * interrupted build are removed first. Of a partitioned table each partition gets its own, one by one.
 */
export async function buildIndex(
  knex: Knex,
  name: string,
  on: string,
  { unique = false }: { unique?: boolean } = {},
): Promise<void> {
  const table = /^\w+/.exec(on)?.[0] ?? '';
  const kind = unique ? 'UNIQUE INDEX' : 'INDEX';
  if (!(await isPartitioned(knex, table))) return buildOne(knex, kind, name, on);
  // Of the parent it is an entry of the catalogue: quick, once it has its lock.
  await knex.raw(`CREATE ${kind} IF NOT EXISTS ${name} ON ONLY ${on}`);
  for (;;) {
    const partition = await nextPartition(knex, table, name);
    if (partition === undefined) return;
    const part = `${name}${partition.slice(table.length)}`;
    await buildOne(knex, kind, part, partition + on.slice(table.length));
    await knex.raw(`ALTER INDEX ${name} ATTACH PARTITION ${part}`);
  }
}

async function buildOne(knex: Knex, kind: string, name: string, on: string): Promise<void> {
  await knex.raw('SET lock_timeout = 0');
  try {
    if (await isInvalid(knex, name)) {
      // The server goes on with a build whose program was killed: it may just become valid.
      await awaitBuilds(knex, on);
      // On a cluster the remains may be on this node alone.
      if (await isInvalid(knex, name)) await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    }
    await knex.raw(`CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`);
  } finally {
    // On the same connection, because the only other one holds the lock of the migrations.
    await knex.raw('RESET lock_timeout');
  }
}

async function isInvalid(knex: Knex, name: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `SELECT FROM pg_index WHERE indexrelid = to_regclass('${name}') AND NOT indisvalid`,
  );
  return rows.length > 0;
}

/** Looks again and again: the build would wait for whoever waits for its lock, because that one has a snapshot. */
async function awaitBuilds(knex: Knex, on: string): Promise<void> {
  const table = /^\w+/.exec(on)?.[0];
  for (;;) {
    const { rows } = await knex.raw<{ rows: unknown[] }>(
      `SELECT FROM pg_stat_progress_create_index WHERE relid = '${table}'::regclass AND datname = current_database()`,
    );
    if (rows.length === 0) return;
    await delay(LOOK);
  }
}

async function isPartitioned(knex: Knex, table: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `SELECT FROM pg_class WHERE oid = to_regclass('${table}') AND relkind = 'p'`,
  );
  return rows.length > 0;
}

/** A partition that has no part of the index yet. */
async function nextPartition(knex: Knex, table: string, index: string): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `SELECT partition.relname AS name
     FROM pg_inherits JOIN pg_class partition ON partition.oid = inhrelid
     WHERE inhparent = '${table}'::regclass AND NOT EXISTS (
       SELECT FROM pg_inherits part JOIN pg_index ON indexrelid = part.inhrelid
       WHERE part.inhparent = '${index}'::regclass AND indrelid = partition.oid)
     ORDER BY name LIMIT 1`,
  );
  return rows[0]?.name;
}
