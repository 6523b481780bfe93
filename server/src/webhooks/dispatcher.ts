import { setTimeout as delay } from 'node:timers/promises';
import { type AttemptOptions, record, send } from './attempt';
import { type Backlog, measureBacklog } from './backlog';
import { type Claimed, claim } from './claim';
import { webhooksWithWork } from './due';
import { Places } from './places';
import { release, type Sent } from './settle';

/** Claims at once: they share the connections to the database with everything else. */
const MAX_CLAIMS = 3;
/** Deliveries of failing webhooks in flight: half of the places, so that dead receivers never fill the process. */
const MAX_FAILING = 32;
/** How often webhooks with work are looked for, in milliseconds: what other processes stored, and what is due again. */
const SWEEP = 1_000;
/** How often what waits is measured for the metrics, in milliseconds. */
const MEASURE = 5_000;
/** After SIGTERM deliveries in flight may take so long, and giving the rest back so long, in milliseconds. */
const GRACE = 15_000;
const GRACE_TO_RELEASE = 2_000;

export interface DispatcherOptions extends AttemptOptions {
  onBacklog?(backlog: Backlog): void;
}

/** Sends what is due, fairly: a webhook that is slow or dead keeps no other one waiting. Any number of processes share the work. */
export class Dispatcher {
  /** Webhooks that may have something to send, first come, first served. */
  private readonly wanted = new Set<string>();
  private readonly claiming = new Set<string>();
  private readonly places = new Places();
  private failing = 0;
  /** Everything that a stop must wait for. */
  private readonly running = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private measuredAt = 0;
  private stopped = true;
  private stoppedAt = 0;

  constructor(private readonly options: DispatcherOptions) {}

  start(): void {
    this.stopped = false;
    this.timer = setTimeout(() => this.run(this.sweep()), 0);
  }

  /** Claims nothing more. */
  pause(): void {
    this.stopped = true;
    this.stoppedAt ||= Date.now();
    clearTimeout(this.timer);
    this.wanted.clear();
  }

  /** Waits for what is in flight, gives back what takes too long, and closes the connections. */
  async stop(): Promise<void> {
    this.pause();
    await this.idle(this.stoppedAt + GRACE - Date.now());
    this.options.transport.close();
    await this.idle(GRACE_TO_RELEASE);
  }

  /** These webhooks have something new to send. */
  wake(webhookIds: readonly string[]): void {
    if (this.stopped) return;
    for (const webhookId of webhookIds) this.wanted.add(webhookId);
    this.serve();
  }

  /** Sends one delivery now, under the lease that it was stored with, and writes the result. */
  async sendNow(claimed: Claimed): Promise<Sent> {
    const sent = await send(this.options, claimed);
    await record(this.options, claimed, sent);
    return sent;
  }

  private run(work: Promise<void>): void {
    const done = work.finally(() => this.running.delete(done));
    this.running.add(done);
  }

  /** Resolves when nothing runs any more, or after the limit in milliseconds. */
  private async idle(limit: number): Promise<void> {
    const end = new AbortController();
    const late = delay(Math.max(0, limit), 'late', { signal: end.signal }).catch(() => 'late');
    while (this.running.size > 0) {
      // What ends may have begun something else.
      if ((await Promise.race([Promise.all(this.running), late])) === 'late') break;
    }
    end.abort();
  }

  private async sweep(): Promise<void> {
    const startedAt = Date.now();
    try {
      await this.look();
    } catch (error) {
      this.options.log.warn(
        { error },
        'webhooks with work could not be looked for; the next look is in a second',
      );
    }
    if (this.stopped) return;
    // With very many webhooks a look takes longer: then it is done less often.
    const took = Date.now() - startedAt;
    this.timer = setTimeout(() => this.run(this.sweep()), Math.max(SWEEP, took * 10));
  }

  private async look(): Promise<void> {
    const { db, onBacklog } = this.options;
    const due = await webhooksWithWork(db);
    const healthy = due.filter(({ failing }) => !failing);
    const failing = due
      .filter((webhook) => webhook.failing)
      .slice(0, Math.max(0, MAX_FAILING - this.failing));
    this.wake([...healthy, ...failing].map(({ webhook_id }) => webhook_id));
    if (onBacklog === undefined || Date.now() - this.measuredAt < MEASURE) return;
    this.measuredAt = Date.now();
    onBacklog(await measureBacklog(db));
  }

  /** Claims for those who wait, as far as there is room. */
  private serve(): void {
    for (const webhookId of this.wanted) {
      if (this.places.full || this.claiming.size >= MAX_CLAIMS) return;
      // Woken while it is claimed for: it is looked at once more, afterwards.
      if (this.claiming.has(webhookId)) continue;
      this.wanted.delete(webhookId);
      // One that has its share is wanted again when a delivery of it ends.
      const most = this.places.take(webhookId);
      if (most > 0) this.run(this.claimFor(webhookId, most));
    }
  }

  private async claimFor(webhookId: string, most: number): Promise<void> {
    const { db, log } = this.options;
    this.claiming.add(webhookId);
    let claimed: Claimed[] = [];
    try {
      claimed = await claim(db, webhookId, { most, failing: this.failing < MAX_FAILING });
    } catch (error) {
      log.warn({ error, webhook_id: webhookId }, 'deliveries could not be claimed; they are tried again');
    }
    this.claiming.delete(webhookId);
    for (const one of claimed) this.run(this.dispatch(one));
    this.places.giveBack(webhookId, most - claimed.length);
    this.serve();
  }

  private async dispatch(claimed: Claimed): Promise<void> {
    const { webhook_id, status } = claimed.webhook;
    const failing = status === 'failing' ? 1 : 0;
    this.failing += failing;
    let ok = false;
    try {
      ok = await this.deliver(claimed);
    } catch (error) {
      // The lease ends by itself, and the delivery is sent again.
      const { delivery_id } = claimed.delivery;
      this.options.log.error({ error, delivery_id }, 'the result of a delivery could not be written');
    }
    this.failing -= failing;
    this.places.end(webhook_id, ok);
    this.wake([webhook_id]);
  }

  private async deliver(claimed: Claimed): Promise<boolean> {
    const { db, transport } = this.options;
    const sent = this.stopped ? undefined : await send(this.options, claimed);
    // Cut off by our own stop: that says nothing of the receiver.
    if (sent === undefined || (!sent.ok && transport.closed.aborted)) await release(db, claimed);
    else await record(this.options, claimed, sent);
    return sent?.ok ?? false;
  }
}
