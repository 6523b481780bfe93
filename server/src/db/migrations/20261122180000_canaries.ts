import type { Knex } from 'knex';

// A small table: a known text sealed with SECRETS_KEY, so that a wrong key is found before it does harm.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE TABLE canaries (name text PRIMARY KEY, sealed bytea NOT NULL)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE canaries');
}
