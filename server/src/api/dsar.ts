import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { DsarRow, EnvironmentRow } from '../db/models';
import { dsarDueAt, dsarExtendedUntil } from '../domain/deadlines';
import { newId, timeOfId } from '../domain/ids';
import { conflict, notFound } from '../errors';
import { emit } from '../webhooks/outbox';
import { dsarCreated, dsarResolved } from '../webhooks/payloads';
import { emailKey } from './accounts';
import type { Handler } from './handler';
import { noted } from './history';
import { readPage, SHAPE_TIME, SHAPE_UUID } from './paging';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
function view(row: DsarRow) {
  return {
    request_id: row.request_id,
    request_type: row.request_type,
    email: row.email,
    name: row.name,
    message: row.message,
    session_id: row.session_id,
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
    overdue: row.status !== 'resolved' && row.deadline < new Date(),
    history: row.history,
  };
}

export const submitDsar: Handler<operations['submitDsar']> = async (
  context,
  { site, body, trx, afterCommit },
) => {
  const request_id = newId();
  const created_at = timeOfId(request_id);
  const { email, request_type } = body;
  const email_key = emailKey(email);
  const earlier = await DsarRow.query(trx)
    .where({ environment_id: site.id, email_key, request_type })
    .orderBy('created_at', 'desc')
    .first();
  const row = await DsarRow.query(trx).insertAndFetch({
    environment_id: site.id,
    request_id,
    request_type,
    email,
    email_key,
    name: body.name ?? null,
    message: body.message ?? null,
    session_id: body.session_id?.toLowerCase() ?? null,
    language: body.language ?? site.settings.default_language,
    status: 'created',
    created_at,
    due_at: dsarDueAt(created_at),
    possible_duplicate_of: earlier?.request_id ?? null,
    history: noted([], undefined, 'created'),
  });
  const environment = await EnvironmentRow.query(trx).findById(site.id).throwIfNotFound();
  const webhooks = await emit(trx, dsarCreated(environment, row));
  afterCommit(() => context.wake(webhooks));
  return {
    request_id,
    status: row.status,
    created_at: row.created_at.toISOString(),
    due_at: row.due_at.toISOString(),
  };
};

export const listDsar: Handler<operations['listDsar']> = async ({ db }, { environment, query }) => {
  const rows = DsarRow.query(db).where({ environment_id: environment.id });
  if (query.status !== undefined) rows.where({ status: query.status });
  if (query.request_type !== undefined) rows.where({ request_type: query.request_type });
  if (query.email !== undefined) rows.where({ email_key: emailKey(query.email) });
  if (query.open !== undefined) rows.where('status', query.open ? '<>' : '=', 'resolved');
  const late = "status <> 'resolved' AND deadline < ?";
  if (query.overdue !== undefined) rows.whereRaw(query.overdue ? late : `NOT (${late})`, [new Date()]);
  return readPage({
    query: rows,
    order: [query.order === 'deadline' ? 'deadline' : 'created_at', 'request_id'],
    direction: query.order === 'deadline' ? 'asc' : 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: view,
  });
};

const where = (environment: EnvironmentRow, request_id: string) => ({
  environment_id: environment.id,
  request_id: request_id.toLowerCase(),
});

/** The request under a lock: two operators who act at once are served one after the other. */
async function locked(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  request_id: string,
): Promise<DsarRow> {
  const row = await DsarRow.query(trx).findOne(where(environment, request_id)).forUpdate();
  if (row === undefined) throw notFound('This data-subject request');
  return row;
}

const save = async (trx: Knex.Transaction, row: DsarRow, patch: Partial<DsarRow>): Promise<DsarRow> =>
  row.$query(trx).patchAndFetch(patch);

export const getDsar: Handler<operations['getDsar']> = async ({ db }, { environment, params }) => {
  const row = await DsarRow.query(db).findOne(where(environment, params.request_id));
  if (row === undefined) throw notFound('This data-subject request');
  return view(row);
};

export const startDsar: Handler<operations['startDsar']> = async (
  _context,
  { environment, params, body, caller, trx },
) => {
  const row = await locked(trx, environment, params.request_id);
  if (row.status !== 'created')
    throw conflict(`The request is ${row.status}: only a created one can be started.`);
  return view(
    await save(trx, row, {
      status: 'in_progress',
      history: noted(row.history, caller, 'started', body?.note),
    }),
  );
};

export const extendDsar: Handler<operations['extendDsar']> = async (
  _context,
  { environment, params, body, caller, trx },
) => {
  const row = await locked(trx, environment, params.request_id);
  if (row.status === 'resolved')
    throw conflict('The request is resolved: its deadline cannot be extended any more.');
  if (row.extended_until !== null) {
    throw conflict(
      `The request is ${row.status} and was extended already: that is possible once (GDPR Art. 12(3)).`,
    );
  }
  const patch = { extended_until: dsarExtendedUntil(row.due_at), extension_reason: body.reason };
  return view(
    await save(trx, row, { ...patch, history: noted(row.history, caller, 'extended', body.reason) }),
  );
};

export const resolveDsar: Handler<operations['resolveDsar']> = async (context, request) => {
  const { environment, params, body, caller, trx, afterCommit } = request;
  const row = await locked(trx, environment, params.request_id);
  if (row.status === 'resolved') throw conflict('The request is resolved already: nothing is left to do.');
  const resolved = await save(trx, row, {
    status: 'resolved',
    resolved_at: new Date(),
    resolution: body.resolution,
    resolution_note: body.note ?? null,
    history: noted(row.history, caller, `resolved: ${body.resolution}`, body.note),
  });
  const webhooks = await emit(trx, dsarResolved(environment, resolved));
  afterCommit(() => context.wake(webhooks));
  return view(resolved);
};
