import type { Knex } from 'knex';

// An archived site is stored as a paused one with this time: a process of the version before refuses its
// visitors too.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE environments ADD COLUMN archived_at timestamptz, ADD COLUMN deleted_at timestamptz',
  );
  await knex.raw('CREATE INDEX environments_deleted_at ON environments (deleted_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE environments DROP COLUMN archived_at, DROP COLUMN deleted_at');
}
