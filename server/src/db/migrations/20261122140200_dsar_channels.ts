import type { Knex } from 'knex';

/** The way that a request came, and the day, where a member recorded it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE dsar_requests
      ADD COLUMN channel text NOT NULL DEFAULT 'online',
      ADD COLUMN received_on date,
      ADD COLUMN contact text`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE dsar_requests DROP COLUMN channel, DROP COLUMN received_on, DROP COLUMN contact',
  );
}
