import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import type { Context } from '../context';
import { refuseManyRecorded } from '../db/daily-limits';
import { nameSite } from '../db/find-settled-time';
import { DsarRow, EnvironmentRow, SettingsVersionRow } from '../db/models';
import { between, readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { dayOf } from '../domain/calendar';
import { clock } from '../domain/clock';
import { dsarDueAt, dsarDueFrom, dsarExtendedUntil } from '../domain/deadlines';
import { emailKey, emailKeys } from '../domain/email-keys';
import { conflict, notFound, ValidationError } from '../domain/errors';
import { withEntry } from '../domain/history';
import { newId, timeOfId } from '../domain/ids';
import { type Change, emit } from '../events/outbox';
import { dsarCreated, dsarResolved } from '../events/payloads';
import { exportRecords } from '../services/record-export';
import { type SessionView, sessionView } from '../services/session-view';
import { Download, type Handler } from './handler';

type Filter = Omit<NonNullable<operations['exportDsar']['parameters']['query']>, 'format'>;
type SubmitBody = operations['submitDsar']['requestBody']['content']['application/json'];

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
function view(row: DsarRow, { show }: SessionView) {
  return {
    request_id: row.request_id,
    request_type: row.request_type,
    email: row.email,
    name: row.name,
    message: row.message,
    session_id: show(row.session_id),
    channel: row.channel,
    received_on: row.received_on,
    contact: row.contact,
    language: row.language,
    status: row.status,
    created_at: row.created_at.toISOString(),
    due_at: row.due_at.toISOString(),
    extended_until: iso(row.extended_until),
    extension_reason: row.extension_reason,
    resolved_at: iso(row.resolved_at),
    resolution: row.resolution,
    resolution_note: row.resolution_note,
    possible_duplicate_of: row.possible_duplicate_of,
    overdue: row.status !== 'resolved' && row.deadline < clock.date(),
    history: row.history,
  };
}

/** The fields in which a request made online differs from one that a member records. */
type Arrival = Pick<DsarRow, 'channel' | 'received_on' | 'contact' | 'email' | 'due_at' | 'history'>;

/** Stores a request and its event. */
async function store(
  context: Context,
  change: Change,
  environment: EnvironmentRow,
  { request_id, created_at }: Pick<DsarRow, 'request_id' | 'created_at'>,
  body: Omit<SubmitBody, 'email'>,
  arrival: Arrival,
): Promise<DsarRow> {
  const { trx } = change;
  const { request_type } = body;
  await nameSite(trx, environment.id);
  const email_key = emailKey(arrival.email);
  const own = { environment_id: environment.id, request_type };
  const earlier =
    email_key === ''
      ? undefined
      : await DsarRow.query(trx)
          .where(own)
          .whereIn('email_key', emailKeys(arrival.email))
          .orderBy('created_at', 'desc')
          .first();
  const row = await DsarRow.query(trx).insertAndFetch({
    ...own,
    ...arrival,
    email_key,
    request_id,
    name: body.name ?? null,
    message: body.message ?? null,
    session_id: body.session_id?.toLowerCase() ?? null,
    language: body.language ?? environment.settings.default_language,
    status: 'created',
    created_at,
    possible_duplicate_of: earlier?.request_id ?? null,
  });
  await emit(context, change, dsarCreated(environment, row));
  return row;
}

export const submitDsar: Handler<'submitDsar'> = async (context, request) => {
  const { site, body, trx } = request;
  const request_id = newId();
  const created_at = timeOfId(request_id);
  const environment = await EnvironmentRow.query(trx).findById(site.id).throwIfNotFound();
  const row = await store(context, request, environment, { request_id, created_at }, body, {
    ...{ channel: 'online', received_on: null, contact: null, email: body.email },
    due_at: dsarDueAt(created_at, environment.settings.time_zone),
    history: withEntry([], undefined, 'created'),
  });
  return {
    request_id,
    status: row.status,
    created_at: row.created_at.toISOString(),
    due_at: row.due_at.toISOString(),
  };
};

export const recordDsar: Handler<'recordDsar'> = async (context, request) => {
  const { environment, body, caller } = request;
  const { email = '', contact = null, channel, received_on } = body;
  const zone = environment.settings.time_zone;
  const request_id = newId();
  const created_at = timeOfId(request_id);
  checkArrival(body, dayOf(zone, created_at.getTime()));
  await refuseManyRecorded(request.trx, environment.id);
  const row = await store(context, request, environment, { request_id, created_at }, body, {
    ...{ channel, received_on, contact, email },
    due_at: dsarDueFrom(received_on, zone),
    history: withEntry([], caller, 'recorded', `${channel}, received on ${received_on}`),
  });
  return view(row, await sessionView(context, request));
};

/** Checks what a schema cannot express about a recorded request. Throws `ValidationError`. */
function checkArrival(body: { email?: string; contact?: string; received_on: string }, today: string): void {
  const { email, contact, received_on } = body;
  if (email === undefined && contact === undefined) {
    const message = 'is required unless contact says where to send the answer';
    throw ValidationError.of('body.email', message, 'required');
  }
  checkDay('received_on', received_on, today);
}

/** Throws `ValidationError` for a day that does not exist or has not come. */
function checkDay(field: string, day: string, today: string): void {
  const date = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day)
    throw ValidationError.of(`body.${field}`, 'must be a day that exists', 'format');
  if (day > today) throw ValidationError.of(`body.${field}`, 'must not be in the future', 'time');
}

