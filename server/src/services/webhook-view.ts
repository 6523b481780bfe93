import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { DeliveryRow, EventRow, MemberRow, UserRow, type WebhookRow } from '../db/models';
import { countMissed } from '../db/read-missed';
import { clock } from '../domain/clock';
import type { EventName, EventPayload, Role, WebhookStatus } from '../domain/types';
import { type SessionView, shownPayload } from './session-view';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

type Stateful = Pick<WebhookRow, 'status' | 'paused_at'>;

/** The state as the API shows it; disabled takes precedence over paused. */
export const stateOf = ({ status, paused_at }: Stateful): WebhookStatus =>
  paused_at !== null && status !== 'disabled' ? 'paused' : status;

/** Only webhooks in this state. */
export function whereState(query: QueryBuilder<WebhookRow>, state: WebhookStatus): void {
  if (state === 'paused') query.whereNotNull('paused_at').whereNot({ status: 'disabled' });
  else query.where({ status: state });
  if (state === 'active' || state === 'failing') query.whereNull('paused_at');
}

/** Its deliveries wait until an owner reactivates or resumes it. */
export const isHolding = (row: Stateful): boolean => ['disabled', 'paused'].includes(stateOf(row));

/** Viewers see the host, but not the rest of the URL, which often contains the receiver's key. */
const shownUrl = (url: string, role: Role): string =>
  role === 'viewer' ? `${new URL(url).origin}/***` : url;

/** Who made a webhook, and what they may do on the site today. */
async function makerOf(db: Knex, { environment_id, created_by, created_with }: WebhookRow) {
  if (created_by === null) return null;
  const user = await UserRow.query(db).findById(created_by).select('name', 'email');
  if (user === undefined) return null;
  const member = await MemberRow.query(db).findOne({ environment_id, user_id: created_by });
  return {
    ...{ user_id: created_by, name: user.name, email: user.email, role: member?.role ?? null },
    ...(created_with === null ? {} : { key_id: created_with }),
  };
}

/** How far what waits is counted. */
const COUNTED = 1000;

/** The webhook as the API shows it to a role; what waits is counted up to a thousand. */
export async function viewWebhook(db: Knex, row: WebhookRow, role: Role) {
  const { environment_id, webhook_id } = row;
  const waiting = DeliveryRow.query(db)
    .where({ environment_id, webhook_id, state: 'pending' })
    .select('delivery_id')
    // The order of the index, so that a LIMIT is no reason to read the table from its beginning.
    .orderBy(['attempts', 'created_at', 'delivery_id'])
    .limit(COUNTED);
  const count = await DeliveryRow.query(db)
    .count('* as n')
    .from(waiting.as('waiting'))
    .first()
    .castTo<{ n: number }>();
  const holding = isHolding(row);
  const room = COUNTED - count.n;
  // Only one that is held, or was, can have missed something.
  const missed = room > 0 && (holding || row.reactivated_at !== null) ? await countMissed(db, row, room) : 0;
  const waitingNow = count.n + missed;
  const rotating = row.next_secret_from !== null && row.next_secret_from > clock.date();
  return {
    webhook_id,
    url: shownUrl(row.url, role),
    events: row.events.includes('*') ? ('*' as const) : (row.events as EventName[]),
    method: row.method,
    description: row.description,
    status: stateOf(row),
    consecutive_failures: row.consecutive_failures,
    retry_at: iso(row.retry_at),
    last_error: row.last_error,
    last_success_at: iso(row.last_success_at),
    disabled_at: iso(row.disabled_at),
    disabled_reason: row.disabled_reason,
    paused_at: iso(row.paused_at),
    header_names: row.header_names,
    held: holding ? waitingNow : 0,
    pending: holding ? 0 : waitingNow,
    previous_secret_until: rotating ? iso(row.next_secret_from) : null,
    created_by: await makerOf(db, row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The delivery as the API shows it to a caller; pending ones are held while the webhook sends nothing. */
export function viewDelivery(row: DeliveryRow, webhook: Stateful, payload: string, sessions: SessionView) {
  const held = row.state === 'pending' && isHolding(webhook);
  return {
    delivery_id: row.delivery_id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event: row.event,
    kind: row.kind,
    state: held ? ('held' as const) : row.state,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.state === 'pending' && !held ? row.due_at.toISOString() : null,
    last_attempt_at: iso(row.last_attempt_at),
    delivered_at: iso(row.delivered_at),
    duration_ms: row.duration_ms,
    response_status: row.response_status,
    // Receivers may repeat the URL, the headers and the body of the request.
    response_body: sessions.whole ? row.response_body : null,
    error: row.error,
    payload: shownPayload(JSON.parse(payload) as EventPayload, sessions),
  };
}

/**
 * The payloads of an environment's deliveries, byte for byte as compiled; undefined when the event is gone.
 */
export async function readPayloads(
  db: Knex,
  rows: readonly DeliveryRow[],
): Promise<(row: DeliveryRow) => string | undefined> {
  const [first] = rows;
  if (first === undefined) return () => undefined;
  // With the time, so that only its month's partition is read.
  const events = await EventRow.query(db)
    .where({ environment_id: first.environment_id })
    .whereIn(
      'event_id',
      rows.map(({ event_id }) => event_id),
    )
    .whereIn(
      'occurred_at',
      rows.map(({ event_at }) => event_at),
    )
    .select('event_id', 'payload');
  const byId = new Map(events.map(({ event_id, payload }) => [event_id, payload]));
  return (row) => row.payload ?? byId.get(row.event_id);
}
