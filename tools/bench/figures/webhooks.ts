import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Figure } from '../figure';
import { consents } from '../kinds';
import { race, ratio } from '../race';
import { Receivers } from '../receivers';
import { avow } from '../references';
import { emitMany, SENDING, subscribe } from '../subscriptions';

/** The maximum wait for deliveries, in milliseconds. */
const MAX_WAIT = 120_000;

/**
 * Events delivered per second to one and to fifty healthy receivers, and what subscribed webhooks cost
 * consent writes.
 */
export const webhooks: Figure = {
  name: 'webhooks',
  async run(bench) {
    await delivered(bench, 1);
    await delivered(bench, 50);
    await subscribed(bench);
  },
};

/** Stores events all at once and measures the time until the last one has arrived. */
async function delivered({ stage, report, quick }: Bench, count: number): Promise<void> {
  const events = quick ? 500 : 5_000;
  const host = await stage.host(`avow_receivers_${count}`, SENDING);
  const receivers = await Receivers.start(count);
  try {
    const subscriptions = await subscribe(host.database, receivers.urls);
    // Warms up connections and code.
    await emitMany(host.database, subscriptions, count * 4);
    await until(() => receivers.received === count * 4);
    await emitMany(host.database, subscriptions, events);
    const before = receivers.received;
    await until(() => receivers.received > before);
    const startedAt = performance.now();
    const first = receivers.received;
    await until(() => receivers.received >= count * 4 + events);
    const perSecond = ((receivers.received - first) * 1000) / (performance.now() - startedAt);
    report.outcome('webhooks', `events delivered per second to ${count} healthy receiver(s)`, perSecond);
  } finally {
    await receivers.stop();
    await host.avow.stop();
  }
}

/** Decisions with a webhook on every site, compared with none. */
async function subscribed({ stage, report, pace, ...bench }: Bench): Promise<void> {
  const plain = await bench.host();
  const host = await stage.host('avow_subscribed', SENDING);
  const receivers = await Receivers.start(1);
  try {
    const sites = host.database.tokens.length;
    await subscribe(
      host.database,
      Array.from({ length: sites }, () => receivers.urls[0] as string),
    );
    // After this time every process has read the subscriptions.
    await delay(3_000);
    const names = { on: 'Avow consent write, webhooks subscribed', off: 'Avow consent write, no webhook' };
    const laps = await race(
      [avow(stage, host, names.on, consents), avow(stage, plain, names.off, consents)],
      64,
      pace.other,
    );
    report.laps(laps, 64);
    report.outcome('webhooks', 'writes with subscribed webhooks ÷ without', ratio(laps, names.on, names.off));
    await host.ledger.check();
  } finally {
    await receivers.stop();
    await host.avow.stop();
  }
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + MAX_WAIT;
  while (!condition()) {
    if (Date.now() > end)
      throw new Error('The receivers did not get all deliveries: see the log of the server');
    await delay(2);
  }
}