/** The requests of a site that match a filter. */
function matching(db: Knex, { id: environment_id }: EnvironmentRow, filter: Filter) {
  const rows = DsarRow.query(db).where({ environment_id });
  if (filter.status !== undefined) rows.where({ status: filter.status });
  if (filter.request_type !== undefined) rows.where({ request_type: filter.request_type });
  if (filter.email !== undefined) rows.whereIn('email_key', emailKeys(filter.email));
  if (filter.open !== undefined) rows.where('status', filter.open ? '<>' : '=', 'resolved');
  const late = "status <> 'resolved' AND deadline < ?";
  if (filter.overdue !== undefined) rows.whereRaw(filter.overdue ? late : `NOT (${late})`, [clock.date()]);
  return between(rows, 'created_at', filter);
}

export const listDsar: Handler<'listDsar'> = async (context, request) => {
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  return readPage({
    query: matching(context.db, environment, query),
    order: [query.order === 'deadline' ? 'deadline' : 'created_at', 'request_id'],
    direction: query.order === 'deadline' ? 'asc' : 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => view(row, sessions),
  });
};

/** Of a CSV file. */
const COLUMNS: (keyof ReturnType<typeof view>)[] = [
  ...(['request_id', 'created_at', 'request_type', 'status', 'email', 'name', 'contact', 'channel'] as const),
  ...(['received_on', 'due_at', 'extended_until', 'extension_reason', 'overdue', 'resolved_at'] as const),
  ...(['resolution', 'resolution_note', 'message', 'session_id', 'language'] as const),
  ...(['possible_duplicate_of', 'history'] as const),
];

export const exportDsar: Handler<'exportDsar'> = async (context, request) => {
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  const { type, name, content } = await exportRecords(
    environment,
    query.format,
    () => matching(context.db, environment, query),
    {
      ...{ name: 'requests', order: ['created_at', 'request_id'], columns: COLUMNS },
      toItem: (row) => view(row, sessions),
    },
  );
  return new Download(type, name, content);
};

const where = (environment: EnvironmentRow, request_id: string) => ({
  environment_id: environment.id,
  request_id: request_id.toLowerCase(),
});

/**
 * Reads the request with a row lock, so that two operators who act at once are served one after the other.
 */
async function locked(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  request_id: string,
): Promise<DsarRow> {
  await nameSite(trx, environment.id);
  const row = await DsarRow.query(trx).findOne(where(environment, request_id)).forUpdate();
  if (row === undefined) throw notFound('This data-subject request');
  return row;
}

const save = async (trx: Knex.Transaction, row: DsarRow, patch: Partial<DsarRow>): Promise<DsarRow> =>
  row.$query(trx).patchAndFetch(patch);

export const getDsar: Handler<'getDsar'> = async (context, request) => {
  const { environment, params } = request;
  const row = await DsarRow.query(context.db).findOne(where(environment, params.request_id));
  if (row === undefined) throw notFound('This data-subject request');
  return view(row, await sessionView(context, request));
};

export const startDsar: Handler<'startDsar'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.request_id);
  if (row.status !== 'created')
    throw conflict(`The request is ${row.status}: only a created one can be started.`);
  return view(
    await save(trx, row, {
      status: 'in_progress',
      history: withEntry(row.history, caller, 'started', body?.note),
    }),
    await sessionView(context, request),
  );
};

/** The zone by which a request's deadline was set: a later one of the site would move the end of its last day. */
async function zoneAtReceipt(
  trx: Knex.Transaction,
  { environment_id, created_at }: DsarRow,
  { settings }: EnvironmentRow,
): Promise<string> {
  const version = await SettingsVersionRow.query(trx)
    .where({ environment_id })
    .where('created_at', '<=', created_at)
    .orderBy('version', 'desc')
    .first();
  return (version?.settings.time_zone as string | undefined) ?? settings.time_zone;
}

export const extendDsar: Handler<'extendDsar'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.request_id);
  if (row.status === 'resolved')
    throw conflict('The request is resolved: its deadline cannot be extended any more.');
  if (row.extended_until !== null) {
    throw conflict(
      `The request is ${row.status} and was extended already: that is possible once (GDPR Art. 12(3)).`,
    );
  }
  const time_zone = await zoneAtReceipt(trx, row, environment);
  const { reason, told_on } = body;
  const today = dayOf(time_zone, clock.now());
  if (told_on !== undefined) {
    checkDay('told_on', told_on, today);
    if (told_on < (row.received_on ?? dayOf(time_zone, row.created_at.getTime())))
      throw ValidationError.of('body.told_on', 'must not be before the request was received', 'time');
  }
  // Otherwise an extension would make a late answer one in time.
  const lastDay = dayOf(time_zone, row.due_at.getTime());
  if (told_on === undefined ? clock.date() > row.due_at : told_on > lastDay) {
    throw conflict(
      `The deadline ended on ${lastDay}: the data subject must be told of an extension before (GDPR Art. 12(3)). If that was done, say when in told_on; otherwise answer now.`,
    );
  }
  const patch = { extended_until: dsarExtendedUntil(row.due_at, time_zone), extension_reason: reason };
  const note = told_on === undefined ? reason : `${reason} (told on ${told_on})`;
  const history = withEntry(row.history, caller, 'extended', note);
  return view(await save(trx, row, { ...patch, history }), await sessionView(context, request));
};

export const resolveDsar: Handler<'resolveDsar'> = async (context, request) => {
  const { environment, params, body, caller, trx } = request;
  const row = await locked(trx, environment, params.request_id);
  if (row.status === 'resolved') throw conflict('The request is resolved already: nothing is left to do.');
  const resolved = await save(trx, row, {
    status: 'resolved',
    resolved_at: clock.date(),
    resolution: body.resolution,
    resolution_note: body.note ?? null,
    history: withEntry(row.history, caller, `resolved: ${body.resolution}`, body.note),
  });
  await emit(context, request, dsarResolved(environment, resolved));
  return view(resolved, await sessionView(context, request));
};
