import type { Knex } from 'knex';
import { RECORDS } from '../consent-records';

// Strings that decisions of a site repeat, once for all of them: kinds of decision, browsers and pages. A record may
// hold a string or name a word, so nothing has to be rewritten. What a record names is in `consent_words` as long as
// the record is. Older processes read strings only: until the contract step no word is named.
export const step = 'expand' as const;

const WHOLE = {
  consents: [
    ...['decision', 'categories', 'policy_version', 'banner_version', 'method', 'recorded_by', 'language'],
    ...['gpc', 'expires_at'],
  ],
  session_choices: ['decision', 'categories', 'policy_version', 'expires_at'],
};

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE consent_words (
      environment_id uuid NOT NULL,
      word bigint NOT NULL,
      used_on date NOT NULL,
      check_on date NOT NULL,
      type "char" NOT NULL,
      text text NOT NULL,
      kind jsonb,
      PRIMARY KEY (environment_id, word)
    )`);
  const optional = (columns: string[]): string =>
    columns.map((column) => `ALTER COLUMN ${column} DROP NOT NULL`).join(', ');
  await knex.raw(`ALTER TABLE consents ${optional(WHOLE.consents)},
    ADD COLUMN kind bigint, ADD COLUMN agent bigint, ADD COLUMN page bigint, ADD COLUMN choice "char"`);
  await knex.raw(`ALTER TABLE session_choices ${optional(WHOLE.session_choices)}, ADD COLUMN kind bigint`);
}

/** Writes every string back into the records that name it. */
export async function down(knex: Knex): Promise<void> {
  const texts = [...WHOLE.consents, 'bundle_hash', 'page_url', 'user_agent'];
  const set = (columns: string[]): string => columns.map((column) => `${column} = r.${column}`).join(', ');
  const required = (columns: string[]): string =>
    columns.map((column) => `ALTER COLUMN ${column} SET NOT NULL`).join(', ');
  await knex.raw(`
    UPDATE session_choices s SET ${set(WHOLE.session_choices)} FROM ${RECORDS} AS r
    WHERE r.environment_id = s.environment_id AND r.consent_id = s.consent_id AND s.kind IS NOT NULL`);
  await knex.raw(`
    UPDATE consents s SET ${set(texts)} FROM ${RECORDS} AS r
    WHERE r.environment_id = s.environment_id AND r.consent_id = s.consent_id`);
  await knex.raw(`ALTER TABLE consents ${required(WHOLE.consents)},
    DROP COLUMN kind, DROP COLUMN agent, DROP COLUMN page, DROP COLUMN choice`);
  await knex.raw(`ALTER TABLE session_choices ${required(WHOLE.session_choices)}, DROP COLUMN kind`);
  await knex.raw('DROP TABLE consent_words');
}
