import type { Knex } from 'knex';

/** A webhook that may have something to send now. */
export interface Due {
  webhook_id: string;
  failing: boolean;
}

/**
 * The webhooks that may have something to send now: the healthy ones first, then those that have waited longest for their retry.
 * ORDER BY and LIMIT keep it one look into an index for each, however many deliveries there are.
 */
export async function webhooksWithWork(db: Knex): Promise<Due[]> {
  const { rows } = await db.raw<{ rows: Due[] }>(
    `SELECT w.webhook_id, w.status = 'failing' AS failing
     FROM webhooks w CROSS JOIN LATERAL (
       SELECT 1 FROM deliveries d
       WHERE d.environment_id = w.environment_id AND d.webhook_id = w.webhook_id AND d.state = 'pending'
         AND (d.attempts = 0 OR d.due_at <= now() OR w.status = 'failing')
         AND (d.lease_until IS NULL OR d.lease_until <= now())
       ORDER BY d.attempts, d.created_at, d.delivery_id LIMIT 1) AS due
     WHERE w.status = 'active' OR (w.status = 'failing' AND (w.retry_at IS NULL OR w.retry_at <= now()))
     ORDER BY failing, w.retry_at NULLS FIRST, w.webhook_id`,
  );
  return rows;
}
