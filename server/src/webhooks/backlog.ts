import type { Knex } from 'knex';
import type { WebhookKey } from '../db/models';
import { countMissedOf } from '../db/read-missed';
import { byItself, type Placed, tenantsOf } from '../db/tenants';
import type { Backlog } from '../observability/metrics';

/** A webhook that may have something to send now. */
export interface Due extends Placed, WebhookKey {
  failing: boolean;
}

/** One row for each webhook of a kind that has such a delivery: ORDER BY and LIMIT make it one look at an index. */
const working = (kind: string, which: string, order: string): string => `
  SELECT w.environment_id, w.webhook_id, w.status = 'failing' AS failing, w.retry_at, w.environment_id AS site
  FROM webhooks w CROSS JOIN LATERAL (
    SELECT 1 FROM deliveries d
    WHERE d.environment_id = w.environment_id AND d.webhook_id = w.webhook_id AND d.state = 'pending'${which}
      AND (d.lease_until IS NULL OR d.lease_until <= now())
    ORDER BY ${order} LIMIT 1) AS due
  WHERE w.paused_at IS NULL AND ${kind}`;

/** What is to be tried again is found by its time: any number of them may wait for hours. */
const WORK = [
  working("w.status = 'active'", ' AND d.attempts = 0', 'd.created_at, d.delivery_id'),
  working("w.status = 'active'", ' AND d.attempts > 0 AND d.due_at <= now()', 'd.due_at'),
  working(
    "w.status = 'failing' AND (w.retry_at IS NULL OR w.retry_at <= now())",
    '',
    'd.attempts, d.created_at, d.delivery_id',
  ),
].join(' UNION ALL ');

/** The webhooks that may have something to send now: healthy ones first, then those that have waited longest. */
export async function webhooksWithWork(db: Knex): Promise<Due[]> {
  const { rows } = await db.raw<{ rows: Omit<Due, 'account' | 'maker'>[] }>(
    `SELECT * FROM (${WORK}) AS work ORDER BY failing, retry_at NULLS FIRST, webhook_id`,
  );
  // By itself: a cluster does not look for what lies on one node from what lies on several.
  const tenants = await tenantsOf(db, [...new Set(rows.map(({ site }) => site))]);
  const known = new Map(tenants.map((tenant) => [tenant.site, tenant]));
  // One with new deliveries and with some to try again is found twice.
  const found = new Map(rows.map((row) => [row.webhook_id, row]));
  return [...found.values()].map((row) => {
    const { account, maker } = known.get(row.site) ?? byItself(row.site);
    return { ...row, account, maker };
  });
}

/** Attempts that a pending delivery can have had: the index begins with them, so that each is one look. */
const ATTEMPTS = [0, 1, 2, 3, 4];

/** Each a join of its own: a cluster does not join a list of numbers to what lies on several nodes. */
const OLDEST = ATTEMPTS.map(
  (attempts) => `SELECT min(d.created_at) AS at FROM webhooks w CROSS JOIN LATERAL (
    SELECT created_at FROM deliveries
    WHERE environment_id = w.environment_id AND webhook_id = w.webhook_id AND state = 'pending' AND attempts = ${attempts}
    ORDER BY created_at LIMIT 1) AS d
  WHERE w.status <> 'disabled' AND w.paused_at IS NULL`,
).join(' UNION ALL ');

const HELD = `SELECT w.webhook_id, h.n::int AS n
  FROM webhooks w CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
    SELECT 1 FROM deliveries
    WHERE environment_id = w.environment_id AND webhook_id = w.webhook_id AND state = 'pending'
    ORDER BY attempts, created_at, delivery_id LIMIT :most) AS counted) AS h
  WHERE w.environment_id = ANY(:sites) AND w.webhook_id = ANY(:webhooks)`;
/** Webhooks of which what is held is counted, and how far of each. */
const COUNTED = 100;
const MOST = 1_000;

/** What is held, as deliveries or as events that the webhooks have missed. */
async function countHeld(db: Knex, holding: readonly WebhookKey[]): Promise<number> {
  if (holding.length === 0) return 0;
  const missed = await countMissedOf(db, holding, MOST);
  const { rows } = await db.raw<{ rows: { webhook_id: string; n: number }[] }>(HELD, {
    sites: holding.map(({ environment_id }) => environment_id),
    webhooks: holding.map(({ webhook_id }) => webhook_id),
    most: MOST,
  });
  return rows.reduce((sum, { webhook_id, n }) => sum + Math.min(MOST, n + (missed.get(webhook_id) ?? 0)), 0);
}

/** How long counting may take, in milliseconds. */
const LONGEST = 5_000;

/** Reads the small webhooks table, and only the necessary index entries of deliveries. */
export const measureBacklog = (db: Knex): Promise<Backlog> =>
  db.transaction(async (trx) => {
    await trx.raw(`SET LOCAL statement_timeout = ${LONGEST}`);
    return countBacklog(trx);
  });

async function countBacklog(db: Knex): Promise<Backlog> {
  const oldest = await db.raw<{ rows: { at: Date | null }[] }>(
    `SELECT min(at) AS at FROM (${OLDEST}) AS oldest`,
  );
  const holding = await db('webhooks')
    .where((either) => either.where({ status: 'disabled' }).orWhereNotNull('paused_at'))
    .orderByRaw('coalesce(disabled_at, paused_at) DESC')
    .limit(COUNTED)
    .select<WebhookKey[]>('environment_id', 'webhook_id');
  const held = await countHeld(db, holding);
  const disabled = await db('webhooks').where({ status: 'disabled' }).count({ n: '*' }).first();
  return {
    oldestPendingAt: oldest.rows[0]?.at ?? undefined,
    held,
    disabled: Number(disabled?.n ?? 0),
  };
}
