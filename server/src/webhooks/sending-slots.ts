import type { Tenant } from '../db/tenants';

/** Deliveries in flight per process, and per webhook in a process. */
const MAX_IN_FLIGHT = 64;
const MAX_OF_ONE = 8;
/**
 * Deliveries of failing webhooks in flight: half of the slots, so that dead receivers never occupy all of
 * them.
 */
const MAX_FAILING = 32;
/**
 * The share of the slots left by others that each may take, at least one slot. A site gets half and an
 * account three quarters, so that there is always room for the next account.
 */
const PART = { webhook: 1 / 8, site: 1 / 2, account: 3 / 4 };

/** Taken slots by key, and how many each key may take. */
class Shares {
  constructor(
    private readonly part: number,
    private readonly taken = new Map<string, number>(),
  ) {}

  copy(): Shares {
    return new Shares(this.part, new Map(this.taken));
  }

  of(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  /** How many of the `free` slots it may take. */
  room(key: string, free: number): number {
    const own = this.of(key);
    return Math.max(1, Math.floor((free + own) * this.part)) - own;
  }

  change(key: string, by: number): void {
    const slots = this.of(key) + by;
    if (slots === 0) this.taken.delete(key);
    else this.taken.set(key, slots);
  }
}

/** Slots that are shared by sites and by the accounts that they belong to. */
export class SharedSlots {
  private sites = new Shares(PART.site);
  private accounts = new Shares(PART.account);
  private total = 0;

  constructor(private readonly most: number) {}

  /** A copy to simulate further use. */
  copy(): SharedSlots {
    const copy = new SharedSlots(this.most);
    copy.sites = this.sites.copy();
    copy.accounts = this.accounts.copy();
    copy.total = this.total;
    return copy;
  }

  get free(): number {
    return this.most - this.total;
  }

  accountRoom(account: string): number {
    return Math.min(this.free, this.accounts.room(account, this.free));
  }

  siteRoom(site: string): number {
    return Math.min(this.free, this.sites.room(site, this.free));
  }

  room({ site, account }: Tenant): number {
    return Math.min(this.siteRoom(site), this.accountRoom(account));
  }

  change({ site, account }: Tenant, by: number): void {
    this.sites.change(site, by);
    this.accounts.change(account, by);
    this.total += by;
  }
}

/** The slots of deliveries of failing webhooks. */
export const failingSlots = (): SharedSlots => new SharedSlots(MAX_FAILING);

/**
 * Shares a process's slots among webhooks, their sites and accounts. A webhook starts with one slot and gets
 * twice as many with each success, so that a receiver that hangs from the start occupies one. The fuller the
 * process, the fewer slots each may have.
 */
export class SendingSlots {
  readonly shared = new SharedSlots(MAX_IN_FLIGHT);
  private readonly webhooks = new Shares(PART.webhook);
  /** Slots earned by a webhook; dropped when it has nothing to send. */
  private readonly earned = new Map<string, number>();

  get full(): boolean {
    return this.shared.free <= 0;
  }

  /** What the webhook may take, ignoring its site and account. */
  webhookRoom(webhookId: string): number {
    const earned = (this.earned.get(webhookId) ?? 1) - this.webhooks.of(webhookId);
    return Math.min(earned, this.webhooks.room(webhookId, this.shared.free));
  }

  /** Takes the further slots that the webhook may have; returns how many. */
  take(webhookId: string, tenant: Tenant): number {
    const slots = Math.max(0, Math.min(this.webhookRoom(webhookId), this.shared.room(tenant)));
    this.change(webhookId, tenant, slots);
    return slots;
  }

  /** Returns slots for which there was nothing to send. */
  giveBack(webhookId: string, tenant: Tenant, slots: number): void {
    this.change(webhookId, tenant, -slots);
    if (this.webhooks.of(webhookId) === 0) this.earned.delete(webhookId);
  }

  /** A delivery has ended. */
  end(webhookId: string, tenant: Tenant, ok: boolean): void {
    this.change(webhookId, tenant, -1);
    this.earned.set(webhookId, ok ? Math.min(MAX_OF_ONE, 2 * (this.earned.get(webhookId) ?? 1)) : 1);
  }

  private change(webhookId: string, tenant: Tenant, by: number): void {
    this.webhooks.change(webhookId, by);
    this.shared.change(tenant, by);
  }
}
