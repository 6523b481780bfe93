import type { Knex } from 'knex';
import type { HeadRow } from '../../db/ledger/heads';
import { commitmentOf } from '../../domain/ledger/commitment';
import { type LeafPlace, proveBelow } from '../proofs';
import { sealingState } from '../sealing-state';
import type { LogReader } from '../tile-reader';
import type { HiddenRecord } from './records';

/** How far a record of a pack has come below the head of the pack; `unproven` as the API says it. */
export type RecordState = { status: 'sealed'; place: LeafPlace } | { status: 'waiting' | 'unproven' };

/** Where the records of a pack are looked for. */
export interface PackLog {
  db: Knex;
  environmentId: string;
  /** As the pack began; undefined when nothing was sealed by then. */
  head: HeadRow | undefined;
  log: LogReader;
}

/** Where a record is in the log below the head, or why it is not there. */
export async function recordState(pack: PackLog, record: HiddenRecord): Promise<RecordState> {
  const { db, environmentId, head } = pack;
  const { blinding, statement, at } = record;
  if (blinding === null) {
    // The import may have sealed it since its row was read.
    return { status: head?.import_done === true ? 'unproven' : 'waiting' };
  }
  const place = await placeOf(pack, record);
  if (place !== undefined) return { status: 'sealed', place };
  const commitment = commitmentOf(blinding, statement);
  const { status } = await sealingState(db, environmentId, { commitment, at });
  // What was sealed since is beyond the head: a later pack proves it.
  return { status: status === 'unproven' ? 'unproven' : 'waiting' };
}

/** The place alone; undefined when it is not below the head. */
export async function placeOf(
  { head, log }: Pick<PackLog, 'head' | 'log'>,
  { statement, blinding, at }: HiddenRecord,
): Promise<LeafPlace | undefined> {
  if (head === undefined || blinding === null) return undefined;
  return proveBelow(log, head, commitmentOf(blinding, statement), at);
}
