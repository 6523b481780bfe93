import { outboxForAll } from '../events/outbox';
import { READ_SUBSCRIPTIONS } from '../events/statements';
import type { Entry } from './entries';
import type { Transaction } from './transaction';

/**
 * A process may know the webhooks of a site as they were a second ago. Those that it took for paused or disabled are
 * left out of an event only if nothing has changed since: otherwise one that is sent to again would miss it. Read in
 * the transaction of the events, which is what a resumed webhook waits for before it looks for what it missed.
 */
export async function leaveNobodyOut(transaction: Transaction, entries: readonly Entry[]): Promise<void> {
  const leaving = entries.filter(({ outbox }) => outbox !== undefined && outbox.event.subscriptions !== null);
  if (leaving.length === 0) return;
  const sites = [...new Set(leaving.map(({ site }) => site.id))];
  // One by one, because on a cluster a statement is of one site.
  const answers = await transaction.read<{ version: string }>(
    sites.map((id) => ({ ...READ_SUBSCRIPTIONS, values: [id] })),
  );
  const present = new Map(sites.map((id, index) => [id, answers[index]?.[0]?.version]));
  for (const entry of leaving) {
    const { site, outbox } = entry;
    if (outbox === undefined || outbox.event.subscriptions === present.get(site.id)) continue;
    Object.assign(entry, { outbox: outboxForAll(outbox.event, site.webhooks) });
  }
}
