import type { Knex } from 'knex';
import type { components, operations } from '../../../spec/generated/api';
import { refuseFull, refuseManyBreaches, refuseManyChanges } from '../db/daily-limits';
import { nameSite } from '../db/find-settled-time';
import { breachRecord } from '../db/ledger/records';
import { sealBreach, takeStep } from '../db/ledger/steps';
import { BreachRow, type EnvironmentRow } from '../db/models';
import { RUNNING } from '../db/models/breach-row';
import { between, readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { checkBreachTimes, checkReport, reportNote } from '../domain/breach-rules';
import { clock } from '../domain/clock';
import { breachNotifyBy } from '../domain/deadlines';
import { conflict, notFound } from '../domain/errors';
import { withEntry } from '../domain/history';
import { newId, timeOfId } from '../domain/ids';
import { inRequests } from '../domain/size';
import { emit } from '../events/outbox';
import { breachCreated, breachReported } from '../events/payloads';
import { evidenceOfSteps } from '../ledger/steps-evidence';
import type { Step } from '../services/dsar-rows';
import { exportRecords } from '../services/record-export';
import { Download, type Handler } from './handler';

type Fields = Partial<components['schemas']['CreateBreachInput']>;
type Filter = Omit<NonNullable<operations['exportBreaches']['parameters']['query']>, 'format'>;

const view = (row: BreachRow) => ({
  ...breachRecord(row),
  history: row.history,
  overdue: row.status === 'created' && row.notify_by < clock.date(),
});

const TIMES = ['occurred_from', 'occurred_to', 'aware_at', 'subjects_informed_at'] as const;

/** The given fields as columns: times as dates, everything else as it is. */
function columns(fields: Fields): Partial<BreachRow> {
  const times = TIMES.filter((name) => fields[name] !== undefined).map((name) => {
    const value = fields[name];
    return [name, value == null ? null : new Date(value)];
  });
  return { ...fields, ...Object.fromEntries(times) };
}

/** The breaches of a site that match a filter. */
function matching(db: Knex, { id: environment_id }: EnvironmentRow, filter: Filter) {
  const rows = BreachRow.query(db).where({ environment_id });
  if (filter.status === 'created') rows.whereRaw(RUNNING);
  else if (filter.status === 'not_reportable') rows.whereNotNull('not_reportable_at');
  else if (filter.status !== undefined) rows.where({ status: filter.status });
  if (filter.severity === 'unknown') rows.where({ unjudged: true });
  else if (filter.severity !== undefined) rows.where({ severity: filter.severity, unjudged: false });
  const late = `${RUNNING} AND notify_by < ?`;
  if (filter.overdue !== undefined) rows.whereRaw(filter.overdue ? late : `NOT (${late})`, [clock.date()]);
  return between(rows, 'created_at', filter);
}

export const listBreaches: Handler<'listBreaches'> = async ({ db }, { environment, query }) =>
  readPage({
    query: matching(db, environment, query),
    order: ['created_at', 'breach_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: view,
  });

/** Of a CSV file. */
const COLUMNS: (keyof ReturnType<typeof view>)[] = [
  ...([
    'breach_id',
    'created_at',
    'title',
    'status',
    'severity',
    'aware_at',
    'notify_by',
    'overdue',
  ] as const),
  ...(['reported_at', 'authority', 'authority_reference', 'late_reason'] as const),
  ...(['not_reportable_at', 'not_reportable_reason', 'missing'] as const),
  ...(['occurred_from', 'occurred_to', 'nature', 'description', 'data_categories'] as const),
  ...(['subject_categories', 'affected_subjects', 'affected_records', 'consequences'] as const),
  ...(['measures', 'subjects_informed_at', 'history'] as const),
];

export const exportBreaches: Handler<'exportBreaches'> = async ({ db }, { environment, query }) => {
  const { type, name, content } = await exportRecords(
    environment,
    query.format,
    () => matching(db, environment, query),
    { name: 'breaches', order: ['created_at', 'breach_id'], columns: COLUMNS, toItem: view },
  );
  return new Download(type, name, content);
};

/** What the register holds for facts that are not known yet. */
const UNKNOWN = {
  ...{ nature: '', description: '', consequences: '', measures: '' },
  ...{ severity: 'unknown' as const, data_categories: [], subject_categories: [] },
  ...{ occurred_from: null, occurred_to: null, subjects_informed_at: null },
  ...{ affected_subjects: null, affected_records: null },
};

export const createBreach: Handler<'createBreach'> = async (context, request) => {
  const { environment, body, caller, trx } = request;
  const breach_id = newId();
  const created_at = timeOfId(breach_id);
  const given = { ...UNKNOWN, ...columns(body) } as BreachRow;
  checkBreachTimes(given, created_at);
  await refuseManyBreaches(trx, environment.id, request);
  await nameSite(trx, environment.id);
  const row = await BreachRow.query(trx).insertAndFetch({
    ...given,
    environment_id: environment.id,
    breach_id,
    notify_by: breachNotifyBy(given.aware_at),
    status: 'created',
    created_at,
    history: withEntry([], caller, 'created'),
  });
  await sealBreach(trx, row);
  await emit(context, request, breachCreated(environment, row));
  return view(row);
};

const where = (environment: EnvironmentRow, breach_id: string) => ({
  environment_id: environment.id,
  breach_id: breach_id.toLowerCase(),
});

/** Reads the breach with a row lock, so that two operators who act at once are served one after the other. */
async function locked(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  breach_id: string,
): Promise<BreachRow> {
  await nameSite(trx, environment.id);
  const row = await BreachRow.query(trx).findOne(where(environment, breach_id)).forUpdate();
  if (row === undefined) throw notFound('This breach');
  return row;
}

/** What is sealed of each step counts as if it were sent. */
async function save(
  { trx, countMore }: Step,
  row: BreachRow,
  patch: Partial<BreachRow> & Pick<BreachRow, 'history'>,
): Promise<BreachRow> {
  const { saved, bytes } = await takeStep(trx, row, patch);
  countMore(inRequests(bytes));
  return saved;
}

export const getBreach: Handler<'getBreach'> = async ({ db }, { environment, params }) => {
  const row = await BreachRow.query(db).findOne(where(environment, params.breach_id));
  if (row === undefined) throw notFound('This breach');
  const evidence = await evidenceOfSteps(db, environment.id, 'breach', row.breach_id);
  return { ...view(row), evidence };
};

/** What the deadline follows from is told with its value before, so that nobody moves it unseen. */
const described = (name: string, { aware_at }: BreachRow): string =>
  name === 'aware_at' ? `aware_at (before: ${aware_at.toISOString()})` : name;

export const updateBreach: Handler<'updateBreach'> = async (_context, request) => {
  const { environment, params, body, caller, role, trx } = request;
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
  checkBreachTimes({ ...row, ...given } as BreachRow, clock.date());
  const changed = Object.keys(body);
  if (changed.length === 0) return view(row);
  refuseFull(row.history, { role, caller });
  refuseManyChanges(row.history, { role, caller });
  const updated = await save(request, row, {
    ...given,
    ...(given.aware_at === undefined ? {} : { notify_by: breachNotifyBy(given.aware_at) }),
    history: withEntry(
      row.history,
      caller,
      'updated',
      changed.map((name) => described(name, row)).join(', '),
    ),
  });
  return view(updated);
};

export const reportBreach: Handler<'reportBreach'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.breach_id);
  if (row.status === 'reported') throw conflict('The breach is reported already: nothing is left to do.');
  if (row.status === 'not_reportable')
    throw conflict('The breach is judged to need no report: reopen it first and say what has changed.');
  const now = clock.date();
  // aware_at may come from a clock that is slightly ahead of ours.
  const earliest = new Date(Math.max(now.getTime(), row.aware_at.getTime()));
  const reported_at = body.reported_at === undefined ? earliest : new Date(body.reported_at);
  checkReport(row, reported_at, body.late_reason, now);
  const reported = await save(request, row, {
    status: 'reported',
    reported_at,
    authority: body.authority ?? environment.settings.controller.authority ?? null,
    authority_reference: body.authority_reference ?? null,
    late_reason: body.late_reason ?? null,
    history: withEntry(row.history, caller, 'reported', reportNote(reported_at, body.late_reason, now)),
  });
  await emit(context, request, breachReported(environment, reported));
  return view(reported);
};

export const markBreachNotReportable: Handler<'markBreachNotReportable'> = async (_context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.breach_id);
  if (row.status !== 'created') {
    throw conflict(
      row.status === 'reported'
        ? 'The breach has been reported: it can no longer be marked as not reportable.'
        : 'The breach is already judged to need no report: nothing is left to do.',
    );
  }
  const marked = await save(request, row, {
    not_reportable_at: clock.date(),
    not_reportable_reason: body.reason,
    history: withEntry(row.history, caller, 'not_reportable', body.reason),
  });
  return view(marked);
};

export const reopenBreach: Handler<'reopenBreach'> = async (_context, request) => {
  const { environment, params, body, caller, role, trx } = request;
  const row = await locked(trx, environment, params.breach_id);
  if (row.status !== 'not_reportable')
    throw conflict(`The breach is ${row.status}: only one that is judged to need no report can be reopened.`);
  refuseFull(row.history, { role, caller });
  refuseManyChanges(row.history, { role, caller });
  // The earlier reason stays in the history (GDPR Art. 33(5)).
  const opened = await save(request, row, {
    not_reportable_at: null,
    not_reportable_reason: null,
    history: withEntry(row.history, caller, 'reopened', body.reason),
  });
  return view(opened);
};
