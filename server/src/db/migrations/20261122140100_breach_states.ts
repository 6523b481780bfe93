import type { Knex } from 'knex';

// Columns beside the present ones, whose checks allow no further value: a process of the version before goes
// on to read and write them.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE breaches
      ADD COLUMN not_reportable_at timestamptz,
      ADD COLUMN not_reportable_reason text,
      ADD COLUMN unjudged boolean NOT NULL DEFAULT false`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE breaches
      DROP COLUMN not_reportable_at, DROP COLUMN not_reportable_reason, DROP COLUMN unjudged`);
}
