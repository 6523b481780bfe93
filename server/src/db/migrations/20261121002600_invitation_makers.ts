import type { Knex } from 'knex';

// An invitation ends when whoever made it may invite no more. The operator's own links, and older ones, are
// nobody's.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE invitations ADD COLUMN made_by integer REFERENCES users (id) ON DELETE CASCADE',
  );
  await knex.raw('CREATE INDEX invitations_made_by ON invitations (made_by)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE invitations DROP COLUMN made_by');
}
