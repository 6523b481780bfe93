import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { DELIVERY_DAYS } from '../domain/delivery-rules';
import { EVENT_NAMES } from '../domain/event-names';
import { DAY_MS } from '../domain/time';
import type { MissedSpanRow, WebhookKey } from './models';

/** An event that a webhook has missed. The time and the version are texts: both are finer than JavaScript's. */
export interface Missed {
  version: string;
  occurred_at: string;
  event_id: string;
  event: string;
}

/** Held deliveries are kept as long as all others; what is older is gone. */
const keptSince = (): Date => new Date(clock.now() - DELIVERY_DAYS * DAY_MS);

const NIL = '00000000-0000-0000-0000-000000000000';
const LAST = '9223372036854775807';

/**
 * The next events with one name of span `s`, in the order of their index, of which a LIMIT reads so many entries. A
 * cluster wants the site by itself, where there is one.
 */
const ofName = (name: string, site: string): string => `
    SELECT e.subscriptions, e.occurred_at, e.event_id, e.event FROM events e
    WHERE e.environment_id = ${site} AND e.event = ${name} AND e.occurred_at >= :kept
      AND e.subscriptions >= s.from_version AND e.subscriptions < coalesce(s.to_version, ${LAST})
      AND (e.subscriptions, e.occurred_at, e.event_id) >
        (coalesce(s.read_version, s.from_version - 1), coalesce(s.read_at, '-infinity'), coalesce(s.read_id, '${NIL}'))
    ORDER BY e.subscriptions, e.occurred_at, e.event_id LIMIT :most`;

const NAMES = "unnest(CASE WHEN '*' = ANY (s.events) THEN :all::text[] ELSE s.events END) AS n (name)";

/** Of each name for itself, so that rare events are found among millions of decisions. */
const NEXT = `
  SELECT m.subscriptions::text AS version, m.occurred_at::text, m.event_id, m.event
  FROM missed_spans s CROSS JOIN LATERAL ${NAMES} CROSS JOIN LATERAL (${ofName('n.name', ':environment_id')}) AS m
  WHERE s.environment_id = :environment_id AND s.webhook_id = :webhook_id AND s.from_version = :from_version
  ORDER BY m.subscriptions, m.occurred_at, m.event_id LIMIT :most`;

/** The next events of a span, about in the order in which they occurred. */
export async function nextMissed(
  db: Knex,
  { environment_id, webhook_id, from_version }: MissedSpanRow,
  most: number,
): Promise<Missed[]> {
  const values = { environment_id, webhook_id, from_version, most, kept: keptSince(), all: EVENT_NAMES };
  const { rows } = await db.raw<{ rows: Missed[] }>(NEXT, values);
  return rows;
}

const COUNT = `
  SELECT count(*)::int AS n FROM (
    SELECT 1 FROM missed_spans s CROSS JOIN LATERAL ${NAMES} CROSS JOIN LATERAL (${ofName('n.name', ':environment_id')}) AS m
    WHERE s.environment_id = :environment_id AND s.webhook_id = :webhook_id LIMIT :most) AS counted`;

/** How many events a webhook has missed that are no deliveries yet, counted up to `most`. */
export async function countMissed(
  db: Knex,
  { environment_id, webhook_id }: WebhookKey,
  most: number,
): Promise<number> {
  const values = { environment_id, webhook_id, most, kept: keptSince(), all: EVENT_NAMES };
  const { rows } = await db.raw<{ rows: [{ n: number }] }>(COUNT, values);
  return rows[0].n;
}

/**
 * Each name a join of its own: a cluster does not join a list of names to what lies on several nodes. All spans of a webhook
 * are counted up to `most` of each name together, however many they are.
 */
const COUNT_EACH = EVENT_NAMES.map(
  (name) => `SELECT w.webhook_id, c.n FROM webhooks w CROSS JOIN LATERAL (
    SELECT count(*)::int AS n FROM (
      SELECT 1 FROM missed_spans s CROSS JOIN LATERAL (${ofName(`'${name}'`, 's.environment_id')}) AS m
      WHERE s.environment_id = w.environment_id AND s.webhook_id = w.webhook_id AND s.events && '{"*",${name}}' LIMIT :most
    ) AS counted) AS c
  WHERE w.environment_id = ANY(:sites) AND w.webhook_id = ANY(:webhooks)`,
).join(' UNION ALL ');

/** The same of many webhooks, by their ids, counted up to `most` of each name of events. */
export async function countMissedOf(
  db: Knex,
  keys: readonly WebhookKey[],
  most: number,
): Promise<Map<string, number>> {
  const values = {
    sites: keys.map(({ environment_id }) => environment_id),
    webhooks: keys.map(({ webhook_id }) => webhook_id),
    ...{ most, kept: keptSince() },
  };
  const { rows } = await db.raw<{ rows: { webhook_id: string; n: number }[] }>(COUNT_EACH, values);
  const counts = new Map<string, number>();
  for (const { webhook_id, n } of rows) counts.set(webhook_id, (counts.get(webhook_id) ?? 0) + n);
  return counts;
}
