import type { Knex } from 'knex';
import { groupKeyOf } from '../db/ledger/group-key';
import type { HeadRow } from '../db/ledger/heads';
import type { GrowingTree } from '../domain/ledger/append';
import { isGenuineImport } from '../domain/ledger/import-state';
import { bytesOf, readCheckpoint } from '../domain/ledger/note';
import type { Vault } from '../security/vault';
import { type SigningKey, signingKey } from './keys';

/** A log that is not as this server has signed it: to sign what follows would be to sign the change. */
export class ChangedLogError extends Error {
  override name = 'ChangedLogError';

  constructor() {
    super(
      'an evidence log is not as this server signed it: its head or its newest leaves were changed in the database. Nothing more is sealed there until they are restored from a backup or, for an import that was under way when the server was upgraded, until npm run reseal -- --lost',
    );
  }
}

/**
 * Refuses a head whose signature is not ours, that the stored leaves do not lead to, or whose import would begin again:
 * whoever writes to the database alone must not get a signature. The heads of a key that was lost are signed when it is
 * given up (`npm run reseal -- --lost`), so a key that is not here is no excuse.
 * @param tree as it was read for the head
 */
export async function refuseChanged(
  trx: Knex,
  vault: Vault,
  head: HeadRow,
  { tree, present }: { tree: GrowingTree; present: SigningKey },
): Promise<void> {
  const signer = head.key_id === present.id ? present : await signingKey(trx, vault, head.key_id);
  if (signer === undefined) throw new ChangedLogError();
  if (!head.import_done && !isGenuineImport(groupKeyOf(trx), head, head.import_mac))
    throw new ChangedLogError();
  // By the private part, which is sealed: the public one lies open beside it.
  const signed = readCheckpoint(head.note, head.origin, bytesOf(signer.key));
  if (signed?.size !== head.size || !signed.root.equals(rootOf(tree))) throw new ChangedLogError();
}

function rootOf(tree: GrowingTree): Buffer {
  try {
    return tree.root();
  } catch {
    // A tile is missing, or shorter than its tree.
    return Buffer.alloc(0);
  }
}
