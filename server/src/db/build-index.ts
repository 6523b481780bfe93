import type { Knex } from 'knex';

/**
 * Builds an index while everybody works, for a migration with `config = { transaction: false }`; `on` is what
 * follows ON. It may wait for others as long as it takes: nobody waits behind it. What a build that was
 * broken off left is removed first, because nothing uses it.
 */
export async function buildIndex(knex: Knex, name: string, on: string): Promise<void> {
  await knex.raw('SET lock_timeout = 0');
  try {
    const { rows } = await knex.raw<{ rows: unknown[] }>(
      `SELECT FROM pg_index WHERE indexrelid = to_regclass('${name}') AND NOT indisvalid`,
    );
    if (rows.length > 0) await knex.raw(`DROP INDEX CONCURRENTLY ${name}`);
    await knex.raw(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`);
  } finally {
    // The same connection: the only other one of the migrations holds their lock.
    await knex.raw('RESET lock_timeout');
  }
}
