import type { Knex } from 'knex';
import { newId } from '../../domain/ids';
import { type Group, groupMac, isGenuine } from '../../domain/ledger/group';
import { insertRows } from '../set-statement';
import { groupKeyOf } from './group-key';

/** A row of what a transaction will seal of a site; bytes as PostgreSQL writes them: `\x` and hexadecimal digits. */
export interface PendingRow {
  environment_id: string;
  group_id: string;
  first_at: string;
  last_at: string;
  leaves: string;
  mac: string;
}

export const INSERT_PENDING = insertRows<PendingRow>('avow_insert_pending', 'ledger_pending', {
  environment_id: 'uuid',
  group_id: 'uuid',
  first_at: 'timestamptz',
  last_at: 'timestamptz',
  leaves: 'bytea',
  mac: 'bytea',
});

/** A record that will be sealed: its time as an ISO 8601 string, its commitment in hexadecimal digits. */
export interface Leaf {
  environment_id: string;
  at: string;
  commitment: string;
}

/**
 * One row for each site, in the order of its records.
 * @param idOf makes the id of each: groups are sealed in the order of theirs
 */
export function pendingRows(
  key: Buffer,
  leaves: readonly Leaf[],
  idOf: () => string = () => newId(),
): PendingRow[] {
  const sites = new Map<string, { first_at: string; last_at: string; leaves: string }>();
  for (const { environment_id, at, commitment } of leaves) {
    const site = sites.get(environment_id);
    if (site === undefined) sites.set(environment_id, { first_at: at, last_at: at, leaves: commitment });
    else {
      if (at < site.first_at) site.first_at = at;
      if (at > site.last_at) site.last_at = at;
      site.leaves += commitment;
    }
  }
  return [...sites].map(([environment_id, site]) => {
    const group = { environment_id, group_id: idOf(), ...site };
    return { ...group, leaves: `\\x${site.leaves}`, mac: `\\x${groupMac(key, group)}` };
  });
}

/** A row of `ledger_pending` as it is read. */
export interface StoredGroup {
  environment_id: string;
  group_id: string;
  first_at: Date;
  last_at: Date;
  leaves: Buffer;
  mac: Buffer;
}

/** What its code is over. */
export const groupOf = ({ environment_id, group_id, first_at, last_at, leaves }: StoredGroup): Group => ({
  environment_id,
  group_id,
  first_at: first_at.toISOString(),
  last_at: last_at.toISOString(),
  leaves: leaves.toString('hex'),
});

/** Groups with one commitment that are looked at: there is one, but for those that somebody made. */
const GROUPS = 20;

/** Whether a record waits to be sealed: its commitment in hexadecimal digits, and when it was stored or dated. */
export async function isPending(
  db: Knex,
  environment_id: string,
  { commitment, at }: { commitment: string; at: Date },
): Promise<boolean> {
  const groups: StoredGroup[] = await db('ledger_pending')
    .where({ environment_id })
    // Thousands of groups may wait: few are of that time.
    .where('first_at', '<=', at)
    .where('last_at', '>=', at)
    .whereRaw('position(?::bytea IN leaves) > 0', [Buffer.from(commitment, 'hex')])
    .limit(GROUPS);
  // One with another code is never sealed.
  return groups.some((group) => isGenuine(groupKeyOf(db), groupOf(group), group.mac));
}
