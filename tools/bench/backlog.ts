import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { groupKeyOf } from '../../server/src/db/ledger/group-key';
import { type Leaf, type PendingRow, pendingRows } from '../../server/src/db/ledger/pending';

/** Records of a group, and groups that are written at once. */
export const GROUP = 64;
const GROUPS = 100;

/** Writes so many random leaves of a site as groups that wait to be sealed. */
export async function writeBacklog(db: Knex, environment_id: string, records: number): Promise<void> {
  const at = new Date().toISOString();
  const leaf = (): Leaf => ({ environment_id, at, commitment: randomBytes(32).toString('hex') });
  for (let made = 0; made < records; made += GROUP * GROUPS) {
    const count = Math.min(GROUPS, Math.ceil((records - made) / GROUP));
    const groups = Array.from({ length: count }, () => Array.from({ length: GROUP }, leaf));
    await insertGroups(
      db,
      groups.flatMap((leaves) => pendingRows(groupKeyOf(db), leaves)),
    );
  }
}

const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');

export const insertGroups = async (db: Knex, groups: readonly PendingRow[]): Promise<void> => {
  const rows = groups.map((group) => ({ ...group, leaves: bytes(group.leaves), mac: bytes(group.mac) }));
  for (let from = 0; from < rows.length; from += 1_000)
    await db('ledger_pending').insert(rows.slice(from, from + 1_000));
};
