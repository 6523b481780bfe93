import { breachRecord, dsarRecord } from '../../db/ledger/records';
import { BreachRow, DsarRow } from '../../db/models';
import { clock } from '../../domain/clock';
import type { HistoryEntry } from '../../domain/types';
import { type Audited, NIL } from './audited-site';
import { differences } from './differences';
import { type FactRow, factsOf } from './facts-of';
import { readKept } from './judge-fact';
import { changesOf } from './judge-history';

/** Rows that are read at once. */
const SOME = 500;

type Stepped = (DsarRow | BreachRow) & { history: HistoryEntry[] };

/** Requests and breaches are as their last step sealed them, and so is each entry of their histories. */
export async function judgeSteps(about: Audited, kind: 'dsar' | 'breach'): Promise<void> {
  const { trx, site, findings } = about;
  const key = kind === 'dsar' ? 'request_id' : 'breach_id';
  const name = kind === 'dsar' ? 'request' : 'breach';
  const began = await beganAt(about);
  for (let after = NIL; ; ) {
    const query = kind === 'dsar' ? DsarRow.query(trx) : BreachRow.query(trx);
    const rows = (await query
      .where({ environment_id: site.id })
      .where(key, '>', after)
      .orderBy(key)
      .limit(SOME)) as unknown as Stepped[];
    const ids = rows.map((row) => (row as unknown as Record<string, string>)[key] as string);
    const facts = await factsOf(trx, site.id, kind, ids);
    rows.forEach((row, n) => {
      const id = ids[n] as string;
      const sealed = facts.get(id) ?? [];
      if (sealed.length === 0) return;
      const record = kind === 'dsar' ? dsarRecord(row as DsarRow) : breachRecord(row as BreachRow);
      const changed = differences(readKept((sealed.at(-1) as FactRow).statement)?.record[name], record);
      if (changed.length > 0)
        findings.add('altered', `${name} ${id} is not as its last step sealed it: ${changed.join(', ')}`);
      const steps = sealed.map(({ statement }) => readKept(statement)?.record ?? {});
      const altered = changesOf(steps, row.history, began);
      if (altered !== undefined)
        findings.add(
          'altered',
          `the history of ${name} ${id} is not the one that was sealed step by step: ${altered}`,
        );
    });
    about.progress(rows.length);
    if (rows.length < SOME) return;
    after = ids.at(-1) as string;
  }
}

/** Before which instant the site may have had no log, as its import says, which is sealed; empty where it had none. */
async function beganAt({ trx, site, head }: Audited): Promise<string> {
  if (head !== undefined && !head.import_done) return clock.date().toISOString();
  const facts = (await factsOf(trx, site.id, 'import', [site.id])).get(site.id);
  return String(readKept(facts?.at(-1)?.statement ?? null)?.record.cutoff ?? '');
}
