import type { Knex } from 'knex';

export const step = 'expand' as const;

// What an account made in a day counts also when the sites are deleted: whoever could take the count away had no limit.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE made_sites (
      site_id uuid PRIMARY KEY,
      account integer NOT NULL,
      by_invited boolean NOT NULL,
      created_at timestamptz NOT NULL
    )`);
  await knex.raw('CREATE INDEX made_sites_account ON made_sites (account, created_at)');
  // Whether nobody has shown that the address is theirs; mails of before this count as if somebody had.
  await knex.raw('ALTER TABLE mail_counts ADD COLUMN unconfirmed boolean NOT NULL DEFAULT false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_counts DROP COLUMN unconfirmed');
  await knex.raw('DROP TABLE made_sites');
}
