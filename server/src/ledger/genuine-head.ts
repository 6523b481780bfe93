import type { Knex } from 'knex';
import type { HeadRow } from '../db/ledger/heads';
import type { GrowingTree } from '../domain/ledger/append';
import { bytesOf, readCheckpoint } from '../domain/ledger/note';
import type { Vault } from '../security/vault';
import { type SigningKey, signingKey } from './keys';

/** A log that is not as this server has signed it: to sign what follows would be to sign the change. */
export class ChangedLogError extends Error {
  override name = 'ChangedLogError';

  constructor() {
    super(
      'an evidence log is not as this server signed it: its head or its newest leaves were changed in the database. Nothing more is sealed there until they are restored from a backup',
    );
  }
}

/**
 * Refuses a head whose signature is not ours, or that the stored leaves do not lead to: whoever writes to the database
 * alone must not get a signature. After the loss of a key nobody can tell, and its successor has no endorsement.
 * @param tree as it was read for the head
 */
export async function refuseChanged(
  trx: Knex,
  vault: Vault,
  head: HeadRow,
  { tree, present }: { tree: GrowingTree; present: SigningKey },
): Promise<void> {
  const signer = head.key_id === present.id ? present : await signingKey(trx, vault, head.key_id);
  if (signer === undefined) return;
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
