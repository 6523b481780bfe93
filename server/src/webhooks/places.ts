/** Deliveries in flight in a process, and of one webhook in it. */
const MAX_IN_FLIGHT = 64;
const MAX_OF_ONE = 8;
/** A webhook may have this part of what the others leave, and always one. */
const PART = 8;

/**
 * Shares a process's places among webhooks. One begins with a single place and gets twice as many with each success, so that a receiver
 * that hangs from the start holds one; and the fuller the process is, the less one may have.
 */
export class Places {
  private readonly taken = new Map<string, number>();
  /** How many a webhook has earned; forgotten when it has nothing to send. */
  private readonly earned = new Map<string, number>();
  private total = 0;

  get full(): boolean {
    return this.total >= MAX_IN_FLIGHT;
  }

  /** Takes the places that the webhook may have beside those it has, and tells how many. */
  take(webhookId: string): number {
    const own = this.taken.get(webhookId) ?? 0;
    const share = Math.max(1, Math.floor((MAX_IN_FLIGHT - (this.total - own)) / PART));
    const most = Math.min(share, this.earned.get(webhookId) ?? 1);
    const places = Math.max(0, Math.min(most - own, MAX_IN_FLIGHT - this.total));
    this.change(webhookId, places);
    return places;
  }

  /** Gives places back for which there was nothing to send. */
  giveBack(webhookId: string, places: number): void {
    this.change(webhookId, -places);
    if (!this.taken.has(webhookId)) this.earned.delete(webhookId);
  }

  /** A delivery has ended. */
  end(webhookId: string, ok: boolean): void {
    this.change(webhookId, -1);
    this.earned.set(webhookId, ok ? Math.min(MAX_OF_ONE, 2 * (this.earned.get(webhookId) ?? 1)) : 1);
  }

  private change(webhookId: string, by: number): void {
    const places = (this.taken.get(webhookId) ?? 0) + by;
    this.total += by;
    if (places === 0) this.taken.delete(webhookId);
    else this.taken.set(webhookId, places);
  }
}
