import type { Knex } from 'knex';

export const step = 'expand' as const;

// What the limits of mails count, for a day: apart from the mails, because those go with their site and with an erased
// person, and whoever could take the count away had no limit.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_counts (
      mail_id uuid PRIMARY KEY,
      address_key bytea NOT NULL,
      cause text NOT NULL,
      kind text NOT NULL,
      site_id uuid NOT NULL,
      account text NOT NULL,
      created_at timestamptz NOT NULL
    )`);
  await knex.raw('CREATE INDEX mail_counts_address ON mail_counts (address_key, cause, created_at)');
  await knex.raw('CREATE INDEX mail_counts_site ON mail_counts (site_id, kind, created_at)');
  await knex.raw('CREATE INDEX mail_counts_created_at ON mail_counts (created_at)');
  // Each site stands for itself on this one day.
  await knex.raw(`
    INSERT INTO mail_counts (mail_id, address_key, cause, kind, site_id, account, created_at)
    SELECT mail_id, address_key,
      CASE WHEN audience = 'account' THEN 'account' WHEN kind = 'request_received' THEN 'stranger' ELSE 'member' END,
      kind, environment_id, environment_id::text, created_at
    FROM mails
    WHERE created_at > now() - interval '1 day' AND address_key IS NOT NULL AND state <> 'withheld'
      AND audience IN ('visitor', 'account')
    ON CONFLICT DO NOTHING`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE mail_counts');
}
