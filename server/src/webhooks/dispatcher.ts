import { isCancelled } from '../db/errors';
import type { WebhookKey } from '../db/models';
import { type Placed, Tenants } from '../db/tenants';
import { Running } from '../domain/running';
import { logFailure } from '../observability/failures';
import type { Backlog } from '../observability/metrics';
import type { AttemptOptions } from './attempt';
import { type Due, measureBacklog, webhooksWithWork } from './backlog';
import { Chores } from './chores';
import { type ClaimedDelivery, claim } from './claim';
import { deliver, sendNow } from './deliver';
import { FairQueue } from './fair-queue';
import { failingSlots, SendingSlots } from './sending-slots';
import type { Sent } from './settle';

/** Concurrent claims; they share the database connections with everything else. */
const MAX_CLAIMS = 3;
/**
 * How often to look for webhooks with work, in milliseconds: deliveries from other processes, and due
 * retries.
 */
const SWEEP: Pause = { least: 1_000, most: 10_000 };
/** How often the backlog is measured for the metrics, in milliseconds. */
const MEASURE: Pause = { least: 5_000, most: 60_000 };

interface Pause {
  least: number;
  most: number;
}

/** With very many webhooks work takes longer, and is done less often; what failed before it was done says nothing of that. */
const pauseAfter = ({ least, most }: Pause, startedAt: number, hasFailed: boolean): number =>
  hasFailed ? least : Math.min(most, Math.max(least, (performance.now() - startedAt) * 10));

/**
 * How long deliveries in flight, and then the release of the rest, may take after SIGTERM, in milliseconds.
 */
const GRACE = 15_000;
const GRACE_TO_RELEASE = 2_000;

export interface DispatcherOptions extends AttemptOptions {
  onBacklog?(backlog: Backlog): void;
}

/**
 * Sends due deliveries fairly: a slow or dead webhook never delays another, many webhooks of one site or account never
 * delay those of others, and those of all that an account has invited never delay its own. Any number of processes share
 * the work.
 */
export class Dispatcher {
  /** Webhooks that may have something to send. */
  private readonly wanted = new FairQueue();
  private readonly claiming = new Set<string>();
  private readonly slots = new SendingSlots();
  private readonly failing = failingSlots();
  private readonly tenants: Tenants;
  /** Work that a stop waits for. */
  private readonly running = new Running();
  private timer: NodeJS.Timeout | undefined;
  /** When what is held may be counted again. */
  private measureAt = 0;
  private isMeasuring = false;
  private stopped = true;
  private stoppedAt = 0;
  /** Alongside the sweeps. */
  private readonly chores: Chores;

  constructor(private readonly options: DispatcherOptions) {
    this.tenants = new Tenants(options.db);
    this.chores = new Chores(options, {
      wake: (webhooks) => this.wake(webhooks),
      isStopped: () => this.stopped,
    });
  }

  start(): void {
    this.stopped = false;
    this.timer = setTimeout(() => this.running.add(this.sweep()), 0);
  }

  /** Stops claiming. */
  pause(): void {
    this.stopped = true;
    this.stoppedAt ||= performance.now();
    clearTimeout(this.timer);
    this.wanted.clear();
  }

  /** Waits for deliveries in flight, releases those that take too long, and closes the connections. */
  async stop(): Promise<void> {
    this.pause();
    await this.running.idle(this.stoppedAt + GRACE - performance.now());
    this.options.transport.close();
    await this.running.idle(GRACE_TO_RELEASE);
  }

  /** These webhooks have something new to send. */
  wake(webhooks: readonly WebhookKey[]): void {
    if (this.stopped) return;
    const unknown = webhooks.filter(({ environment_id }) => this.tenants.of(environment_id) === undefined);
    if (unknown.length > 0) this.running.add(this.learn(unknown));
    this.enqueue(webhooks);
  }

  /** Something was requested that is done in parts: start with it now. */
  choresSoon(): void {
    const chores = this.stopped ? undefined : this.chores.soon();
    if (chores !== undefined) this.running.add(chores);
  }

  /** Sends one delivery now, under the lease that it was stored with, and writes the result. */
  sendNow(claimed: ClaimedDelivery): Promise<Sent> {
    return sendNow(this.options, claimed);
  }

  private async sweep(): Promise<void> {
    const startedAt = performance.now();
    let hasFailed = false;
    try {
      await this.look();
    } catch (error) {
      // One that took too long is no sooner done the next time.
      hasFailed = !isCancelled(error);
      const next = hasFailed ? 'a second' : 'ten seconds at the latest';
      logFailure(
        this.options.log,
        'warn',
        { error },
        `webhooks with work could not be read; the next attempt is in ${next}`,
      );
    }
    if (this.stopped) return;
    this.choresSoon();
    this.timer = setTimeout(() => this.running.add(this.sweep()), pauseAfter(SWEEP, startedAt, hasFailed));
  }

