import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import { findSettledTime } from '../db/find-settled-time';
import { DeliveryRow, MissedSpanRow, type WebhookKey, WebhookRow } from '../db/models';
import { type Missed, nextMissed } from '../db/read-missed';
import { newId } from '../domain/ids';
import { completeUntil, firstSpan, missEvents, missNoMore, missOtherEvents } from './missed-spans';
import { doInTurns, ENDING, type Failures, type Part, type Round, SiteWalk } from './turns';

/** Events that become deliveries in one transaction, so that no lock is held for long. */
const PART = 500;

const HOLDS = "(w.status = 'disabled' OR w.paused_at IS NOT NULL)";
/** Of webhooks that are sent to: what they have missed. Of the others: those that this is not noted of yet. */
const WAITING = `
  SELECT * FROM (
    SELECT w.environment_id, w.webhook_id, min(s.advanced_at) AS advanced_at
    FROM webhooks w JOIN missed_spans s ON s.environment_id = w.environment_id AND s.webhook_id = w.webhook_id
    WHERE NOT ${HOLDS} AND w.environment_id > :after GROUP BY w.environment_id, w.webhook_id
    UNION ALL
    SELECT w.environment_id, w.webhook_id, '1970-01-01'::timestamptz AS advanced_at
    FROM webhooks w LEFT JOIN missed_spans s
      ON s.environment_id = w.environment_id AND s.webhook_id = w.webhook_id AND s.to_version IS NULL
    WHERE ${HOLDS} AND (s.webhook_id IS NULL OR s.events <> w.events) AND w.environment_id > :after
  ) AS waiting ORDER BY environment_id, advanced_at LIMIT :most`;

type Waiting = WebhookKey & { advanced_at: Date };

/**
 * Makes deliveries of what webhooks missed while they were paused or disabled, a part for each group of accounts.
 * Any number of processes may do so at once: one of them serves a webhook. Also notes who was disabled since the last
 * look, or changed by a process of a version that keeps no such notes.
 */
export async function catchUp(
  db: Knex,
  hasTime: () => boolean = () => true,
  failures: Failures = ENDING,
  walk = new SiteWalk(),
): Promise<Round<WebhookKey>> {
  const waiting = await walk.next(
    async (after, most) => (await db.raw<{ rows: Waiting[] }>(WAITING, { after, most })).rows,
  );
  const round = await doInTurns(db, waiting, hasTime, (row) => advance(db, row), failures);
  return { ...round, more: walk.goesOn(round.more) };
}

const NOTHING: Part<WebhookKey> = { done: [], more: false };

/** Undefined while another process has the webhook. */
function advance(
  db: Knex,
  { environment_id, webhook_id }: WebhookKey,
): Promise<Part<WebhookKey> | undefined> {
  return db.transaction(async (trx) => {
    // Under its lock nobody pauses it, claims for it, or does the same part.
    const webhook = await WebhookRow.query(trx)
      .findById([environment_id, webhook_id])
      .forNoKeyUpdate()
      .skipLocked();
    if (webhook === undefined) return undefined;
    if (webhook.status === 'disabled' || webhook.paused_at !== null) return note(trx, webhook);
    return catchUpOne(trx, webhook);
  });
}

async function note(trx: Knex.Transaction, webhook: WebhookRow): Promise<Part<WebhookKey>> {
  await missOtherEvents(trx, webhook, webhook.events);
  await missEvents(trx, webhook);
  return { done: [], more: true };
}

async function catchUpOne(trx: Knex.Transaction, webhook: WebhookRow): Promise<Part<WebhookKey>> {
  const span = await firstSpan(trx, webhook);
  if (span === undefined) return NOTHING;
  if (span.to_version === null) {
    await missNoMore(trx, webhook);
    return { done: [], more: true };
  }
  const now = await databaseTime(trx);
  const change = (patch: Partial<MissedSpanRow>) =>
    MissedSpanRow.query(trx)
      .findById([span.environment_id, span.webhook_id, span.from_version])
      .patch({ ...patch, advanced_at: now });
  const seen_closed_at = span.seen_closed_at ?? now;
  const settled = span.settled || (await findSettledTime(trx, webhook.environment_id)) >= seen_closed_at;
  if (!settled || (await hasEnough(trx, webhook, completeUntil(span)))) {
    await change({ seen_closed_at, settled });
    return NOTHING;
  }
  const missed = await nextMissed(trx, span, PART);
  if (missed.length > 0) await trx('deliveries').insert(missed.map(deliveryTo(webhook)));
  const last = missed.at(-1);
  if (last === undefined || missed.length < PART) await span.$query(trx).delete();
  else
    await change({
      ...{ seen_closed_at, settled, read_version: last.version, read_id: last.event_id },
      read_at: last.occurred_at as unknown as Date,
    });
  return { done: [webhook], more: true };
}

/** What goes out now is enough for a while: a receiver that fails again leaves the rest as it is. */
async function hasEnough(
  trx: Knex,
  { environment_id, webhook_id }: WebhookKey,
  until: Date,
): Promise<boolean> {
  const waiting = await DeliveryRow.query(trx)
    .where({ environment_id, webhook_id, state: 'pending', attempts: 0 })
    .where('created_at', '<=', until)
    .orderBy(['created_at', 'delivery_id'])
    .select('delivery_id')
    .limit(PART);
  return waiting.length === PART;
}

/** Dated by the event, like one that was stored with it. */
const deliveryTo =
  ({ environment_id, webhook_id }: WebhookKey) =>
  ({ event_id, event, occurred_at }: Missed) => ({
    ...{ environment_id, webhook_id, event_id, event },
    delivery_id: newId(),
    event_at: occurred_at,
    kind: 'event' as const,
    state: 'pending' as const,
    attempts: 0,
    due_at: occurred_at,
    created_at: occurred_at,
  });
