import type { Knex } from 'knex';
import { EnvironmentRow, WebhookRow } from '../db/models';
import { conflict } from '../domain/errors';
import { isOfVisitors } from '../domain/event-names';

const ofVisitors = (events: readonly string[]): string[] => events.filter(isOfVisitors);

/**
 * A stranger's request stores a delivery for each webhook that asks for its event, so few may ask. Those that are
 * paused or disabled count, too: in turns they would get every event later. Throws 409 when a webhook asks for
 * what it did not ask for before and as many others ask already; a site that has more keeps them.
 */
export async function refuseManyOfVisitors(
  trx: Knex,
  environment_id: string,
  max: number,
  { events, before }: { events: readonly string[]; before?: WebhookRow },
): Promise<void> {
  const had = before?.events ?? [];
  if (had.includes('*') || ofVisitors(events).every((name) => had.includes(name))) return;
  // Locked, so that several at once keep the limit; visitors' records, which refer to the row, do not wait.
  await EnvironmentRow.query(trx).findById(environment_id).forNoKeyUpdate();
  const all = await WebhookRow.query(trx).where({ environment_id }).select('webhook_id', 'events');
  const others = all.filter((one) => one.webhook_id !== before?.webhook_id && one.events.some(isOfVisitors));
  if (others.length >= max)
    throw conflict(
      `At most ${max} webhooks of a site may ask for events that visitors cause (consent.*, dsar.created, or all), also paused and disabled ones: name other events in this one, or delete or change one of those. Whoever runs the server can raise VISITOR_WEBHOOKS_PER_SITE.`,
    );
}
