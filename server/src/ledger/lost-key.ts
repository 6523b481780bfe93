import type { Knex } from 'knex';
import { lockHead } from '../db/ledger/heads';
import { renewCheckpoint } from '../db/ledger/vouchers';
import { readCheckpoint, signCheckpoint } from '../domain/ledger/note';
import type { ResealedCount } from '../security/stored-secrets';
import type { Vault } from '../security/vault';
import { allKeys, currentKey, type KeyRow, resealKeys } from './keys';
import { handOver } from './succession';

/** Logs that are looked for at once. */
const AT_ONCE = 500;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Seals the keys of all logs anew, and gives up those that are lost for good. */
export const resealLogKeys = (db: Knex, vault: Vault, isLost: boolean): Promise<ResealedCount> =>
  resealKeys(db, vault, isLost ? (key_id) => signAfterLoss(db, vault, key_id) : undefined);

/**
 * Signs the heads of a key that was lost with the one that signs now: the operator vouches for them, and the lost key
 * endorses nothing. A head that the lost key has not signed is left as it is: nothing is sealed there any more.
 */
async function signAfterLoss(db: Knex, vault: Vault, key_id: string): Promise<void> {
  const lost = (await allKeys(db)).get(key_id);
  if (lost === undefined) return;
  for (let after = NIL; ; ) {
    const ids: string[] = await db('ledger_heads')
      .where({ key_id })
      .where('environment_id', '>', after)
      .orderBy('environment_id')
      .limit(AT_ONCE)
      .pluck('environment_id');
    for (const id of ids) await signHead(db, vault, id, lost);
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

const signHead = (db: Knex, vault: Vault, id: string, lost: KeyRow): Promise<void> =>
  db.transaction(async (trx) => {
    const head = await lockHead(trx, id);
    if (head?.key_id !== lost.key_id) return;
    const { origin, size, root } = head;
    const signed = readCheckpoint(head.note, origin, lost.public_key);
    if (signed?.size !== size || !signed.root.equals(root)) return;
    const present = await currentKey(trx, vault);
    await handOver(trx, vault, head, present);
    const note = signCheckpoint({ origin, size, root }, present.key);
    await trx('ledger_heads').where({ environment_id: id }).update({ note, key_id: present.id });
    await renewCheckpoint(trx, { environment_id: id, size, note });
  });
