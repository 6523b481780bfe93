import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { databaseTime } from '../db/clock';
import { DeliveryRow, EnvironmentRow, WebhookRow } from '../db/models';
import { newId, timeOfId } from '../domain/ids';
import type { EventName } from '../domain/types';
import { conflict, notFound } from '../errors';
import { vetUrl } from '../webhooks/guard';
import { newSecret } from '../webhooks/signature';
import type { Handler, Surroundings } from './handler';
import { readPage, SHAPE_TIME, SHAPE_UUID } from './paging';
import { viewWebhook } from './webhook-view';

const HOUR = 3_600_000;
const DEFAULT_OVERLAP_HOURS = 24;
/** Webhooks of one environment, at most: each of them may get every event, and a group of visitors' events is stored at once. */
const MAX_WEBHOOKS = 100;

const toEvents = (events: '*' | EventName[]): string[] => (events === '*' ? ['*'] : events);

/** The webhook under a lock. Throws 404. */
export async function lockedWebhook(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  webhook_id: string,
): Promise<WebhookRow> {
  const row = await WebhookRow.query(trx)
    .findOne({ environment_id: environment.id, webhook_id: webhook_id.toLowerCase() })
    .forNoKeyUpdate();
  if (row === undefined) throw notFound('This webhook');
  return row;
}

/** Visitors' processes keep subscriptions in memory: a newer environment makes them read again, this process at once. */
async function announce(
  { environment, trx, afterCommit }: Surroundings,
  forget: (token: string) => void,
): Promise<void> {
  await EnvironmentRow.query(trx).findById(environment.id).patch({ updated_at: new Date() });
  afterCommit(() => forget(environment.token));
}

export const listWebhooks: Handler<operations['listWebhooks']> = async ({ db }, { environment, query }) => {
  const rows = WebhookRow.query(db).where({ environment_id: environment.id });
  if (query.status !== undefined) rows.where({ status: query.status });
  return readPage({
    query: rows,
    order: ['created_at', 'webhook_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => viewWebhook(db, row),
  });
};

export const getWebhook: Handler<operations['getWebhook']> = async ({ db }, { environment, params }) => {
  const row = await WebhookRow.query(db).findOne({
    environment_id: environment.id,
    webhook_id: params.webhook_id.toLowerCase(),
  });
  if (row === undefined) throw notFound('This webhook');
  return viewWebhook(db, row);
};

export const createWebhook: Handler<operations['createWebhook']> = async (context, request) => {
  const { environment, body, trx } = request;
  await vetUrl(body.url, context.networkPolicy);
  const existing = await WebhookRow.query(trx).where({ environment_id: environment.id }).resultSize();
  if (existing >= MAX_WEBHOOKS)
    throw conflict(
      `A site has at most ${MAX_WEBHOOKS} webhooks: delete one that is not needed, then try again.`,
    );
  const webhook_id = newId();
  const secret = newSecret();
  const now = timeOfId(webhook_id);
  const row = await WebhookRow.query(trx).insertAndFetch({
    webhook_id,
    environment_id: environment.id,
    url: body.url,
    events: toEvents(body.events),
    method: body.method ?? 'POST',
    description: body.description ?? null,
    secret: context.vault.seal(secret),
    status: 'active',
    consecutive_failures: 0,
    created_at: now,
    updated_at: now,
  });
  await announce(request, (token) => context.sites.forget(token));
  return { ...(await viewWebhook(trx, row)), secret };
};

export const updateWebhook: Handler<operations['updateWebhook']> = async (context, request) => {
  const { environment, params, body, trx } = request;
  if (body.url !== undefined) await vetUrl(body.url, context.networkPolicy);
  const row = await lockedWebhook(trx, environment, params.webhook_id);
  const { events, ...fields } = body;
  const updated = await row.$query(trx).patchAndFetch({
    ...fields,
    ...(events === undefined ? {} : { events: toEvents(events) }),
    updated_at: new Date(),
  });
  await announce(request, (token) => context.sites.forget(token));
  return viewWebhook(trx, updated);
};

export const deleteWebhook: Handler<operations['deleteWebhook']> = async (context, request) => {
  const { environment, params, trx } = request;
  const row = await lockedWebhook(trx, environment, params.webhook_id);
  await DeliveryRow.query(trx).delete().where({ environment_id: environment.id, webhook_id: row.webhook_id });
  await row.$query(trx).delete();
  await announce(request, (token) => context.sites.forget(token));
  return { webhook_id: row.webhook_id };
};

export const reactivateWebhook: Handler<operations['reactivateWebhook']> = async (context, request) => {
  const { environment, params, trx, afterCommit } = request;
  const row = await lockedWebhook(trx, environment, params.webhook_id);
  if (row.status === 'active')
    throw conflict('The webhook is active already and gets its deliveries: nothing is left to do.');
  const now = await databaseTime(trx);
  // Five new attempts for each; the oldest goes first, and the next one after its answer. Most were never tried and stay as they are.
  await DeliveryRow.query(trx)
    .where({ environment_id: environment.id, webhook_id: row.webhook_id, state: 'pending' })
    .where('attempts', '>', 0)
    .patch({ attempts: 0, due_at: now });
  // What is still in flight belongs to the failures that are forgiven: it counts only if it began after this moment.
  const cleared = { retry_at: null, disabled_at: null, disabled_reason: null, last_counted_at: now };
  const updated = await row.$query(trx).patchAndFetch({
    ...cleared,
    status: 'active',
    consecutive_failures: 0,
    reactivated_at: now,
    updated_at: now,
  });
  afterCommit(() => context.wake([row.webhook_id]));
  return viewWebhook(trx, updated);
};

export const rotateWebhookSecret: Handler<operations['rotateWebhookSecret']> = async (context, request) => {
  const { environment, params, body, trx } = request;
  const row = await lockedWebhook(trx, environment, params.webhook_id);
  const now = new Date();
  const overlap = (body?.overlap_hours ?? DEFAULT_OVERLAP_HOURS) * HOUR;
  const running = row.next_secret_from !== null && row.next_secret_from > now;
  if (running && overlap > 0) {
    throw conflict(
      `The secret was changed a short while ago, and until ${row.next_secret_from?.toISOString()} the old one signs beside the new one: change it after that, or change it now and end both at once (overlap_hours 0).`,
    );
  }
  const secret = newSecret();
  const sealed = context.vault.seal(secret);
  // A rotation that has run out has made the next secret the present one.
  const present = row.next_secret !== null && !running ? row.next_secret : row.secret;
  const patch =
    overlap === 0
      ? { secret: sealed, next_secret: null, next_secret_from: null }
      : { secret: present, next_secret: sealed, next_secret_from: new Date(now.getTime() + overlap) };
  const updated = await row.$query(trx).patchAndFetch({ ...patch, updated_at: now });
  return { ...(await viewWebhook(trx, updated)), secret };
};
