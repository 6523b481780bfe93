import type { Knex } from 'knex';

// From this step on records name words: only programs that know it can read them. What shorter indexes replaced goes;
// an index of a partitioned table cannot be dropped concurrently.
export const step = 'contract' as const;
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS consents_session');
  await knex.raw('DROP INDEX IF EXISTS consents_decision');
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS session_choices_recorded_at');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'CREATE INDEX consents_session ON consents (environment_id, session_id, recorded_at, consent_id)',
  );
  await knex.raw(
    'CREATE INDEX consents_decision ON consents (environment_id, decision, recorded_at, consent_id)',
  );
  await knex.raw('CREATE INDEX session_choices_recorded_at ON session_choices (environment_id, recorded_at)');
}
