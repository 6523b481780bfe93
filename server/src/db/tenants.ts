import type { Knex } from 'knex';
import { FOUNDER, placeInLine } from '../domain/fair-turns';
import { makerOf, makerWithin } from './account-groups';

/** A site and its account, whose webhooks share slots, and whose mails are counted and take turns. */
export interface Tenant {
  /** The id of its environment. */
  site: string;
  /** Who made the site: whoever owns it may have been made an owner without their own yes. */
  account: string;
}

/** A tenant with who of the account made the site: the one that began it, or one of those that were invited. */
export interface Placed extends Tenant {
  maker: string;
}

/**
 * Its place in a line of all sites: accounts take turns, then whoever began one, those that were invited and those whom
 * these invited, then who made the sites, then their sites. Anybody invited can make sites, and invite others.
 */
export const placeOf = ({ site, account, maker }: Placed): readonly string[] =>
  placeInLine([account, maker, site]);

/** A site that is of nobody's account, or of which nothing is known. */
export const byItself = (site: string): Placed => ({ site, account: site, maker: FOUNDER });

/** A tenant with whether one of the accounts that were invited made the site, not the one that began the group. */
export interface Counted extends Placed {
  byInvited: boolean;
}

/** The tenants of these sites, except deleted ones. */
export async function tenantsOf(db: Knex, sites: readonly string[]): Promise<Counted[]> {
  if (sites.length === 0) return [];
  const { rows } = await db.raw<{ rows: Counted[] }>(
    `SELECT e.id AS site, ${makerOf('e')} AS account, ${makerWithin('e')} AS maker,
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
  private readonly known = new Map<string, Placed>();

  constructor(private readonly db: Knex) {}

  of(site: string): Placed | undefined {
    return this.known.get(site);
  }

  know(tenants: readonly Placed[]): void {
    if (this.known.size > MAX_KNOWN) this.known.clear();
    for (const { site, account, maker } of tenants) this.known.set(site, { site, account, maker });
  }

  /** Deleted sites stay unknown. */
  async learn(sites: readonly string[]): Promise<void> {
    this.know(await tenantsOf(this.db, sites));
  }
}
