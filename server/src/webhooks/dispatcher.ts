import type { Knex } from 'knex';
import type { Logger } from '../logger';
import type { Vault } from '../vault';
import { type Claimed, claim, webhooksWithWork } from './claim';
import type { Transport } from './net/transport';
import { activeSecrets } from './secrets';
import { sendWebhook } from './send';
import { release, type Sent, settle } from './settle';
import { signatureHeaders } from './signature';

/** Deliveries in flight in this process. */
const MAX_IN_FLIGHT = 64;
/** How often webhooks with work are looked for, in milliseconds: what other processes stored, and what is due again. */
const SWEEP = 1_000;
/** After SIGTERM deliveries in flight may take so long, in milliseconds. */
const GRACE = 15_000;

export interface DispatcherOptions {
  db: Knex;
  log: Logger;
  vault: Vault;
  transport: Transport;
  /** Seconds to wait after each failed attempt. */
  schedule: readonly number[];
  onDelivery?(result: 'delivered' | 'failed' | 'fenced', seconds: number): void;
}

/** Sends what is due, fairly: a webhook that is slow or dead keeps no other one waiting. Any number of processes share the work. */
export class Dispatcher {
  private readonly inFlight = new Set<Promise<void>>();
  /** Webhooks that are being claimed for, and whether to look again afterwards. */
  private readonly claiming = new Map<string, boolean>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = true;

  constructor(private readonly options: DispatcherOptions) {}

  start(): void {
    this.stopped = false;
    this.timer = setTimeout(() => void this.sweep(), 0);
  }

  /** Claims nothing more, waits for what is in flight, and gives the rest back. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    let end: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      end = setTimeout(resolve, GRACE);
    });
    while (this.claiming.size > 0) await new Promise(setImmediate);
    await Promise.race([Promise.all(this.inFlight), limit]);
    clearTimeout(end);
    this.options.transport.close();
  }

  /** These webhooks have something new to send. */
  wake(webhookIds: readonly string[]): void {
    for (const webhookId of webhookIds) void this.serve(webhookId);
  }

  /** Sends one delivery now, under the lease that it was stored with, and writes the result. */
  async sendNow(claimed: Claimed): Promise<Sent> {
    const sent = await this.send(claimed);
    await this.write(claimed, sent);
    return sent;
  }

  private async sweep(): Promise<void> {
    const startedAt = Date.now();
    try {
      this.wake(await webhooksWithWork(this.options.db));
    } catch (error) {
      this.options.log.warn(
        { error },
        'webhooks with work could not be looked for; the next look is in a second',
      );
    }
    if (this.stopped) return;
    // With very many webhooks a look takes longer: then it is done less often.
    const took = Date.now() - startedAt;
    this.timer = setTimeout(() => void this.sweep(), Math.max(SWEEP, took * 10));
  }

  private async serve(webhookId: string): Promise<void> {
    if (this.stopped) return;
    if (this.claiming.has(webhookId)) {
      this.claiming.set(webhookId, true);
      return;
    }
    this.claiming.set(webhookId, false);
    try {
      const places = this.freePlaces();
      if (places > 0) {
        for (const claimed of await claim(this.options.db, webhookId, places)) this.dispatch(claimed);
      }
    } catch (error) {
      this.options.log.warn(
        { error, webhook_id: webhookId },
        'deliveries could not be claimed; they are tried again',
      );
    } finally {
      const again = this.claiming.get(webhookId);
      this.claiming.delete(webhookId);
      if (again) void this.serve(webhookId);
    }
  }

  /** The fuller the process is, the less one webhook may take, so that there is always a place for another. */
  private freePlaces(): number {
    return Math.ceil((MAX_IN_FLIGHT - this.inFlight.size) / 4);
  }

  private dispatch(claimed: Claimed): void {
    const work = this.stopped ? release(this.options.db, claimed) : this.deliver(claimed);
    const done: Promise<void> = work
      .catch((error) => {
        // The lease ends by itself, and the delivery is sent again.
        this.options.log.error(
          { error, delivery_id: claimed.delivery.delivery_id },
          'a delivery could not be written',
        );
      })
      .finally(() => {
        this.inFlight.delete(done);
        void this.serve(claimed.webhook.webhook_id);
      });
    this.inFlight.add(done);
  }

  private async deliver(claimed: Claimed): Promise<void> {
    await this.write(claimed, await this.send(claimed));
  }

  private async send({ delivery, webhook, payload }: Claimed): Promise<Sent> {
    const startedAt = new Date();
    const body = Buffer.from(payload, 'utf8');
    const headers = signatureHeaders({
      eventId: delivery.event_id,
      event: delivery.event,
      deliveryId: delivery.delivery_id,
      attempt: delivery.attempts + 1,
      timestampSeconds: Math.floor(startedAt.getTime() / 1000),
      body,
      secrets: activeSecrets(this.options.vault, webhook, startedAt),
    });
    const { url, method } = webhook;
    const outcome = await sendWebhook(this.options.transport, { url, method, headers, body });
    return { ...outcome, startedAt, endedAt: new Date() };
  }

  private async write(claimed: Claimed, sent: Sent): Promise<void> {
    const { db, log, schedule, onDelivery } = this.options;
    const mine = await settle(db, claimed, sent, schedule);
    onDelivery?.(mine ? (sent.ok ? 'delivered' : 'failed') : 'fenced', sent.durationMs / 1000);
    const { delivery, webhook } = claimed;
    const line = {
      webhook_id: webhook.webhook_id,
      delivery_id: delivery.delivery_id,
      event: delivery.event,
      attempt: delivery.attempts + 1,
      status: sent.status,
      ms: sent.durationMs,
    };
    if (sent.ok && mine) log.debug(line, 'delivery');
    else log.info({ ...line, error: sent.error, fenced: !mine }, 'delivery');
  }
}
