import type { operations } from '../../../spec/generated/api';
import { findSettledTime } from '../db/find-settled-time';
import { EventRow } from '../db/models';
import type { Handler } from './handler';
import { readPage, SHAPE_TIME, SHAPE_UUID } from './paging';

export const listEvents: Handler<operations['listEvents']> = async ({ db }, { environment, query }) => {
  const rows = EventRow.query(db).where({ environment_id: environment.id });
  if (query.event !== undefined) rows.where({ event: query.event });
  if (query.from !== undefined) rows.where('occurred_at', '>=', query.from);
  if (query.to !== undefined) rows.where('occurred_at', '<', query.to);
  // Who reads on from the last one that they saw would never be shown an older one that is stored later.
  if (query.order !== 'newest') rows.where('occurred_at', '<=', await findSettledTime(db));
  return readPage({
    query: rows,
    order: ['occurred_at', 'event_id'],
    direction: query.order === 'newest' ? 'desc' : 'asc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: ({ event_id, event, occurred_at, payload }) => ({
      event_id,
      event,
      occurred_at: occurred_at.toISOString(),
      payload: JSON.parse(payload),
    }),
  });
};
