import { toArrays } from '../../server/src/db/set-statement';
import { newId } from '../../server/src/domain/ids';
import { deliveriesOf } from '../../server/src/events/outbox';
import { consentEvent } from '../../server/src/events/payloads';
import { type EventInsert, INSERT_DELIVERIES, INSERT_EVENTS } from '../../server/src/events/statements';
import { Vault } from '../../server/src/security/vault';
import { newSecret } from '../../server/src/webhooks/signature';
import type { Database } from './database';

/** Settings with which a server can send to the benchmark's receivers. */
export const SENDING = {
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
};

export interface Subscription {
  webhook_id: string;
  events: string[];
  site: { id: string; token: string };
}

/** Subscribes receivers to all events. Each gets one site, in turn. */
export async function subscribe(database: Database, urls: readonly string[]): Promise<Subscription[]> {
  const vault = new Vault(SENDING.SECRETS_KEY);
  const sites = await database.sql<{ id: string; token: string }>(
    'SELECT id, token FROM environments ORDER BY id',
  );
  const subscriptions: Subscription[] = [];
  for (const [index, url] of urls.entries()) {
    const site = sites[index % sites.length] as { id: string; token: string };
    const webhook_id = newId();
    await database.sql(
      `INSERT INTO webhooks (webhook_id, environment_id, url, events, method, secret, status, consecutive_failures, created_at, updated_at)
       VALUES ($1, $2, $3, '{*}', 'POST', $4, 'active', 0, now(), now())`,
      [webhook_id, site.id, url, vault.seal(newSecret())],
    );
    // Processes cache subscriptions until the environment's `updated_at` changes.
    await database.sql('UPDATE environments SET updated_at = now() WHERE id = $1', [site.id]);
    subscriptions.push({ webhook_id, events: ['*'], site });
  }
  return subscriptions;
}

/** Stores `count` events, each for one receiver, in two statements. */
export async function emitMany(
  database: Database,
  subscriptions: readonly Subscription[],
  count: number,
): Promise<void> {
  const events: EventInsert[] = [];
  const deliveries = Array.from({ length: count }, (_, index) => {
    const subscription = subscriptions[index % subscriptions.length] as Subscription;
    const decided = {
      decision: 'accept_all' as const,
      session_id: newId(),
      ip_masked: '203.0.***.***',
      categories: { analytics: true },
      ...{ region: null, rule: null, vendors: null },
    };
    const event = consentEvent(subscription.site, decided);
    events.push(event);
    return deliveriesOf(event, [subscription]);
  }).flat();
  await database.sql(INSERT_EVENTS.text, toArrays(events, INSERT_EVENTS.columns));
  await database.sql(INSERT_DELIVERIES.text, toArrays(deliveries, INSERT_DELIVERIES.columns));
}
