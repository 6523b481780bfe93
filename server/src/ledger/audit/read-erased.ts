import { erasedDigest, type StoredNote } from '../../db/ledger/erased-notes';
import { sealedOf } from '../../db/ledger/kept';
import { isGenuineNote } from '../../domain/ledger/erased-note';
import type { SealedErasure } from '../../domain/ledger/erasure-rules';
import { HASH_BYTES } from '../../domain/ledger/hash';
import { type Audited, NIL } from './audited-site';
import type { Buckets } from './buckets';
import { outlivedErasures } from './outlived-erasures';
import { outlivedOn } from './versions';

/** Notes of erasures that are read at once: each holds up to 5,000 commitments. */
const NOTES = 20;

interface ErasedRow extends StoredNote {
  running: number | null;
  whole: boolean | null;
  kind: string | null;
  rule: string | null;
  begun_at: Date | null;
}

/** What erasures took, by notes that are sealed or have a code of ours. */
export async function readErased(about: Audited, buckets: Buckets): Promise<void> {
  const { trx, site, findings, groupKey, progress } = about;
  const taken = new Map<string, number>();
  const limits = new Map<string, number>();
  for (let after: [string, number] = [NIL, 0]; ; ) {
    const { rows } = await trx.raw<{ rows: ErasedRow[] }>(
      `SELECT g.*, e.running, e.whole, e.kind, e.rule, e.begun_at FROM ledger_erased g
       LEFT JOIN erasures e ON e.environment_id = g.environment_id AND e.erasure_id = g.erasure_id
       WHERE g.environment_id = :id AND (g.erasure_id, g.n) > (:erasure::uuid, :n::bigint)
       ORDER BY g.erasure_id, g.n LIMIT ${NOTES}`,
      { id: site.id, erasure: after[0], n: after[1] },
    );
    const ids = [...new Set(rows.map(({ erasure_id }) => erasure_id))];
    const gone = rows.filter(({ running }) => running === null).map(({ erasure_id }) => erasure_id);
    const outlived = await outlivedErasures(about, [...new Set(gone)]);
    const sealed = await sealedOf(trx, site.id, 'erasure', ids);
    for (const row of rows) {
      const { erasure_id, n, commitments, running } = row;
      const isUnknown = running === null && !outlived.has(erasure_id);
      if (isUnknown) findings.add('erasure', `ledger_erased: note ${n} is of no erasure (${erasure_id})`);
      if (!isUnknown && !taken.has(erasure_id))
        taken.set(erasure_id, await takenUpTo(about, row, sealed.get(erasure_id) ?? []));
      const isSealed = sealed.has(erasure_id) && !((running ?? 0) > 0);
      if (!isSealed && !isGenuineNote(groupKey, row, row.mac)) {
        if (!isUnknown)
          findings.add(
            'erasure',
            `ledger_erased: note ${n} of erasure ${erasure_id} has a code that no server made`,
          );
        continue;
      }
      if (!limits.has(erasure_id))
        limits.set(erasure_id, await limitOf(about, row, sealed.get(erasure_id)?.at(-1)));
      const at = limits.get(erasure_id) as number;
      // What was cut off may have noted more than it erased.
      const holder = Number(n) <= (taken.get(erasure_id) ?? 0) ? 'erased' : 'erasing';
      for (let from = 0; from + HASH_BYTES <= commitments.length; from += HASH_BYTES)
        buckets.add(commitments.subarray(from, from + HASH_BYTES), { holder, at });
      progress(commitments.length / HASH_BYTES);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = [last.erasure_id, Number(last.n)];
    for (const known of [taken, limits])
      for (const id of known.keys()) if (id !== last.erasure_id) known.delete(id);
  }
}

/** Before when records must be that an erasure took: those that retention took of visitors had outlived their time. */
async function limitOf(about: Audited, row: ErasedRow, sealed: SealedErasure | undefined): Promise<number> {
  const { kind, rule, begun_at } = sealed ?? row;
  if (kind !== 'retention' || rule !== 'consents') return Number.POSITIVE_INFINITY;
  const day = new Date(begun_at as string | Date).getTime();
  return outlivedOn(about, day, 'consents');
}

/**
 * The last note of what an erasure took for certain: all that was noted when it was sealed as whole. What is noted after
 * may be more than it took, and what it had taken stays taken, whatever its row says.
 */
async function takenUpTo(
  { trx, site, findings }: Audited,
  { erasure_id: id, running, whole }: ErasedRow,
  sealed: readonly SealedErasure[],
): Promise<number> {
  const isOver = running === null || running === 0;
  const end = sealed.findLast((one) => one.whole === true);
  if (end === undefined)
    return sealed.length === 0 && isOver && whole === true ? Number.POSITIVE_INFINITY : 0;
  // That all of them are those that were sealed is looked at with the erasure.
  if (isOver && end === sealed.at(-1)) return Number.POSITIVE_INFINITY;
  const notes: string[] = await trx('ledger_erased')
    .where({ environment_id: site.id, erasure_id: id })
    .orderBy('n', 'desc')
    .pluck('n');
  for (const n of [...notes.map(Number), 0])
    if ((await erasedDigest(trx, site.id, id, n)) === end.leaves) return n;
  findings.add('erasure', `erasure ${id}: what it had taken when it ended is not noted any more`);
  return 0;
}
