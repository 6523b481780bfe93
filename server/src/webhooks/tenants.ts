import type { Knex } from 'knex';
import { GROUP } from '../db/account-groups';

/** The site and account of a webhook, which share slots. */
export interface Tenant {
  /** The id of its environment. */
  site: string;
  /** The group of who owns the site longest; a site without an owner stands for itself. */
  account: string;
}

/** SQL for the account of a webhook `w`. */
export const ACCOUNT = `coalesce(
  (SELECT (${GROUP})::text FROM members m JOIN users u ON u.id = m.user_id
   WHERE m.environment_id = w.environment_id AND m.role = 'owner'
   ORDER BY m.added_at, m.user_id LIMIT 1), w.environment_id::text)`;

/** The maximum number of cached webhooks. */
const MAX_KNOWN = 10_000;

/** A cache of the tenants of webhooks, refreshed by every sweep. */
export class Tenants {
  private readonly known = new Map<string, Tenant>();

  constructor(private readonly db: Knex) {}

  of(webhookId: string): Tenant | undefined {
    return this.known.get(webhookId);
  }

  know(webhooks: readonly (Tenant & { webhook_id: string })[]): void {
    if (this.known.size > MAX_KNOWN) this.known.clear();
    for (const { webhook_id, site, account } of webhooks) this.known.set(webhook_id, { site, account });
  }

  /** Deleted webhooks stay unknown. */
  async learn(webhookIds: readonly string[]): Promise<void> {
    const { rows } = await this.db.raw<{ rows: (Tenant & { webhook_id: string })[] }>(
      `SELECT w.webhook_id, w.environment_id AS site, ${ACCOUNT} AS account
       FROM webhooks w WHERE w.webhook_id = ANY(?)`,
      [[...webhookIds]],
    );
    this.know(rows);
  }
}
