import type { Knex } from 'knex';
import { GROUP, NOBODY } from '../db/account-groups';
import { NO_SITE } from '../db/audit-events';
import { byItself, type Tenant, tenantsOf } from '../db/tenants';
import { registrableOf } from '../domain/cookies/party';
import { accountsWithMail, sitesWithMail } from './claim-mails';

/** Sites, and accounts, that one look finds. */
const MOST = 1_000;

/** Mails that wait one after the other: those of a site, or those of no site about one account. */
export interface MailLine extends Tenant {
  /** Where its mails are in the table. */
  environmentId: string;
  /** The account that they are about, of no site. */
  about?: number;
  /** Who has the places that its mails take, and no more than their share: a group of accounts; and a site, or a domain. */
  holders: readonly [group: string, own: string];
  /** Which of them is slow when its mails break off: the site, or the domain. */
  slowBy: string;
  /** Of a deleted account or an unknown site: it is nobody, so nobody else either. */
  isNobodys: boolean;
}

/** Finds the lines that have something to send. */
export class MailLines {
  /** Where the next look at each begins: with more of them than one look finds, all come up all the same. */
  private afterSite = NO_SITE;
  private after = -1;

  constructor(private readonly db: Knex) {}

  /** Whether the last look left some behind that it has not looked at. */
  get hasMore(): boolean {
    return this.after >= 0 || this.afterSite !== NO_SITE;
  }

  async find(most: number = MOST): Promise<MailLine[]> {
    const found = await sitesWithMail(this.db, this.afterSite, most);
    this.afterSite = found.last ?? NO_SITE;
    const sites = await mailTenants(this.db, found.sites);
    const { accounts, last } = await accountsWithMail(this.db, this.after, most);
    this.after = last ?? -1;
    return [...sites.map(lineOfSite), ...(await linesOfAccounts(this.db, accounts))];
  }
}

/** All sites and accounts of a group have their places together. */
const groupAt = (account: string): string => `group ${account}`;

const lineOfSite = (tenant: MailTenant): MailLine => ({
  ...tenant,
  ...{ environmentId: tenant.site, holders: [groupAt(tenant.account), tenant.site], slowBy: tenant.site },
});

/** Accounts take their turns with the sites of their group. Mails about those that are there no more are nobody's. */
async function linesOfAccounts(db: Knex, accounts: readonly number[]): Promise<MailLine[]> {
  if (accounts.length === 0) return [];
  const { rows } = await db.raw<{ rows: { id: number; group: number; email: string }[] }>(
    `SELECT u.id, ${GROUP} AS "group", u.email FROM users u WHERE u.id = ANY(?)`,
    [[...accounts]],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return accounts.map((about) => {
    const found = known.get(about);
    const { group, email } = found ?? { group: NOBODY, email: '' };
    const receiver = `to ${registrableOf(email.slice(email.lastIndexOf('@') + 1).toLowerCase())}`;
    const account = String(group);
    return {
      ...{ site: `about ${about}`, account, environmentId: NO_SITE, about },
      ...{ holders: [groupAt(account), receiver], slowBy: receiver },
      isNobodys: found === undefined,
    };
  });
}

interface MailTenant extends Tenant {
  isNobodys: boolean;
}

/** Sites with their accounts. */
export async function mailTenants(db: Knex, sites: readonly string[]): Promise<MailTenant[]> {
  const known = new Map((await tenantsOf(db, sites)).map((tenant) => [tenant.site, tenant]));
  return sites.map((site) => ({ ...(known.get(site) ?? byItself(site)), isNobodys: !known.has(site) }));
}
