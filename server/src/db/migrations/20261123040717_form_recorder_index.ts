import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while everybody works: the table may be large.
export const config = { transaction: false };

/** How many form consents the members of a site recorded lately is read with each of them. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'form_consents_by_owner',
    'form_consents (environment_id, recorded_at) WHERE by_owner',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS form_consents_by_owner');
}
