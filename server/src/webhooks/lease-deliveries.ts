import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { DeliveryRow, type WebhookRow } from '../db/models';

export interface Lease {
  token: string;
  /** The database's time, and when the lease ends. */
  now: Date;
  until: Date;
}

export interface Limits {
  /** All deliveries go out oldest first; otherwise consents and all other events take turns. */
  inOrder: boolean;
  /** Deliveries of the webhook in flight, over all processes. */
  inFlight: number;
  /** Deliveries to lease, at most. */
  most: number;
  /** Later ones wait, because of those before them not all are stored yet; null for no such limit. */
  before: Date | null;
}

/** A delivery under a lease, with the payload of its event; null when that is gone. */
export interface Leased {
  delivery: DeliveryRow;
  payload: string | null;
}

/**
 * Due deliveries with the fewest attempts first, then the oldest, so that one poisonous event cannot block
 * the others. A first attempt is due at once; while the webhook is failing, its retry_at decides. The first
 * LIMIT is a literal, so that the planner knows how few rows there will be.
 */
const due = (kind = ''): string => `
    SELECT delivery_id, attempts, created_at FROM deliveries
    WHERE environment_id = :environment_id AND webhook_id = :webhook_id AND state = 'pending'${kind}
      AND (:before::timestamptz IS NULL OR created_at <= :before)
      AND (lease_until IS NULL OR lease_until <= :now) AND (attempts = 0 OR due_at <= :now OR :failing)
    ORDER BY attempts, created_at, delivery_id LIMIT :most FOR UPDATE SKIP LOCKED`;

const leasing = (found: string, order: string): string => `
  WITH ${found}, chosen AS MATERIALIZED (
    SELECT delivery_id FROM due ORDER BY ${order} LIMIT greatest(0, least(:most::int, :inFlight::int - (
      SELECT count(*) FROM deliveries
      WHERE environment_id = :environment_id AND webhook_id = :webhook_id AND state = 'pending' AND lease_until > :now)))
  ), leased AS (
    UPDATE deliveries d SET lease = :token, lease_until = :until FROM chosen
    WHERE d.environment_id = :environment_id AND d.delivery_id = chosen.delivery_id
    RETURNING d.*
  )
  SELECT leased.*, coalesce(leased.payload, e.payload) AS body
  FROM leased LEFT JOIN events e
    ON e.environment_id = :environment_id AND e.occurred_at = leased.event_at AND e.event_id = leased.event_id
  ORDER BY attempts, created_at, delivery_id`;

const OLDEST_FIRST = leasing(`due AS MATERIALIZED (${due()})`, 'attempts, created_at, delivery_id');

/** The place of each among its kind; which kind comes first is drawn, for a webhook that has one place. */
const turnsOf = (kind: string, isFirst: string): string =>
  `SELECT delivery_id, ${isFirst} AS ahead, row_number() OVER (ORDER BY attempts, created_at, delivery_id) AS turn FROM ${kind}`;

const IN_TURNS = leasing(
  `rare AS MATERIALIZED (${due(" AND event NOT LIKE 'consent.%'")}
  ), consents AS MATERIALIZED (${due(" AND event LIKE 'consent.%'")}
  ), due AS (
    ${turnsOf('rare', ':rareFirst::boolean')} UNION ALL ${turnsOf('consents', 'NOT :rareFirst::boolean')}
  )`,
  'turn, ahead DESC',
);

/** Leases what is due for a webhook, whose row must be locked. */
export async function leaseDeliveries(
  trx: Knex.Transaction,
  { environment_id, webhook_id, status }: WebhookRow,
  { token, now, until }: Lease,
  limits: Limits,
): Promise<Leased[]> {
  const failing = status === 'failing';
  const rareFirst = randomInt(2) === 1;
  const { inOrder, ...most } = limits;
  const values = { environment_id, webhook_id, failing, token, now, until, rareFirst, ...most };
  const { rows } = await trx.raw<{ rows: (DeliveryRow & { body: string | null })[] }>(
    inOrder ? OLDEST_FIRST : IN_TURNS,
    values,
  );
  return rows.map(({ body, ...row }) => ({ delivery: DeliveryRow.fromDatabaseJson(row), payload: body }));
}
