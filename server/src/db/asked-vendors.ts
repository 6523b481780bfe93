import type { Knex } from 'knex';
import type { AskedVendors } from '../domain/banner/asked-vendors';

/** What the banners of one version of a site's privacy policy have asked. */
export interface AskedRow {
  environment_id: string;
  policy_version: string;
  /** What every one of them has asked. */
  vendors: AskedVendors;
  /** The names of vendors in the present banner that others of them did not ask about. */
  added: string[];
  /** Since when there are any. */
  added_since: Date | null;
}

export const findAsked = (
  db: Knex,
  environment_id: string,
  policy_version: string,
): Promise<AskedRow | undefined> =>
  db<AskedRow>('asked_vendors').where({ environment_id, policy_version }).first().then();

export async function keepAsked(trx: Knex.Transaction, { vendors, ...row }: AskedRow): Promise<void> {
  await trx('asked_vendors')
    .insert({ ...row, vendors: JSON.stringify(vendors) })
    .onConflict(['environment_id', 'policy_version'])
    .merge();
}
