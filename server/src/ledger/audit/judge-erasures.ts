import { erasedDigest, type StoredNote } from '../../db/ledger/erased-notes';
import { sealedOf } from '../../db/ledger/kept';
import { erasureRecord } from '../../db/ledger/records';
import { ErasureRow } from '../../db/models';
import { ERASED_KINDS } from '../../db/seal-erasures';
import { differences } from '../../domain/ledger/differences';
import { isGenuineNote } from '../../domain/ledger/erased-note';
import { impossibleAmong, impossibleSince, type SealedErasure } from '../../domain/ledger/erasure-rules';
import type { FactRow } from '../statements';
import { type Audited, NIL } from './audited-site';
import { outlivedErasures } from './outlived-erasures';

/** Rows that are read at once; notes of an erasure that a sample looks at. */
const SOME = 500;
const NOTES = 5;

/** Erasures are as they were sealed, with what they took; without their row, as retention left them. */
export async function judgeErasures(about: Audited): Promise<void> {
  const { trx, site, findings } = about;
  let open = 0;
  for (let after = NIL; ; ) {
    const rows = await ErasureRow.query(trx)
      .where({ environment_id: site.id })
      .where('erasure_id', '>', after)
      .orderBy('erasure_id')
      .limit(SOME);
    open += await judgeSome(about, rows);
    if (rows.length < SOME) break;
    after = (rows.at(-1) as ErasureRow).erasure_id;
  }
  if (open > 0)
    findings.note(`${open} erasures are under way or were cut off: what they erased is sealed within a day.`);
  await judgeGone(about);
}

/**
 * How many of them have not ended.
 * @param isQuick what they took is not read, of which there may be millions
 */
export async function judgeSome(
  about: Audited,
  rows: readonly ErasureRow[],
  isQuick = false,
): Promise<number> {
  const { trx, site, head, findings } = about;
  let open = 0;
  const ids = rows.map(({ erasure_id }) => erasure_id);
  const sealed = await sealedOf(trx, site.id, 'erasure', ids);
  for (const row of rows) {
    const { erasure_id: id } = row;
    const all = sealed.get(id) ?? [];
    const last = all.at(-1);
    judgeOrder(findings, id, all);
    // The whole audit names each of them.
    if (isQuick && (row.running > 0 || last === undefined) && (await hasForeignNote(about, id)))
      findings.add('erasure', `erasure ${id} has notes in ledger_erased that no server made`);
    if (row.running > 0) {
      open += 1;
      const wrong = last === undefined ? [] : impossibleSince(last, erasureRecord(row, ''));
      if (wrong.length > 0)
        findings.add(
          'erasure',
          `erasure ${id} runs again, and cannot be what was sealed: ${wrong.join(', ')}`,
        );
    } else if (last === undefined) {
      // The import comes to those from before the log.
      const waits = head !== undefined && !head.import_done;
      if (!waits && ERASED_KINDS.some((kind) => row[kind] > 0))
        findings.add('inserted', `erasure ${id} was never sealed`);
    } else {
      const leaves = isQuick ? String(last.leaves) : await erasedDigest(trx, site.id, id);
      const changed = differences(last, erasureRecord(row, leaves));
      if (changed.length > 0)
        findings.add('erasure', `erasure ${id} is not as it was sealed: ${changed.join(', ')}`);
    }
  }
  return open;
}

/** Whether one of the first notes of an erasure is not the server's own: it is not sealed then. */
async function hasForeignNote({ trx, site, groupKey }: Audited, erasure_id: string): Promise<boolean> {
  const notes: StoredNote[] = await trx('ledger_erased')
    .where({ environment_id: site.id, erasure_id })
    .orderByRaw('mac IS NOT NULL, n')
    .limit(NOTES);
  return notes.some((note) => !isGenuineNote(groupKey, note, note.mac));
}

/** What is sealed of an erasure follows from what was sealed before. */
function judgeOrder(findings: Audited['findings'], id: string, sealed: readonly SealedErasure[]): void {
  const wrong = impossibleAmong(sealed);
  if (wrong.length > 0)
    findings.add('erasure', `erasure ${id} was sealed again as what it was not before: ${wrong.join(', ')}`);
}

/** An erasure without its row: retention has deleted it, or somebody else has, before its time. */
async function judgeGone(about: Audited): Promise<void> {
  const { trx, site, findings } = about;
  for (let after = ''; ; ) {
    const ids = await goneAfter(about, after);
    const outlived = await outlivedErasures(about, ids);
    const sealed = await sealedOf(trx, site.id, 'erasure', ids);
    for (const id of ids) {
      judgeOrder(findings, id, sealed.get(id) ?? []);
      const last = outlived.get(id)?.at(-1);
      if (last === undefined)
        findings.add('deleted', `erasures ${id}: its steps are sealed, the row is gone`);
      else if ((await erasedDigest(trx, site.id, id)) !== last.leaves)
        findings.add('erasure', `erasure ${id} is not as it was sealed: leaves`);
    }
    if (ids.length < SOME) return;
    after = ids.at(-1) as string;
  }
}

async function goneAfter({ trx, site }: Audited, after: string): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: Pick<FactRow, 'subject'>[] }>(
    `SELECT DISTINCT f.subject FROM ledger_facts f
     WHERE f.environment_id = :id AND f.kind = 'erasure' AND f.subject > :after AND NOT EXISTS (
       SELECT FROM erasures r WHERE r.environment_id = :id AND r.erasure_id::text = f.subject)
     ORDER BY 1 LIMIT ${SOME}`,
    { id: site.id, after },
  );
  return rows.map(({ subject }) => subject);
}
