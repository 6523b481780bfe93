import type { Knex } from 'knex';
import type { WebhookRow } from '../db/models';

/** A webhook as far as the outbox must know it. */
export type Subscriber = Pick<WebhookRow, 'webhook_id' | 'events'>;

/** The same, and whether it gets deliveries at present. */
export interface PresentSubscriber extends Subscriber {
  environment_id: string;
  /**
   * The version of the site's subscriptions under which it misses its events, because it is paused or disabled; null
   * when it gets a delivery of each.
   */
  missing: string | null;
}

export const subscribes = ({ events }: Subscriber, event: string): boolean =>
  events.includes('*') || events.includes(event);

/** The webhooks of sites. One statement, so that who misses events and the version are of one moment. */
export async function readSubscribers(
  db: Knex,
  environmentIds: readonly string[],
): Promise<PresentSubscriber[]> {
  const { rows } = await db.raw<{ rows: PresentSubscriber[] }>(
    `SELECT w.environment_id, w.webhook_id, coalesce(s.events, w.events) AS events,
       CASE WHEN s.webhook_id IS NOT NULL THEN v.version::text END AS missing
     FROM webhooks w
       LEFT JOIN missed_spans s
         ON s.environment_id = w.environment_id AND s.webhook_id = w.webhook_id AND s.to_version IS NULL
       LEFT JOIN subscription_versions v ON v.environment_id = w.environment_id
     WHERE w.environment_id IN (${environmentIds.map(() => '?').join(', ')})`,
    [...environmentIds],
  );
  return rows;
}
