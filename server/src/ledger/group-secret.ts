import type { Knex } from 'knex';
import { keepGroupKey } from '../db/ledger/group-key';
import { groupOf, type StoredGroup } from '../db/ledger/pending';
import { groupMac } from '../domain/ledger/group';
import { type ResealedCount, resealStored, storedSecret } from '../security/stored-secrets';
import type { Vault } from '../security/vault';

/** By which the server knows what it wrote to be sealed. */
const NAME = 'ledger_groups';
/** Groups that are read at once. */
const AT_ONCE = 500;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Reads the secret, or makes it, before anything is sealed on a database. */
export async function openGroupKey(db: Knex, vault: Vault): Promise<void> {
  keepGroupKey(db, await storedSecret(db, vault, NAME));
}

/**
 * Seals it with the first key of the vault. One that no key opens is replaced when that key is lost for good: then the
 * operator vouches for what waits to be sealed, which gets new codes.
 */
export const resealGroupKey = (db: Knex, vault: Vault, isLost: boolean): Promise<ResealedCount> =>
  resealStored(db, vault, NAME, async () => {
    if (isLost) await replace(db, vault);
  });

async function replace(db: Knex, vault: Vault): Promise<void> {
  await db('server_secrets').where({ name: NAME }).delete();
  const key = await storedSecret(db, vault, NAME);
  for (let after = NIL; ; ) {
    const rows: StoredGroup[] = await db('ledger_pending')
      .where('group_id', '>', after)
      .orderBy('group_id')
      .limit(AT_ONCE);
    for (const row of rows) {
      const { environment_id, group_id } = row;
      const mac = Buffer.from(groupMac(key, groupOf(row)), 'hex');
      await db('ledger_pending').where({ environment_id, group_id }).update({ mac });
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.group_id;
  }
}
