import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while everybody works: the tables may be large.
export const config = { transaction: false };

/** The newest of each site that its members are told of, without reading all that is open. */
export async function up(knex: Knex): Promise<void> {
  // One row for each site.
  await buildIndex(knex, 'settings_versions_first', 'settings_versions (environment_id) WHERE version = 1');
  await buildIndex(
    knex,
    'dsar_requests_assigned',
    "dsar_requests (environment_id, assigned_at) WHERE status <> 'resolved' AND assigned_at IS NOT NULL",
  );
  await buildIndex(
    knex,
    'breaches_running',
    "breaches (environment_id, aware_at) WHERE status = 'created' AND not_reportable_at IS NULL",
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const name of ['breaches_running', 'dsar_requests_assigned', 'settings_versions_first'])
    await knex.raw(`DROP INDEX IF EXISTS ${name}`);
}
