import type { Knex } from 'knex';
import { makerOf } from './account-groups';

/** A site and its account, whose webhooks share slots, and whose mails are counted and take turns. */
export interface Tenant {
  /** The id of its environment. */
  site: string;
  /** Who made the site: whoever owns it may have been made an owner without their own yes. */
  account: string;
}

/** A tenant with whether one of the accounts that were invited made the site, not the one that began the group. */
export interface Counted extends Tenant {
  byInvited: boolean;
}

/** The tenants of these sites, except deleted ones. */
export async function tenantsOf(db: Knex, sites: readonly string[]): Promise<Counted[]> {
  if (sites.length === 0) return [];
  const { rows } = await db.raw<{ rows: Counted[] }>(
    `SELECT e.id AS site, ${makerOf('e')} AS account,
       EXISTS (SELECT FROM users u WHERE u.id = e.made_by AND u.sponsor_id IS NOT NULL) AS "byInvited"
     FROM environments e WHERE e.id = ANY(?)`,
    [[...sites]],
  );
  return rows;
}

/** The maximum number of cached sites. */
const MAX_KNOWN = 10_000;

/** A cache of the tenants by site, refreshed by every sweep. */
export class Tenants {
  private readonly known = new Map<string, Tenant>();

  constructor(private readonly db: Knex) {}

  of(site: string): Tenant | undefined {
    return this.known.get(site);
  }

  know(tenants: readonly Tenant[]): void {
    if (this.known.size > MAX_KNOWN) this.known.clear();
    for (const { site, account } of tenants) this.known.set(site, { site, account });
  }

  /** Deleted sites stay unknown. */
  async learn(sites: readonly string[]): Promise<void> {
    this.know(await tenantsOf(this.db, sites));
  }
}
