/** Deliveries in flight in a process. */
const MAX_IN_FLIGHT = 64;
/** A webhook may have this part of what the others leave, and always one. */
const PART = 8;

/**
 * Shares a process's places among webhooks: the fuller it is, the less one may have, so that one that hangs leaves room for another.
 * More than fifty would have to hang at once to fill it.
 */
export class Places {
  private readonly taken = new Map<string, number>();
  private total = 0;

  get full(): boolean {
    return this.total >= MAX_IN_FLIGHT;
  }

  /** Takes the places that the webhook may have beside those it has, and tells how many. */
  take(webhookId: string): number {
    const own = this.taken.get(webhookId) ?? 0;
    const share = Math.max(1, Math.floor((MAX_IN_FLIGHT - (this.total - own)) / PART));
    const places = Math.max(0, Math.min(share - own, MAX_IN_FLIGHT - this.total));
    this.change(webhookId, own + places);
    return places;
  }

  /** Gives places back. */
  give(webhookId: string, places: number): void {
    this.change(webhookId, (this.taken.get(webhookId) ?? 0) - places);
  }

  private change(webhookId: string, places: number): void {
    this.total += places - (this.taken.get(webhookId) ?? 0);
    if (places === 0) this.taken.delete(webhookId);
    else this.taken.set(webhookId, places);
  }
}
