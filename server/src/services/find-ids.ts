import type { Knex } from 'knex';
import type { ConsentFilter, IdMatch } from '../db/models/consent-row';
import { clock } from '../domain/clock';
import { idRange, timeOfId } from '../domain/ids';
import { DAY_MS } from '../domain/time';
import type { SessionView } from './session-view';

/** The maximum number of sessions that a prefix may match. */
const MOST_SESSIONS = 100;
/** No record is older. */
const FIRST = Date.UTC(2020, 0, 1);

/** The filter of a query of consent records, with an id prefix and a fingerprint already resolved. */
export async function withIds<Query extends { id?: string; session_id?: string }>(
  db: Knex,
  environment_id: string,
  query: Query,
  sessions: SessionView,
): Promise<Query & ConsentFilter> {
  const { id, session_id } = query;
  return {
    ...query,
    ...(session_id === undefined ? {} : { session_id: await sessions.read(session_id) }),
    ...(id === undefined
      ? {}
      : { ids: await findIds(db, environment_id, await sessions.read(id), sessions) }),
  };
}

/** Characters of a whole id. */
const WHOLE = 36;

/**
 * The sessions and records with this id prefix: found by the key of the latest choices, and by the time in a
 * record's id, so that no other records are read. Whoever is shown fingerprints finds a session by its whole id only:
 * else an id could be guessed piece by piece.
 */
async function findIds(
  db: Knex,
  environment_id: string,
  beginning: string,
  { whole }: SessionView,
): Promise<IdMatch> {
  const [first, last] = idRange(beginning);
  const sessions =
    whole || beginning.length === WHOLE
      ? await db('session_choices')
          .where({ environment_id })
          .whereBetween('session_id', [first, last])
          .orderBy('session_id')
          .limit(MOST_SESSIONS)
          .select<{ session_id: string }[]>('session_id')
      : [];
  // To the end of the last millisecond: ids have no finer times, and say which records are meant.
  const times = [timeOfId(first), new Date(timeOfId(last).getTime() + 1)] as const;
  const isTime = times[1].getTime() >= FIRST && times[0].getTime() <= clock.now() + DAY_MS;
  return {
    sessions: sessions.map(({ session_id }) => session_id),
    records: isTime ? { ids: [first, last], times } : undefined,
  };
}
