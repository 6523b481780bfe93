import type { Knex } from 'knex';
import type { ConsentFilter, IdMatch } from '../db/models/consent-row';
import { clock } from '../domain/clock';
import { idRange, timeOfId } from '../domain/ids';
import { DAY_MS } from '../domain/time';

/** Sessions that one beginning may stand for. */
const MOST_SESSIONS = 100;
/** No record is older. */
const FIRST = Date.UTC(2020, 0, 1);

/** What a query of consent records asks for, the beginning of an id looked up first. */
export async function withIds<Query extends { id?: string }>(
  db: Knex,
  environment_id: string,
  query: Query,
): Promise<Query & ConsentFilter> {
  return query.id === undefined ? query : { ...query, ids: await findIds(db, environment_id, query.id) };
}

/**
 * The sessions and records whose ids begin alike: by the key of the latest choices, and by the time that a
 * record's id begins with, so that no other record is read.
 */
async function findIds(db: Knex, environment_id: string, beginning: string): Promise<IdMatch> {
  const [first, last] = idRange(beginning);
  const sessions = await db('session_choices')
    .where({ environment_id })
    .whereBetween('session_id', [first, last])
    .orderBy('session_id')
    .limit(MOST_SESSIONS)
    .select<{ session_id: string }[]>('session_id');
  const times = [timeOfId(first), timeOfId(last)] as const;
  const isTime = times[1].getTime() >= FIRST && times[0].getTime() <= clock.now() + DAY_MS;
  return {
    sessions: sessions.map(({ session_id }) => session_id),
    records: isTime ? { ids: [first, last], times } : undefined,
  };
}