  private async look(): Promise<void> {
    const due = await webhooksWithWork(this.options.db);
    this.tenants.know(due);
    this.wake(this.dueNow(due));
    if (!this.isMeasuring && performance.now() >= this.measureAt) this.running.add(this.measure());
  }

  /** Beside the sweeps: what one owner has paused may take long to count, and keeps nobody's deliveries waiting. */
  private async measure(): Promise<void> {
    const { db, log, onBacklog } = this.options;
    if (onBacklog === undefined) return;
    this.isMeasuring = true;
    const startedAt = performance.now();
    let hasFailed = false;
    try {
      onBacklog(await measureBacklog(db));
    } catch (error) {
      hasFailed = !isCancelled(error);
      logFailure(
        log,
        'warn',
        { error },
        'what webhooks hold could not be counted: the metrics of it are older; it is tried again',
      );
    } finally {
      this.isMeasuring = false;
      this.measureAt = performance.now() + pauseAfter(MEASURE, startedAt, hasFailed);
    }
  }

  /** All healthy webhooks, and as many failing ones as there is room for. */
  private dueNow(due: readonly Due[]): Due[] {
    const room = this.failing.copy();
    return due.filter((webhook) => {
      if (!webhook.failing) return true;
      if (room.room(webhook) <= 0) return false;
      room.change(webhook, 1);
      return true;
    });
  }

  private async learn(webhooks: readonly WebhookKey[]): Promise<void> {
    try {
      await this.tenants.learn([...new Set(webhooks.map(({ environment_id }) => environment_id))]);
      if (!this.stopped) this.enqueue(webhooks);
    } catch (error) {
      const { log } = this.options;
      logFailure(
        log,
        'warn',
        { error },
        'sites of webhooks could not be looked up; the next attempt is in a second',
      );
    }
  }

  /** Enqueues those whose site and account are known. */
  private enqueue(webhooks: readonly WebhookKey[]): void {
    for (const { environment_id, webhook_id } of webhooks) {
      const tenant = this.tenants.of(environment_id);
      if (tenant !== undefined) this.wanted.add(webhook_id, tenant);
    }
    this.serve();
  }

  /** Claims for waiting webhooks while there is room. */
  private serve(): void {
    while (!this.slots.full && this.claiming.size < MAX_CLAIMS) {
      const next = this.wanted.next({
        room: (place) => this.slots.shared.roomAt(place),
        webhook: (webhookId) => {
          // Woken during its claim: check it again afterwards.
          if (this.claiming.has(webhookId)) return 'later';
          // A webhook at its limit is checked again when one of its deliveries ends.
          return this.slots.webhookRoom(webhookId) > 0 ? 'now' : 'never';
        },
      });
      if (next === undefined) return;
      const { webhookId, tenant } = next;
      this.running.add(this.claimFor(webhookId, tenant, this.slots.take(webhookId, tenant)));
    }
  }

  private async claimFor(webhookId: string, tenant: Placed, most: number): Promise<void> {
    const { db, log } = this.options;
    this.claiming.add(webhookId);
    let claimed: ClaimedDelivery[] = [];
    // Reserved until it is known whether the webhook is failing, because other claims run at the same time.
    const failing = this.failing.room(tenant) > 0;
    this.failing.change(tenant, failing ? 1 : 0);
    try {
      const key = { environment_id: tenant.site, webhook_id: webhookId };
      claimed = await claim(db, key, { most, failing });
    } catch (error) {
      const seen = { error, webhook_id: webhookId };
      logFailure(log, 'warn', seen, 'deliveries could not be claimed; they will be retried');
    }
    this.claiming.delete(webhookId);
    this.failing.change(tenant, failing ? -1 : 0);
    for (const one of claimed) this.running.add(this.dispatch(one, tenant));
    this.slots.giveBack(webhookId, tenant, most - claimed.length);
    this.serve();
  }

  private async dispatch(claimed: ClaimedDelivery, tenant: Placed): Promise<void> {
    const { environment_id, webhook_id, status } = claimed.webhook;
    const failing = status === 'failing' ? 1 : 0;
    this.failing.change(tenant, failing);
    let ok = false;
    try {
      ok = await deliver(this.options, claimed, this.stopped);
    } catch (error) {
      // The lease ends by itself, and the delivery is sent again.
      const { delivery_id } = claimed.delivery;
      const seen = { error, delivery_id };
      logFailure(this.options.log, 'error', seen, 'the result of a delivery could not be written');
    }
    this.failing.change(tenant, -failing);
    this.slots.end(webhook_id, tenant, ok);
    this.wake([{ environment_id, webhook_id }]);
  }
}
