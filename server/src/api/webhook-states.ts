import type { Knex } from 'knex';
import { raw } from 'objection';
import type { Context } from '../context';
import { databaseTime } from '../db/clock';
import { DeliveryRow, type WebhookRow } from '../db/models';
import { MAX_FAILURES } from '../domain/delivery-rules';
import { conflict } from '../domain/errors';
import type { Change } from '../events/outbox';
import { lockWebhook } from '../services/find-webhook';
import { stateOf, viewWebhook } from '../services/webhook-view';
import { countSpans, MAX_SPANS, missEvents, missNoMore } from '../webhooks/missed-spans';
import type { Handler, OfMember } from './handler';

export const reactivateWebhook: Handler<'reactivateWebhook'> = async (context, request) => {
  const row = await lockWebhook(request.trx, request.environment, request.params.webhook_id);
  const state = stateOf(row);
  if (state === 'active') throw conflict('The webhook is already active: nothing is left to do.');
  if (state === 'paused') throw conflict('The webhook is paused: resume it to send its deliveries.');
  return goOn(context, request, row);
};

export const pauseWebhook: Handler<'pauseWebhook'> = async (
  context,
  { environment, params, role, trx, afterCommit },
) => {
  const row = await lockWebhook(trx, environment, params.webhook_id);
  const state = stateOf(row);
  if (state === 'disabled')
    throw conflict('The webhook is disabled: nothing is sent to it until it is reactivated.');
  if (state === 'paused') throw conflict('The webhook is already paused: nothing is left to do.');
  const now = await databaseTime(trx);
  await missEvents(trx, row);
  if ((await countSpans(trx, row)) > MAX_SPANS)
    throw conflict(
      `The webhook was paused, or its events were changed meanwhile, ${MAX_SPANS} times, and what it missed is not all sent yet: wait until its held deliveries are sent, then pause it.`,
    );
  const paused = await row.$query(trx).patchAndFetch({ paused_at: now, updated_at: now });
  afterCommit(() => context.sites.forget(environment.token));
  return viewWebhook(trx, paused, role);
};

export const resumeWebhook: Handler<'resumeWebhook'> = async (context, request) => {
  const row = await lockWebhook(request.trx, request.environment, request.params.webhook_id);
  const state = stateOf(row);
  if (state === 'disabled') throw conflict('The webhook is disabled: reactivate it instead.');
  if (state !== 'paused') throw conflict('The webhook is not paused: nothing is left to do.');
  return goOn(context, request, row);
};

/** Sends what was held, what was never tried first, each oldest first, and resets the failures. */
async function goOn(
  context: Context,
  { environment, role, trx, afterCommit }: OfMember & Change,
  row: WebhookRow,
) {
  const now = await databaseTime(trx);
  await takeUpTried(trx, row);
  await missNoMore(trx, row);
  // Attempts in flight belong to the reset failures; only those that begin later count.
  const cleared = { retry_at: null, disabled_at: null, disabled_reason: null, last_counted_at: now };
  const updated = await row.$query(trx).patchAndFetch({
    ...cleared,
    status: 'active',
    paused_at: null,
    consecutive_failures: 0,
    reactivated_at: now,
    updated_at: now,
  });
  afterCommit(() => {
    context.sites.forget(environment.token);
    context.dispatcher.choresSoon();
    context.wake([row]);
  });
  return viewWebhook(trx, updated, role);
}

/**
 * What had been tried is due at once, and keeps one attempt at least, so that it goes behind what never was: a receiver
 * that refuses some events would otherwise be asked for these alone, and be disabled by them again. It gets the four
 * others anew, unless the webhook was disabled and its receiver has taken something since this occurred: then it may be
 * this one that is refused, and it goes on where it was, with one attempt left at least. A pause says nothing of that.
 */
async function takeUpTried(
  trx: Knex,
  { environment_id, webhook_id, last_success_at, status }: WebhookRow,
): Promise<void> {
  const attempts = 'CASE WHEN created_at < ?::timestamptz THEN least(attempts, ?) ELSE 1 END';
  const values = [status === 'disabled' ? last_success_at : null, MAX_FAILURES - 1];
  await DeliveryRow.query(trx)
    .where({ environment_id, webhook_id, state: 'pending' })
    .where('attempts', '>', 0)
    // Once it is so, another time costs nothing.
    .whereRaw(`(due_at, attempts) IS DISTINCT FROM (created_at, ${attempts})`, values)
    .patch({ attempts: raw(attempts, values), due_at: raw('created_at') });
}
