import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import type { Context } from '../context';
import { refuseManyRecorded } from '../db/daily-limits';
import { nameSite } from '../db/find-settled-time';
import { sealDsar } from '../db/ledger/steps';
import { DsarRow, EnvironmentRow } from '../db/models';
import { between, readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { dayOf } from '../domain/calendar';
import { clock } from '../domain/clock';
import { dsarDueAt, dsarDueFrom } from '../domain/deadlines';
import { emailKey, emailKeys } from '../domain/email-keys';
import { notFound, ValidationError } from '../domain/errors';
import { withEntry } from '../domain/history';
import { newId, timeOfId } from '../domain/ids';
import { DAY_MS } from '../domain/time';
import { type Change, emit } from '../events/outbox';
import { dsarCreated } from '../events/payloads';
import { dsarProof } from '../services/dsar-proof';
import { checkDay, dsarKey, dsarView } from '../services/dsar-view';
import { mailReceived } from '../services/mail/requester-mails';
import { exportRecords } from '../services/record-export';
import { sessionView } from '../services/session-view';
import { Download, type Handler, type OfMember } from './handler';

type Filter = Omit<NonNullable<operations['exportDsar']['parameters']['query']>, 'format'>;
type SubmitBody = operations['submitDsar']['requestBody']['content']['application/json'];

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
  await sealDsar(trx, row);
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
  await mailReceived(context.mail, trx, environment, row, request);
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
  await refuseManyRecorded(request.trx, environment.id, request);
  const row = await store(context, request, environment, { request_id, created_at }, body, {
    ...{ channel, received_on, contact, email },
    due_at: dsarDueFrom(received_on, zone),
    history: withEntry([], caller, 'recorded', `${channel}, received on ${received_on}`),
  });
  return dsarView(context, row, await sessionView(context, request), environment);
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

/** The requests of a site that match a filter. */
function matching(
  db: Knex,
  { environment: { id: environment_id }, caller }: Pick<OfMember, 'environment' | 'caller'>,
  filter: Filter,
) {
  const rows = DsarRow.query(db).where({ environment_id });
  if (filter.assignee !== undefined) rows.where({ assignee_id: assigneeId(filter.assignee, caller.userId) });
  if (filter.status !== undefined) rows.where({ status: filter.status });
  if (filter.request_type !== undefined) rows.where({ request_type: filter.request_type });
  if (filter.email !== undefined) rows.whereIn('email_key', emailKeys(filter.email));
  if (filter.due_within !== undefined)
    rows
      .whereNot({ status: 'resolved' })
      .where('deadline', '>=', clock.date())
      .where('deadline', '<', new Date(clock.now() + filter.due_within * DAY_MS));
  between(rows, 'deadline', { from: filter.due_after, to: filter.due_before });
  if (filter.open !== undefined) rows.where('status', filter.open ? '<>' : '=', 'resolved');
  const late = "status <> 'resolved' AND deadline < ?";
  if (filter.overdue !== undefined) rows.whereRaw(filter.overdue ? late : `NOT (${late})`, [clock.date()]);
  return between(rows, 'created_at', filter);
}

/** Whom a filter names; null: nobody. */
function assigneeId(assignee: string, callerId: number): number | null {
  if (assignee === 'nobody') return null;
  return assignee === 'me' ? callerId : Number(assignee);
}

export const listDsar: Handler<'listDsar'> = async (context, request) => {
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  return readPage({
    query: matching(context.db, request, query),
    order: [query.order === 'deadline' ? 'deadline' : 'created_at', 'request_id'],
    direction: query.order === 'deadline' ? 'asc' : 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => dsarView(context, row, sessions, environment),
  });
};

/** Of a CSV file. */
const COLUMNS: (keyof ReturnType<typeof dsarView>)[] = [
  ...(['request_id', 'created_at', 'request_type', 'status', 'email', 'name', 'contact', 'channel'] as const),
  ...(['received_on', 'due_at', 'extended_until', 'extension_reason', 'overdue', 'resolved_at'] as const),
  ...(['resolution', 'resolution_note', 'message', 'session_id', 'language'] as const),
  ...(['possible_duplicate_of', 'email_verified_at', 'disowned_at', 'identification', 'assignee'] as const),
  'history',
];

export const exportDsar: Handler<'exportDsar'> = async (context, request) => {
  const { environment, query } = request;
  const sessions = await sessionView(context, request);
  const { type, name, content } = await exportRecords(
    environment,
    query.format,
    () => matching(context.db, request, query),
    {
      ...{ name: 'requests', order: ['created_at', 'request_id'], columns: COLUMNS },
      toItem: (row) => {
        const item = dsarView(context, row, sessions, environment);
        // A cell holds one thing.
        return query.format === 'csv' ? { ...item, assignee: item.assignee?.email ?? null } : item;
      },
    },
  );
  return new Download(type, name, content);
};

export const getDsar: Handler<'getDsar'> = async (context, request) => {
  const { environment, params } = request;
  const row = await DsarRow.query(context.db).findOne(dsarKey(environment, params.request_id));
  if (row === undefined) throw notFound('This data-subject request');
  return dsarProof(context, environment, row, await sessionView(context, request));
};
