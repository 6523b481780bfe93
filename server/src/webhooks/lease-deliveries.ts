import type { Knex } from 'knex';
import { DeliveryRow, type WebhookRow } from '../db/models';

export interface Lease {
  token: string;
  /** The database's time, and when the lease ends. */
  now: Date;
  until: Date;
}

export interface Limits {
  /** Deliveries of the webhook in flight, over all processes. */
  inFlight: number;
  /** Deliveries to lease, at most. */
  most: number;
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
const LEASE_DELIVERIES = `
  WITH due AS MATERIALIZED (
    SELECT delivery_id, attempts, created_at FROM deliveries
    WHERE environment_id = :environment_id AND webhook_id = :webhook_id AND state = 'pending'
      AND (lease_until IS NULL OR lease_until <= :now) AND (attempts = 0 OR due_at <= :now OR :failing)
    ORDER BY attempts, created_at, delivery_id LIMIT :most FOR UPDATE SKIP LOCKED
  ), chosen AS MATERIALIZED (
    SELECT delivery_id FROM due ORDER BY attempts, created_at, delivery_id LIMIT greatest(0, :inFlight::int - (
      SELECT count(*) FROM deliveries
      WHERE environment_id = :environment_id AND webhook_id = :webhook_id AND state = 'pending' AND lease_until > :now))
  ), leased AS (
    UPDATE deliveries d SET lease = :token, lease_until = :until FROM chosen
    WHERE d.environment_id = :environment_id AND d.delivery_id = chosen.delivery_id
    RETURNING d.*
  )
  SELECT leased.*, coalesce(leased.payload, e.payload) AS body
  FROM leased LEFT JOIN events e
    ON e.environment_id = :environment_id AND e.occurred_at = leased.event_at AND e.event_id = leased.event_id
  ORDER BY attempts, created_at, delivery_id`;

/** Leases what is due for a webhook, whose row must be locked. */
export async function leaseDeliveries(
  trx: Knex.Transaction,
  { environment_id, webhook_id, status }: WebhookRow,
  { token, now, until }: Lease,
  limits: Limits,
): Promise<Leased[]> {
  const failing = status === 'failing';
  const values = { environment_id, webhook_id, failing, token, now, until, ...limits };
  const { rows } = await trx.raw<{ rows: (DeliveryRow & { body: string | null })[] }>(
    LEASE_DELIVERIES,
    values,
  );
  return rows.map(({ body, ...row }) => ({ delivery: DeliveryRow.fromDatabaseJson(row), payload: body }));
}
