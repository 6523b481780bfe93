import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while scans go on.
export const config = { transaction: false };

/** By which the scan before another one of the same page is found. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'cookie_scans_page',
    'cookie_scans (environment_id, page, created_at) WHERE environment_id IS NOT NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS cookie_scans_page');
}
