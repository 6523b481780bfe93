import type { Knex } from 'knex';
import { type Tenant, tenantsOf } from '../db/tenants';

/** Accounts and sites whose last turn is remembered. */
const MAX_KNOWN = 10_000;

/**
 * Who is served next: the account that was not for the longest, and of its sites the one that was not. Whoever queues
 * thousands of mails, on however many sites, waits behind themselves. Mails of accounts are of no site, and are one
 * account by themselves.
 */
export class MailTurns {
  /** The number of the last turn of an account, and of a site. */
  private readonly last = new Map<string, number>();
  private turns = 0;

  /** The sites in the order of their turns, each once; a turn counts when the next is asked for. */
  *inOrder(tenants: readonly Tenant[]): Generator<string> {
    const left = new Set(tenants);
    while (left.size > 0) {
      const next = this.longestSince(left) as Tenant;
      left.delete(next);
      yield next.site;
      // Not reached for a site that there was no room for.
      this.note(next);
    }
  }

  private longestSince(tenants: Iterable<Tenant>): Tenant | undefined {
    let first: { tenant: Tenant; account: number; site: number } | undefined;
    for (const tenant of tenants) {
      const [account, site] = [this.lastOf('account', tenant.account), this.lastOf('site', tenant.site)];
      if (first === undefined || account < first.account || (account === first.account && site < first.site))
        first = { tenant, account, site };
    }
    return first?.tenant;
  }

  private lastOf(kind: string, id: string): number {
    return this.last.get(`${kind} ${id}`) ?? 0;
  }

  private note({ account, site }: Tenant): void {
    if (this.last.size > MAX_KNOWN) this.last.clear();
    this.turns += 1;
    for (const key of [`account ${account}`, `site ${site}`]) this.last.set(key, this.turns);
  }
}

/** Sites with their accounts; what is of no site is of an account of its own. */
export async function mailTenants(db: Knex, sites: readonly string[]): Promise<Tenant[]> {
  const known = new Map((await tenantsOf(db, sites)).map((tenant) => [tenant.site, tenant]));
  return sites.map((site) => known.get(site) ?? { site, account: site });
}
