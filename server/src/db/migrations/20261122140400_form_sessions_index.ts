import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: the table may be large.
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'form_consents_session_id',
    'form_consents (environment_id, session_id, recorded_at, form_consent_id)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS form_consents_session_id');
}
