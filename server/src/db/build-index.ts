import type { Knex } from 'knex';

/**
 * Builds an index without blocking writes, for a migration with `config = { transaction: false }`; `on` is
 * what follows ON. It may wait as long as it needs, because nobody waits behind it. The remains of an
 * interrupted build are removed first.
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
    // On the same connection, because the only other one holds the lock of the migrations.
    await knex.raw('RESET lock_timeout');
  }
}
