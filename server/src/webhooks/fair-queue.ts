import type { Tenant } from '../db/tenants';

/** Who may be served now. */
export interface Admission {
  account(account: string): boolean;
  site(site: string): boolean;
  /** `later` keeps its place; `never` removes it, and it will be added again when it may be served. */
  webhook(webhookId: string): 'now' | 'later' | 'never';
}

/**
 * Webhooks that wait to be served: accounts take turns, then the sites of an account, then the webhooks of a
 * site. One that may not be served now does not block those behind it.
 */
export class FairQueue {
  private readonly accounts = new Map<string, Map<string, Set<string>>>();

  add(webhookId: string, { site, account }: Tenant): void {
    const sites = this.accounts.get(account) ?? new Map<string, Set<string>>();
    const webhooks = sites.get(site) ?? new Set<string>();
    this.accounts.set(account, sites);
    sites.set(site, webhooks);
    webhooks.add(webhookId);
  }

  clear(): void {
    this.accounts.clear();
  }

  /** Takes out the next one that may be served. */
  next(admission: Admission): { webhookId: string; tenant: Tenant } | undefined {
    for (const [account, sites] of this.accounts) {
      if (!admission.account(account)) continue;
      for (const [site, webhooks] of sites) {
        if (!admission.site(site)) continue;
        const webhookId = take(webhooks, admission);
        if (webhookId !== undefined) {
          toTheEnd(sites, site, webhooks);
          toTheEnd(this.accounts, account, sites);
          return { webhookId, tenant: { site, account } };
        }
        if (webhooks.size === 0) sites.delete(site);
      }
      if (sites.size === 0) this.accounts.delete(account);
    }
    return undefined;
  }
}

function take(webhooks: Set<string>, admission: Admission): string | undefined {
  for (const webhookId of webhooks) {
    const may = admission.webhook(webhookId);
    if (may !== 'later') webhooks.delete(webhookId);
    if (may === 'now') return webhookId;
  }
  return undefined;
}

/** Moves it to the end, or removes it when nothing waits any more. */
function toTheEnd<Waiting extends { size: number }>(
  turns: Map<string, Waiting>,
  key: string,
  waiting: Waiting,
): void {
  turns.delete(key);
  if (waiting.size > 0) turns.set(key, waiting);
}
