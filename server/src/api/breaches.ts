import type { Knex } from 'knex';
import type { components, operations } from '../../../spec/generated/api';
import { BreachRow, type EnvironmentRow } from '../db/models';
import { checkBreachTimes, checkReport } from '../domain/breach-rules';
import { breachNotifyBy } from '../domain/deadlines';
import { newId, timeOfId } from '../domain/ids';
import { conflict, notFound } from '../errors';
import { emit } from '../webhooks/outbox';
import { breachCreated, breachReported } from '../webhooks/payloads';
import type { Handler } from './handler';
import { noted } from './history';
import { readPage, SHAPE_TIME, SHAPE_UUID } from './paging';

type Fields = Partial<components['schemas']['CreateBreachInput']>;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function view(row: BreachRow) {
  const { environment_id: _, ...fields } = row;
  return {
    ...fields,
    occurred_from: iso(row.occurred_from),
    occurred_to: iso(row.occurred_to),
    aware_at: row.aware_at.toISOString(),
    notify_by: row.notify_by.toISOString(),
    subjects_informed_at: iso(row.subjects_informed_at),
    reported_at: iso(row.reported_at),
    created_at: row.created_at.toISOString(),
    overdue: row.status === 'created' && row.notify_by < new Date(),
  };
}

const TIMES = ['occurred_from', 'occurred_to', 'aware_at', 'subjects_informed_at'] as const;

/** The given fields as columns: times as dates, everything else as it is. */
function columns(fields: Fields): Partial<BreachRow> {
  const times = TIMES.filter((name) => fields[name] !== undefined).map((name) => {
    const value = fields[name];
    return [name, value == null ? null : new Date(value)];
  });
  return { ...fields, ...Object.fromEntries(times) };
}

export const listBreaches: Handler<operations['listBreaches']> = async ({ db }, { environment, query }) => {
  const rows = BreachRow.query(db).where({ environment_id: environment.id });
  if (query.status !== undefined) rows.where({ status: query.status });
  if (query.severity !== undefined) rows.where({ severity: query.severity });
  const late = "status = 'created' AND notify_by < ?";
  if (query.overdue !== undefined) rows.whereRaw(query.overdue ? late : `NOT (${late})`, [new Date()]);
  return readPage({
    query: rows,
    order: ['created_at', 'breach_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: view,
  });
};

export const createBreach: Handler<operations['createBreach']> = async (context, request) => {
  const { environment, body, caller, trx, afterCommit } = request;
  const breach_id = newId();
  const created_at = timeOfId(breach_id);
  const unknown = { occurred_from: null, occurred_to: null, subjects_informed_at: null };
  const counts = { affected_subjects: null, affected_records: null };
  const given = { ...unknown, ...counts, ...columns(body) } as BreachRow;
  checkBreachTimes(given, created_at);
  const row = await BreachRow.query(trx).insertAndFetch({
    ...given,
    environment_id: environment.id,
    breach_id,
    notify_by: breachNotifyBy(given.aware_at),
    status: 'created',
    created_at,
    history: noted([], caller, 'created'),
  });
  const webhooks = await emit(trx, breachCreated(environment, row));
  afterCommit(() => context.wake(webhooks));
  return view(row);
};

const where = (environment: EnvironmentRow, breach_id: string) => ({
  environment_id: environment.id,
  breach_id: breach_id.toLowerCase(),
});

/** The breach under a lock: two operators who act at once are served one after the other. */
async function locked(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  breach_id: string,
): Promise<BreachRow> {
  const row = await BreachRow.query(trx).findOne(where(environment, breach_id)).forUpdate();
  if (row === undefined) throw notFound('This breach');
  return row;
}

export const getBreach: Handler<operations['getBreach']> = async ({ db }, { environment, params }) => {
  const row = await BreachRow.query(db).findOne(where(environment, params.breach_id));
  if (row === undefined) throw notFound('This breach');
  return view(row);
};

export const updateBreach: Handler<operations['updateBreach']> = async (
  _context,
  { environment, params, body, caller, trx },
) => {
  const row = await locked(trx, environment, params.breach_id);
  const given = columns(body);
  if (
    row.status === 'reported' &&
    given.aware_at !== undefined &&
    given.aware_at.getTime() !== row.aware_at.getTime()
  ) {
    throw conflict(
      'The breach is reported: aware_at, by which the report was in time or late, cannot be changed any more.',
    );
  }
  checkBreachTimes({ ...row, ...given } as BreachRow, new Date());
  const changed = Object.keys(body);
  if (changed.length === 0) return view(row);
  const updated = await row.$query(trx).patchAndFetch({
    ...given,
    ...(given.aware_at === undefined ? {} : { notify_by: breachNotifyBy(given.aware_at) }),
    history: noted(row.history, caller, 'updated', changed.join(', ')),
  });
  return view(updated);
};

export const reportBreach: Handler<operations['reportBreach']> = async (context, request) => {
  const { environment, params, body, caller, trx, afterCommit } = request;
  const row = await locked(trx, environment, params.breach_id);
  if (row.status === 'reported') throw conflict('The breach is reported already: nothing is left to do.');
  const now = new Date();
  // A clock that is a little ahead of ours may have set aware_at.
  const earliest = now < row.aware_at ? row.aware_at : now;
  const reported_at = body.reported_at === undefined ? earliest : new Date(body.reported_at);
  checkReport(row, reported_at, body.late_reason, now);
  const reported = await row.$query(trx).patchAndFetch({
    status: 'reported',
    reported_at,
    authority: body.authority ?? environment.settings.controller.authority ?? null,
    authority_reference: body.authority_reference ?? null,
    late_reason: body.late_reason ?? null,
    history: noted(row.history, caller, 'reported', body.late_reason),
  });
  const webhooks = await emit(trx, breachReported(environment, reported));
  afterCommit(() => context.wake(webhooks));
  return view(reported);
};
