import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Only makes reading faster, and nothing slower meanwhile: the older indexes go in a contract step.
export const background = true;
export const config = { transaction: false };

/** Which records of a site are of a decision, `choice` in short or `decision` in full. */
const ofDecision = (choice: string, decision: string): string =>
  `consents (environment_id, recorded_at) WHERE (choice = '${choice}'::"char" OR decision = '${decision}'::text)`;

const INDEXES: Record<string, string> = {
  consents_session_hash: 'consents (uuid_hash_extended(session_id, 0), recorded_at)',
  consents_accepted: ofDecision('a', 'accept_all'),
  consents_rejected: ofDecision('r', 'reject_all'),
  consents_saved: ofDecision('s', 'save_preferences'),
  session_choices_day: "session_choices (environment_id, ((recorded_at AT TIME ZONE 'UTC')::date))",
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, on] of Object.entries(INDEXES)) await buildIndex(knex, name, on);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(INDEXES)) await knex.raw(`DROP INDEX IF EXISTS ${name}`);
}
