import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while everybody works: the table may be large.
export const config = { transaction: false };

/** Only of events that somebody was left out of: for all others it costs nothing. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'events_missed',
    'events (environment_id, event, subscriptions, occurred_at, event_id) WHERE subscriptions IS NOT NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS events_missed');
}
