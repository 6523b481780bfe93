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

const waiting = (which: string, order: string): string => `
    SELECT delivery_id, attempts, created_at FROM deliveries
    WHERE environment_id = :environment_id AND webhook_id = :webhook_id AND state = 'pending'${which}
      AND (:before::timestamptz IS NULL OR created_at <= :before) AND (lease_until IS NULL OR lease_until <= :now)
    ORDER BY ${order} LIMIT :most FOR UPDATE SKIP LOCKED`;

/**
 * Due deliveries with the fewest attempts first, then the oldest, so that one poisonous event cannot block the others. A
 * first attempt is due at once; while the webhook is failing, its retry_at decides. What is tried again is found by its
 * time: a receiver can have any number of them wait for hours, and stay healthy.
 */
const due = (name: string, failing: boolean, kind = ''): string =>
  failing
    ? `${name} AS MATERIALIZED (${waiting(kind, 'attempts, created_at, delivery_id')})`
    : `${name}_new AS MATERIALIZED (${waiting(`${kind} AND attempts = 0`, 'created_at, delivery_id')}
  ), ${name}_again AS MATERIALIZED (${waiting(`${kind} AND attempts > 0 AND due_at <= :now`, 'due_at')}
  ), ${name} AS (SELECT * FROM ${name}_new UNION ALL SELECT * FROM ${name}_again)`;

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

const oldestFirst = (failing: boolean): string =>
  leasing(due('due', failing), 'attempts, created_at, delivery_id');

/** The place of each among its kind; which kind comes first is drawn, for a webhook that has one place. */
const turnsOf = (kind: string, isFirst: string): string =>
  `SELECT delivery_id, ${isFirst} AS ahead, row_number() OVER (ORDER BY attempts, created_at, delivery_id) AS turn FROM ${kind}`;

const inTurns = (failing: boolean): string =>
  leasing(
    `${due('rare', failing, " AND event NOT LIKE 'consent.%'")}, ${due('consents', failing, " AND event LIKE 'consent.%'")}, due AS (
    ${turnsOf('rare', ':rareFirst::boolean')} UNION ALL ${turnsOf('consents', 'NOT :rareFirst::boolean')}
  )`,
    'turn, ahead DESC',
  );

const HEALTHY = { inOrder: oldestFirst(false), inTurns: inTurns(false) };
const FAILING = { inOrder: oldestFirst(true), inTurns: inTurns(true) };

/** Leases what is due for a webhook, whose row must be locked. */
export async function leaseDeliveries(
  trx: Knex.Transaction,
  { environment_id, webhook_id, status }: WebhookRow,
  { token, now, until }: Lease,
  limits: Limits,
): Promise<Leased[]> {
  const statements = status === 'failing' ? FAILING : HEALTHY;
  const rareFirst = randomInt(2) === 1;
  const { inOrder, ...most } = limits;
  const values = { environment_id, webhook_id, token, now, until, rareFirst, ...most };
  const { rows } = await trx.raw<{ rows: (DeliveryRow & { body: string | null })[] }>(
    inOrder ? statements.inOrder : statements.inTurns,
    values,
  );
  return rows.map(({ body, ...row }) => ({ delivery: DeliveryRow.fromDatabaseJson(row), payload: body }));
}
