import { findSettledTime } from '../db/find-settled-time';
import { EventRow } from '../db/models';
import { between, readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { exportRecords } from '../services/record-export';
import { type SessionView, sessionView, shownPayload } from '../services/session-view';
import { Download, type Handler } from './handler';

export const listEvents: Handler<'listEvents'> = async (context, request) => {
  const { db } = context;
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  const rows = EventRow.query(db).where({ environment_id: environment.id });
  if (query.event !== undefined) rows.where({ event: query.event });
  if (query.from !== undefined) rows.where('occurred_at', '>=', query.from);
  if (query.to !== undefined) rows.where('occurred_at', '<', query.to);
  // A reader who continues from the last event would never see an older one that is stored later.
  if (query.order !== 'newest') rows.where('occurred_at', '<=', await findSettledTime(db, environment.id));
  return readPage({
    query: rows,
    order: ['occurred_at', 'event_id'],
    direction: query.order === 'newest' ? 'desc' : 'asc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => view(row, sessions),
  });
};

const view = ({ event_id, event, occurred_at, payload }: EventRow, sessions: SessionView) => ({
  event_id,
  event,
  occurred_at: occurred_at.toISOString(),
  payload: shownPayload(JSON.parse(payload), sessions),
});

export const exportEvents: Handler<'exportEvents'> = async (context, request) => {
  const { db } = context;
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  // One cut-off for the whole file: events stored while it is read belong to the next file.
  const settled = await findSettledTime(db, environment.id);
  const matching = () => {
    const rows = EventRow.query(db).where({ environment_id: environment.id });
    if (query.event !== undefined) rows.where({ event: query.event });
    return between(rows, 'occurred_at', query).where('occurred_at', '<=', settled);
  };
  const { type, name, content } = await exportRecords(environment, query.format, matching, {
    name: 'events',
    order: ['occurred_at', 'event_id'],
    columns: ['event_id', 'occurred_at', 'event', 'payload'],
    toItem: (row) => view(row, sessions),
  });
  return new Download(type, name, content);
};
