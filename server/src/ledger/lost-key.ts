import type { Knex } from 'knex';
import { lockHead } from '../db/ledger/heads';
import { signCheckpoint } from '../domain/ledger/note';
import type { ResealedCount } from '../security/stored-secrets';
import type { Vault } from '../security/vault';
import { currentKey, resealKeys } from './keys';
import { handOver } from './succession';

/** Logs that are looked for at once. */
const AT_ONCE = 500;

/** Seals the keys of all logs anew, and gives up those that are lost for good. */
export const resealLogKeys = (db: Knex, vault: Vault, isLost: boolean): Promise<ResealedCount> =>
  resealKeys(db, vault, isLost ? (key_id) => signAfterLoss(db, vault, key_id) : undefined);

/**
 * Signs the heads of a key that was lost with the one that signs now: the operator vouches for them as they are, since
 * nobody can tell any more whether they are genuine, and the lost key endorses nothing.
 */
async function signAfterLoss(db: Knex, vault: Vault, key_id: string): Promise<void> {
  for (;;) {
    const ids: string[] = await db('ledger_heads').where({ key_id }).limit(AT_ONCE).pluck('environment_id');
    if (ids.length === 0) return;
    for (const id of ids) await signHead(db, vault, { id, key_id });
  }
}

const signHead = (db: Knex, vault: Vault, { id, key_id }: { id: string; key_id: string }): Promise<void> =>
  db.transaction(async (trx) => {
    const head = await lockHead(trx, id);
    if (head?.key_id !== key_id) return;
    const { origin, size, root } = head;
    const present = await currentKey(trx, vault);
    await handOver(trx, vault, head, present);
    const note = signCheckpoint({ origin, size, root }, present.key);
    await trx('ledger_heads').where({ environment_id: id }).update({ note, key_id: present.id });
  });
