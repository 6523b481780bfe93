import type { Knex } from 'knex';

/** What waits, over all environments; for the metrics. */
export interface Backlog {
  /** When the oldest delivery that waits to be sent was made; undefined when none waits. */
  oldestPendingAt: Date | undefined;
  /** Deliveries of disabled webhooks, counted up to 1,000 of each of 100 webhooks. */
  held: number;
  disabled: number;
}

/** Attempts that a pending delivery can have had: the index begins with them, so that each is one look. */
const OLDEST = `SELECT min(d.created_at) AS at
  FROM webhooks w CROSS JOIN generate_series(0, 4) AS a (attempts) CROSS JOIN LATERAL (
    SELECT created_at FROM deliveries
    WHERE environment_id = w.environment_id AND webhook_id = w.webhook_id AND state = 'pending' AND attempts = a.attempts
    ORDER BY created_at LIMIT 1) AS d
  WHERE w.status <> 'disabled'`;

const HELD = `SELECT coalesce(sum(h.n), 0)::int AS n
  FROM (SELECT environment_id, webhook_id FROM webhooks WHERE status = 'disabled' ORDER BY disabled_at DESC LIMIT 100) AS w
  CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
    SELECT 1 FROM deliveries
    WHERE environment_id = w.environment_id AND webhook_id = w.webhook_id AND state = 'pending'
    ORDER BY attempts, created_at, delivery_id LIMIT 1000) AS counted) AS h`;

/** Reads the small table of webhooks, and of deliveries only the index entries that it needs: never the whole. */
export async function measureBacklog(db: Knex): Promise<Backlog> {
  const oldest = await db.raw<{ rows: { at: Date | null }[] }>(OLDEST);
  const held = await db.raw<{ rows: { n: number }[] }>(HELD);
  const disabled = await db('webhooks').where({ status: 'disabled' }).count({ n: '*' }).first();
  return {
    oldestPendingAt: oldest.rows[0]?.at ?? undefined,
    held: held.rows[0]?.n ?? 0,
    disabled: Number(disabled?.n ?? 0),
  };
}
