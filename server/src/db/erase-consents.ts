import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { bodyIn, DECISION_DAYS, ERASED, erasedKey } from '../domain/decision-keys';
import { DAY_MS, toHour } from '../domain/time';
import { OF_SESSIONS } from './consent-records';
import { forgetImported, goneConsents, PLACED_KEY, type PlacedKey } from './ledger/erased';
import type { Gone } from './ledger/erased-notes';

type ErasedRecord = { session_id: string; consent_id: string; recorded_at: Date };

/**
 * Erases up to `limit` records of sessions; whether anybody else names their words is looked up by the next run of
 * the job, since a page's address can name a person. The first records of a text hold it themselves, and are what its
 * word was made for. Their keys stay as long as a visitor's browser may send a report again, which must not bring a
 * record back. In a transaction, which commits both at once.
 */
export async function eraseConsentsOf(
  trx: Knex,
  environmentId: string,
  sessions: readonly string[],
  { limit, gone }: { limit: number; gone: Gone },
): Promise<number> {
  const now = clock.now();
  // Locked, so that of two erasures at once only one notes a record.
  const { rows: keys } = await trx.raw<{ rows: PlacedKey[] }>(
    `SELECT ${PLACED_KEY} FROM consents
     WHERE environment_id = :environmentId AND ${OF_SESSIONS} LIMIT :limit FOR UPDATE`,
    { environmentId, sessions: [...sessions], limit },
  );
  if (keys.length === 0) return 0;
  gone.push(...(await goneConsents(trx, environmentId, keys)));
  const ids = keys.map(({ consent_id }) => consent_id);
  const { rows } = await trx.raw<{ rows: ErasedRecord[] }>(
    `WITH gone AS (
         DELETE FROM consents WHERE environment_id = :environmentId AND (recorded_at, consent_id) IN (
           SELECT * FROM unnest(:times::timestamptz[], :ids::uuid[]))
         RETURNING kind, agent, page, user_agent, page_url, session_id, consent_id, recorded_at
       ), doubted AS (
         UPDATE consent_words SET check_on = :today::date WHERE environment_id = :environmentId AND check_on > :today::date
           AND (word IN (SELECT word FROM gone CROSS JOIN LATERAL (VALUES (kind), (agent), (page)) AS named (word))
             OR text IN (SELECT text FROM gone CROSS JOIN LATERAL (VALUES (user_agent), (page_url)) AS held (text)))
         RETURNING 1
       ) SELECT session_id, consent_id, recorded_at FROM gone`,
    {
      ...{ environmentId, ids, today: new Date(now).toISOString().slice(0, 10) },
      times: keys.map(({ place }) => place),
    },
  );
  await forgetImported(trx, environmentId, ids);
  const young = rows.filter(({ recorded_at }) => recorded_at.getTime() > now - DECISION_DAYS * DAY_MS);
  if (young.length > 0) await keepKeys(trx, environmentId, young);
  return rows.length;
}

/** A statement of its own: a cluster takes none that deletes and inserts. */
async function keepKeys(trx: Knex, environmentId: string, records: readonly ErasedRecord[]): Promise<void> {
  const until = ({ recorded_at }: ErasedRecord): number =>
    toHour(recorded_at.getTime() + DECISION_DAYS * DAY_MS);
  await trx.raw(
    `INSERT INTO idempotency_keys (environment_id, scope, key, body_hash, expires_at)
     SELECT :environmentId::uuid, :scope::text, key, decode(body, 'hex'), until
     FROM unnest(:keys::text[], :bodies::text[], :untils::timestamptz[]) AS r (key, body, until)
     ON CONFLICT DO NOTHING`,
    {
      environmentId,
      scope: ERASED,
      keys: records.map(({ session_id, consent_id }) => erasedKey(session_id, consent_id)),
      bodies: records.map(({ consent_id }) => bodyIn(consent_id)),
      untils: records.map((record) => new Date(until(record)).toISOString()),
    },
  );
}
