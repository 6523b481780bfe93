import { ERASED_KINDS } from '../../db/erasure-log';
import { erasedDigest } from '../../db/ledger/erased';
import { erasureRecord } from '../../db/ledger/records';
import { ErasureRow } from '../../db/models';
import { type Audited, NIL } from './audited-site';
import { differences } from './differences';
import { type FactRow, factsOf } from './facts-of';
import { readKept } from './judge-fact';
import { outlivedErasures } from './outlived-erasures';

/** Rows that are read at once. */
const SOME = 500;

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
    const facts = await factsOf(
      trx,
      site.id,
      'erasure',
      rows.map(({ erasure_id }) => erasure_id),
    );
    for (const row of rows) {
      const { erasure_id: id } = row;
      if (row.running > 0) {
        open += 1;
        continue;
      }
      const last = facts.get(id)?.at(-1);
      if (last === undefined) {
        if (ERASED_KINDS.some((kind) => row[kind] > 0))
          findings.add('inserted', `erasure ${id} was never sealed`);
        continue;
      }
      const digest = await erasedDigest(trx, site.id, id);
      const changed = differences(readKept(last.statement)?.record, erasureRecord(row, digest));
      if (changed.length > 0)
        findings.add('erasure', `erasure ${id} is not as it was sealed: ${changed.join(', ')}`);
    }
    if (rows.length < SOME) break;
    after = (rows.at(-1) as ErasureRow).erasure_id;
  }
  if (open > 0)
    findings.note(`${open} erasures are under way or were cut off: what they erased is sealed within a day.`);
  await judgeGone(about);
}

/** An erasure without its row: retention has deleted it, or somebody else has, before its time. */
async function judgeGone(about: Audited): Promise<void> {
  const { trx, site, findings } = about;
  for (let after = ''; ; ) {
    const ids = await goneAfter(about, after);
    const outlived = await outlivedErasures(about, ids);
    for (const id of ids) {
      const sealed = outlived.get(id);
      if (sealed === undefined)
        findings.add('deleted', `erasures ${id}: its steps are sealed, the row is gone`);
      else if ((await erasedDigest(trx, site.id, id)) !== sealed.leaves)
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
