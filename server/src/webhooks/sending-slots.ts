import { type Placed, placeOf } from '../db/tenants';
import { BY_INVITED, FOUNDER, INVITED } from '../domain/fair-turns';
import type { Room } from './fair-queue';

/** Deliveries in flight per process, and per webhook in a process. */
const MAX_IN_FLIGHT = 64;
const MAX_OF_ONE = 8;
/**
 * Deliveries of failing webhooks in flight: half of the slots, so that dead receivers never occupy all of
 * them.
 */
const MAX_FAILING = 32;
/**
 * The share of the slots left by others that each may take, at least one slot. A site gets half and an account three
 * quarters, so that there is always room for the next account. Of an account, all that were invited get half, so that the
 * other half stays for whoever began it; and of theirs, those whom they invited get half.
 */
const PART = { webhook: 1 / 8, site: 1 / 2, account: 3 / 4, invited: 3 / 8, byInvited: 3 / 16 };

/** Taken slots by key, and how many each key may take. */
class Shares {
  constructor(private readonly taken = new Map<string, number>()) {}

  copy(): Shares {
    return new Shares(new Map(this.taken));
  }

  of(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  /** How many of the `free` slots it may take, or some that share a part. */
  room(part: number, free: number, ...keys: string[]): number {
    const own = keys.reduce((sum, key) => sum + this.of(key), 0);
    return Math.max(1, Math.floor((free + own) * part)) - own;
  }

  change(key: string, by: number): void {
    const slots = this.of(key) + by;
    if (slots === 0) this.taken.delete(key);
    else this.taken.set(key, slots);
  }
}

const keyOf = (place: readonly string[]): string => place.join(' ');

/** All places that a tenant is in, the widest first: its account, its part of it, its maker, its site. */
const placesOf = (tenant: Placed): (readonly string[])[] =>
  placeOf(tenant).map((_, level, place) => place.slice(0, level + 1));

/** Slots that are shared by sites, by the accounts that they belong to, and by the parts of an account. */
export class SharedSlots {
  private taken = new Shares();
  private total = 0;

  constructor(private readonly most: number) {}

  /** A copy to simulate further use. */
  copy(): SharedSlots {
    const copy = new SharedSlots(this.most);
    copy.taken = this.taken.copy();
    copy.total = this.total;
    return copy;
  }

  get free(): number {
    return this.most - this.total;
  }

  /** Of one place alone, whatever the wider ones may take. */
  roomAt(place: readonly string[]): Room {
    if (this.slotsAt(place) <= 0) return 'none';
    // Accounts only take turns: to each of them something is left by all others.
    return place.length > 1 && this.taken.of(keyOf(place)) === 0 ? 'first' : 'more';
  }

  room(tenant: Placed): number {
    return Math.min(...placesOf(tenant).map((place) => this.slotsAt(place)));
  }

  change(tenant: Placed, by: number): void {
    for (const place of placesOf(tenant)) this.taken.change(keyOf(place), by);
    this.total += by;
  }

  private slotsAt(place: readonly string[]): number {
    const [account = '', part, , site] = place;
    if (site !== undefined) return Math.min(this.free, this.taken.room(PART.site, this.free, keyOf(place)));
    return place.length === 2 ? Math.min(this.free, this.partRoom(account, part as string)) : this.free;
  }

  /** Of a part of an account. Whoever began it has its half, also while others hold more than may be taken now. */
  private partRoom(account: string, part: string): number {
    const founder = keyOf([account, FOUNDER]);
    const invited = keyOf([account, INVITED]);
    const byInvited = keyOf([account, BY_INVITED]);
    const ofAll = this.taken.room(PART.account, this.free, account);
    if (part === FOUNDER) return Math.max(ofAll, this.taken.room(PART.invited, this.free, founder));
    const ofInvited = Math.min(ofAll, this.taken.room(PART.invited, this.free, invited, byInvited));
    if (part !== BY_INVITED) return ofInvited;
    return Math.min(ofInvited, this.taken.room(PART.byInvited, this.free, byInvited));
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
  private readonly webhooks = new Shares();
  /** Slots earned by a webhook; dropped when it has nothing to send. */
  private readonly earned = new Map<string, number>();

  get full(): boolean {
    return this.shared.free <= 0;
  }

  /** What the webhook may take, ignoring its site and account. */
  webhookRoom(webhookId: string): number {
    const earned = (this.earned.get(webhookId) ?? 1) - this.webhooks.of(webhookId);
    return Math.min(earned, this.webhooks.room(PART.webhook, this.shared.free, webhookId));
  }

  /** Takes the further slots that the webhook may have; returns how many. */
  take(webhookId: string, tenant: Placed): number {
    const slots = Math.max(0, Math.min(this.webhookRoom(webhookId), this.shared.room(tenant)));
    this.change(webhookId, tenant, slots);
    return slots;
  }

  /** Returns slots for which there was nothing to send. */
  giveBack(webhookId: string, tenant: Placed, slots: number): void {
    this.change(webhookId, tenant, -slots);
    if (this.webhooks.of(webhookId) === 0) this.earned.delete(webhookId);
  }

  /** A delivery has ended. */
  end(webhookId: string, tenant: Placed, ok: boolean): void {
    this.change(webhookId, tenant, -1);
    this.earned.set(webhookId, ok ? Math.min(MAX_OF_ONE, 2 * (this.earned.get(webhookId) ?? 1)) : 1);
  }

  private change(webhookId: string, tenant: Placed, by: number): void {
    this.webhooks.change(webhookId, by);
    this.shared.change(tenant, by);
  }
}
