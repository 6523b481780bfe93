import type { Knex } from 'knex';
import { headOf } from '../db/ledger/heads';
import { isPending } from '../db/ledger/pending';
import { findLeaf, type LeafProof, proveLeaf } from './proofs';
import type { LogReader } from './tile-reader';

/** A record as it is looked for in the log. */
export interface Sought {
  /** In hexadecimal digits; undefined when nothing hides it, as before it is imported. */
  commitment: string | undefined;
  at: Date;
}

/** How far a record has come: sealed with its proof, waiting, or neither, so that nothing proves it. */
export type SealingState = { status: 'sealed'; proof: LeafProof } | { status: 'waiting' | 'unproven' };

/** Looks for a record in the log, and where it is not there, among what waits. */
export async function sealingState(
  db: Knex,
  environment_id: string,
  { commitment, at }: Sought,
): Promise<SealingState> {
  const prove = async (): Promise<SealingState | undefined> => {
    const proof = commitment && (await proveLeaf(db, environment_id, commitment, at));
    return proof ? { status: 'sealed', proof } : undefined;
  };
  return (
    (await prove()) ??
    ((await isWaiting(db, environment_id, { commitment, at })) ? { status: 'waiting' } : undefined) ??
    // It was sealed in between.
    (await prove()) ?? { status: 'unproven' }
  );
}

/** Of some records those without a leaf: how many wait, and how many nothing proves. */
export async function countUnsealed(
  log: LogReader,
  { db, environmentId }: { db: Knex; environmentId: string },
  records: readonly { commitment: string; at: Date }[],
): Promise<{ waiting: number; unproven: number }> {
  const count = { waiting: 0, unproven: 0 };
  for (const { commitment, at } of records) {
    if ((await findLeaf(log, Buffer.from(commitment, 'hex'), at)) !== undefined) continue;
    // With a reader that remembers nothing, should it have been sealed in between.
    const { status } = await sealingState(db, environmentId, { commitment, at });
    if (status === 'waiting') count.waiting += 1;
    if (status === 'unproven') count.unproven += 1;
  }
  return count;
}

/** Whether a record is still to be sealed: by its group, or by an import that is not over. */
async function isWaiting(db: Knex, environment_id: string, { commitment, at }: Sought): Promise<boolean> {
  if (commitment !== undefined) return isPending(db, environment_id, { commitment, at });
  return (await headOf(db, environment_id))?.import_done !== true;
}
