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
  /**
   * Later ones wait, because of those before them not all are stored yet, and so does what was tried before: it goes
   * behind what never was. Null for no such limit.
   */
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

/** What may be leased: what was never tried, that and what is due again, or whatever waits. */
type Which = 'new' | 'due' | 'any';

/**
 * Deliveries with the fewest attempts first, then the oldest, so that one poisonous event cannot block the others. A
 * first attempt is due at once; while the webhook is failing, its retry_at decides. What is tried again is found by its
 * time: a receiver can have any number of them wait for hours, and stay healthy.
 */
function find(name: string, which: Which, kind = ''): string {
  if (which === 'any')
    return `${name} AS MATERIALIZED (${waiting(kind, 'attempts, created_at, delivery_id')})`;
  const untried = waiting(`${kind} AND attempts = 0`, 'created_at, delivery_id');
  if (which === 'new') return `${name} AS MATERIALIZED (${untried})`;
  return `${name}_new AS MATERIALIZED (${untried}
  ), ${name}_again AS MATERIALIZED (${waiting(`${kind} AND attempts > 0 AND due_at <= :now`, 'due_at')}
  ), ${name} AS (SELECT * FROM ${name}_new UNION ALL SELECT * FROM ${name}_again)`;
}

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

const oldestFirst = (which: Which): string =>
  leasing(find('due', which), 'attempts, created_at, delivery_id');

/** The place of each among its kind; `ahead` tells which kind comes first. */
const turnsOf = (kind: string, isFirst: string): string =>
  `SELECT delivery_id, attempts, ${isFirst} AS ahead, row_number() OVER (ORDER BY attempts, created_at, delivery_id) AS turn FROM ${kind}`;

const inTurns = (which: Which, order: string): string =>
  leasing(
    `${find('rare', which, " AND event NOT LIKE 'consent.%'")}, ${find('consents', which, " AND event LIKE 'consent.%'")}, due AS (
    ${turnsOf('rare', ':rareFirst::boolean')} UNION ALL ${turnsOf('consents', 'NOT :rareFirst::boolean')}
  )`,
    order,
  );

const STATEMENTS = {
  oldestFirst: { new: oldestFirst('new'), due: oldestFirst('due'), any: oldestFirst('any') },
  inTurns: {
    new: inTurns('new', 'turn, ahead DESC'),
    due: inTurns('due', 'turn, ahead DESC'),
    // Of the one that a failing webhook gets, the attempts decide before the kind does.
    any: inTurns('any', 'attempts, ahead DESC, turn'),
  },
};

const isConsent = (event: string): boolean => event.startsWith('consent.');
/** Others have no turns to take, and what they do not get is not looked for. */
const getsBothKinds = (events: readonly string[]): boolean =>
  events.includes('*') || (events.some(isConsent) && !events.every(isConsent));

/** Leases what is due for a webhook, whose row must be locked. */
export async function leaseDeliveries(
  trx: Knex.Transaction,
  { environment_id, webhook_id, status, events, consecutive_failures }: WebhookRow,
  { token, now, until }: Lease,
  { inOrder, ...limits }: Limits,
): Promise<Leased[]> {
  const isFailing = status === 'failing';
  const which = limits.before !== null ? 'new' : isFailing ? 'any' : 'due';
  const order = inOrder || !getsBothKinds(events) ? 'oldestFirst' : 'inTurns';
  // While it fails, every second attempt is one of a consent, so that what its receiver refuses of one kind does not
  // keep the other from being tried; otherwise it is drawn which comes first, for a webhook that has one place.
  const rareFirst = isFailing ? consecutive_failures % 2 === 0 : randomInt(2) === 1;
  const values = { environment_id, webhook_id, token, now, until, rareFirst, ...limits };
  const { rows } = await trx.raw<{ rows: (DeliveryRow & { body: string | null })[] }>(
    STATEMENTS[order][which],
    values,
  );
  return rows.map(({ body, ...row }) => ({ delivery: DeliveryRow.fromDatabaseJson(row), payload: body }));
}
