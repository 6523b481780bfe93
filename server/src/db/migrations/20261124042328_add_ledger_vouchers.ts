import type { Knex } from 'knex';

export const step = 'expand' as const;

// How it stands between a site's evidence log and each witness and authority: what it has vouched for, when it is
// asked again, and since when it fails. A witness is named by its verifier key, an authority by its URL.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE ledger_vouchers (
      environment_id uuid NOT NULL,
      voucher text NOT NULL,
      size bigint NOT NULL,
      vouched_at timestamptz,
      next_at timestamptz NOT NULL,
      failures integer NOT NULL,
      failing_since timestamptz,
      problem text,
      PRIMARY KEY (environment_id, voucher)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE ledger_vouchers');
}
