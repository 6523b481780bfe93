import { type Placed, placeOf } from '../db/tenants';

/** What somebody may have now: nothing, more than they have, or their first. */
export type Room = 'none' | 'more' | 'first';

/** Who may be served now. */
export interface Admission {
  /** Of an account, of a part of it, of one of its members or of a site, by its place from the account down. */
  room(place: readonly string[]): Room;
  /** `later` keeps its place; `never` removes it, and it will be added again when it may be served. */
  webhook(webhookId: string): 'now' | 'later' | 'never';
}

export interface Next {
  webhookId: string;
  tenant: Placed;
}

/** Webhooks of one site, or what waits in a wider line. */
class Line {
  /** Whose turn is next comes first. */
  readonly lines = new Map<string, Line>();
  readonly webhooks = new Set<string>();
  constructor(readonly tenant: Placed) {}

  get isEmpty(): boolean {
    return this.lines.size === 0 && this.webhooks.size === 0;
  }
}

/**
 * Webhooks that wait to be served: accounts take turns, then the parts of an account (its founder, those that were
 * invited, those whom these invited), then who made the sites, their sites, and the webhooks of a site. Of an account,
 * whoever has nothing yet comes first, so that one quick receiver does not wait behind fifty slow ones. One that may not
 * be served now does not block those behind it.
 */
export class FairQueue {
  private readonly accounts = new Map<string, Line>();

  add(webhookId: string, tenant: Placed): void {
    let lines = this.accounts;
    let line: Line | undefined;
    for (const name of placeOf(tenant)) {
      line = lines.get(name) ?? new Line(tenant);
      lines.set(name, line);
      lines = line.lines;
    }
    line?.webhooks.add(webhookId);
  }

  clear(): void {
    this.accounts.clear();
  }

  /** Takes out the next one that may be served. */
  next(admission: Admission): Next | undefined {
    return takeOf(this.accounts, [], admission);
  }
}

function takeOf(lines: Map<string, Line>, place: readonly string[], admission: Admission): Next | undefined {
  const later: string[] = [];
  const take = (name: string): Next | undefined => {
    const line = lines.get(name) as Line;
    const found = takeWebhook(line, admission) ?? takeOf(line.lines, [...place, name], admission);
    // To the end, or away when nothing waits any more.
    if (found !== undefined || line.isEmpty) lines.delete(name);
    if (found !== undefined && !line.isEmpty) lines.set(name, line);
    return found;
  };
  for (const name of lines.keys()) {
    const room = admission.room([...place, name]);
    // Accounts go in their order alone: there may be thousands, of which the first mostly may.
    if (room === 'more' && place.length > 0) later.push(name);
    else if (room !== 'none') {
      const found = take(name);
      if (found !== undefined) return found;
    }
  }
  for (const name of later) {
    const found = take(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function takeWebhook({ webhooks, tenant }: Line, admission: Admission): Next | undefined {
  for (const webhookId of webhooks) {
    const may = admission.webhook(webhookId);
    if (may !== 'later') webhooks.delete(webhookId);
    if (may === 'now') return { webhookId, tenant };
  }
  return undefined;
}
