import type { Knex } from 'knex';
import type { Context } from '../context';
import { databaseTime } from '../db/clock';
import {
  DeletedWebhookRow,
  DeliveryRow,
  EnvironmentRow,
  MissedSpanRow,
  RedeliveryRow,
  WebhookRow,
} from '../db/models';
import { readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { clock } from '../domain/clock';
import { keepFromOthers } from '../domain/custom-headers';
import { conflict, rateLimited } from '../domain/errors';
import { newId, timeOfId } from '../domain/ids';
import { HOUR_MS } from '../domain/time';
import type { EventName } from '../domain/types';
import type { Change } from '../events/outbox';
import { findWebhook, lockWebhook } from '../services/find-webhook';
import { refuseManyOfVisitors } from '../services/visitor-webhooks';
import { auditedWebhook, webhookChanges } from '../services/webhook-changes';
import { viewWebhook, whereState } from '../services/webhook-view';
import { changedHeaders } from '../webhooks/custom-headers';
import { countSpans, MAX_SPANS, missOtherEvents } from '../webhooks/missed-spans';
import { newSecret } from '../webhooks/signature';
import type { Handler, OfMember } from './handler';

const DEFAULT_OVERLAP_HOURS = 24;
/**
 * The maximum number of webhooks of one environment: each may get every event, and deliveries for a group of
 * visitors are stored in one statement.
 */
const MAX_WEBHOOKS = 100;

/** Deleted ones whose deliveries are still being deleted: each is looked at again until nobody stores any more for it. */
const MAX_DELETED = 200;
/** When some of them are gone, in seconds. */
const DELETED_SOON = 60;

const toEvents = (events: '*' | EventName[]): string[] => (events === '*' ? ['*'] : events);

/**
 * Every process caches subscriptions. Touching the environment makes the others read it again; this process
 * does so at once.
 */
async function announce(
  { environment, trx, afterCommit }: OfMember & Change,
  forget: (token: string) => void,
): Promise<void> {
  await EnvironmentRow.query(trx).findById(environment.id).patch({ updated_at: clock.date() });
  afterCommit(() => forget(environment.token));
}

export const listWebhooks: Handler<'listWebhooks'> = async ({ db }, { environment, query, role }) => {
  const rows = WebhookRow.query(db).where({ environment_id: environment.id });
  if (query.status !== undefined) whereState(rows, query.status);
  return readPage({
    query: rows,
    order: ['created_at', 'webhook_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => viewWebhook(db, row, role),
  });
};

export const getWebhook: Handler<'getWebhook'> = async ({ db }, { environment, params, role }) =>
  viewWebhook(db, await findWebhook(db, environment, params.webhook_id), role);

export const createWebhook: Handler<'createWebhook'> = async (context, request) => {
  const { environment, body, role, trx, caller } = request;
  // Locked, so that several at once keep the limit; visitors' records, which refer to the row, do not wait.
  await EnvironmentRow.query(trx).findById(environment.id).forNoKeyUpdate();
  const existing = await WebhookRow.query(trx).where({ environment_id: environment.id }).resultSize();
  if (existing >= MAX_WEBHOOKS)
    throw conflict(
      `A site has at most ${MAX_WEBHOOKS} webhooks: delete one that is not needed, then try again.`,
    );
  const events = toEvents(body.events);
  await refuseManyOfVisitors(trx, environment.id, context.config.visitorWebhooksPerSite, { events });
  const deleted = await DeletedWebhookRow.query(trx).where({ environment_id: environment.id }).resultSize();
  if (deleted >= MAX_DELETED)
    throw rateLimited(
      DELETED_SOON,
      `The deliveries of ${deleted} deleted webhooks of this site are still being deleted: try again in a minute. If it lasts, whoever runs the server looks for 'could not be deleted' in its log.`,
    );
  const webhook_id = newId();
  const secret = newSecret();
  const now = timeOfId(webhook_id);
  const row = await WebhookRow.query(trx).insertAndFetch({
    webhook_id,
    environment_id: environment.id,
    url: body.url,
    events,
    method: body.method ?? 'POST',
    description: body.description ?? null,
    secret: context.vault.seal(secret),
    ...changedHeaders(context.vault, { headers: null }, body.headers ?? {}),
    status: 'active',
    consecutive_failures: 0,
    created_by: caller.userId,
    created_with: caller.key?.id ?? null,
    created_at: now,
    updated_at: now,
  });
  await announce(request, (token) => context.sites.forget(token));
  request.audit.note({ changes: webhookChanges(undefined, auditedWebhook(row)) });
  return { ...(await viewWebhook(trx, row, role)), secret };
};

export const updateWebhook: Handler<'updateWebhook'> = async (context, request) => {
  const { environment, params, body, role, trx, caller } = request;
  const row = await lockWebhook(trx, environment, params.webhook_id);
  const { events, headers, ...fields } = body;
  keepFromOthers(row, body);
  const before = auditedWebhook(row);
  if (events !== undefined) await changeSubscription(context, trx, row, toEvents(events));
  const updated = await row.$query(trx).patchAndFetch({
    ...fields,
    ...(events === undefined ? {} : { events: toEvents(events) }),
    ...(headers === undefined ? {} : changedHeaders(context.vault, row, headers)),
    changed_by: caller.userId,
    updated_at: clock.date(),
  });
  await announce(request, (token) => context.sites.forget(token));
  request.audit.note({ changes: webhookChanges(before, auditedWebhook(updated), headers) });
  return viewWebhook(trx, updated, role);
};

/** While it is paused or disabled, what occurred before keeps the subscription it had. */
async function changeSubscription(
  { config }: Context,
  trx: Knex,
  row: WebhookRow,
  events: string[],
): Promise<void> {
  await missOtherEvents(trx, row, events);
  // Behind it: this locks the environment, which those who pause and resume lock last, too.
  const max = config.visitorWebhooksPerSite;
  await refuseManyOfVisitors(trx, row.environment_id, max, { events, before: row });
  if ((await countSpans(trx, row)) > MAX_SPANS)
    throw conflict(
      `This webhook was paused, or its events were changed while it was paused or disabled, ${MAX_SPANS} times: resume or reactivate it, and wait until its held deliveries are sent, before you change its events again.`,
    );
}

export const deleteWebhook: Handler<'deleteWebhook'> = async (context, request) => {
  const { environment, params, trx } = request;
  const row = await lockWebhook(trx, environment, params.webhook_id);
  const { webhook_id } = row;
  request.audit.note({ changes: webhookChanges(auditedWebhook(row), undefined) });
  const environment_id = environment.id;
  const now = await databaseTime(trx);
  // Its deliveries may be millions: they are deleted in parts, and from now on nobody can read them.
  await DeletedWebhookRow.query(trx).insert({
    ...{ environment_id, webhook_id, deleted_at: now },
    ...{ after_at: new Date(0), advanced_at: now },
  });
  // The few on their way go now, so that their results are written nowhere.
  await DeliveryRow.query(trx)
    .delete()
    .where({ environment_id, webhook_id, state: 'pending' })
    .whereNotNull('lease_until')
    .whereNotNull('lease');
  await MissedSpanRow.query(trx).delete().where({ environment_id, webhook_id });
  await RedeliveryRow.query(trx).delete().where({ environment_id, webhook_id });
  await row.$query(trx).delete();
  await announce(request, (token) => context.sites.forget(token));
  request.afterCommit(() => context.dispatcher.choresSoon());
  return { webhook_id };
};

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async (context, request) => {
  const { environment, params, body, role, trx, caller } = request;
  const row = await lockWebhook(trx, environment, params.webhook_id);
  const now = clock.date();
  const overlap = (body?.overlap_hours ?? DEFAULT_OVERLAP_HOURS) * HOUR_MS;
  const running = row.next_secret_from !== null && row.next_secret_from > now;
  if (running && overlap > 0) {
    throw conflict(
      `The secret was changed a short while ago, and until ${row.next_secret_from?.toISOString()} the old one signs beside the new one: change it after that, or change it now and end both at once (overlap_hours 0).`,
    );
  }
  const secret = newSecret();
  const sealed = context.vault.seal(secret);
  // After the overlap of a rotation the next secret is the current one.
  const present = row.next_secret !== null && !running ? row.next_secret : row.secret;
  // What cannot be opened cannot sign beside the new one.
  const patch =
    overlap === 0 || !context.vault.opens(present)
      ? { secret: sealed, next_secret: null, next_secret_from: null }
      : { secret: present, next_secret: sealed, next_secret_from: new Date(now.getTime() + overlap) };
  const changed = { unsendable_since: null, changed_by: caller.userId, updated_at: now };
  const updated = await row.$query(trx).patchAndFetch({ ...patch, ...changed });
  return { ...(await viewWebhook(trx, updated, role)), secret };
};
