import type { Knex } from 'knex';

/**
 * Makes a column NOT NULL without locking its table for the length of a scan, for a contract step with
 * `config = { transaction: false }`: a constraint that is checked while everybody works proves it. Bears being
 * begun again.
 */
export async function setNotNull(knex: Knex, table: string, column: string): Promise<void> {
  const proof = `${table}_${column}_is_set`;
  await knex.raw(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${proof}`);
  await knex.raw(`ALTER TABLE ${table} ADD CONSTRAINT ${proof} CHECK (${column} IS NOT NULL) NOT VALID`);
  await knex.raw(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${proof}`);
  await knex.raw(`ALTER TABLE ${table} ALTER COLUMN ${column} SET NOT NULL`);
  await knex.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${proof}`);
}
