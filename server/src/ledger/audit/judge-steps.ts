import { beganAt } from '../../db/ledger/began';
import { sealedOf } from '../../db/ledger/kept';
import { breachRecord, dsarRecord } from '../../db/ledger/records';
import { BreachRow, DsarRow } from '../../db/models';
import { differences } from '../../domain/ledger/differences';
import { changesOf, type SealedStep } from '../../domain/ledger/history-steps';
import { alteredAmong, STEPPED, type SteppedKind } from '../../domain/ledger/step-rules';
import type { HistoryEntry } from '../../domain/types';
import { type Audited, NIL } from './audited-site';

/** Rows that are read at once. */
const SOME = 500;
/** Steps that a finding names. */
const NAMED = 5;

export type Stepped = (DsarRow | BreachRow) & { history: HistoryEntry[] };

export const KEYS = { dsar: 'request_id', breach: 'breach_id' } as const;

export const idOf = (kind: SteppedKind, row: Stepped): string =>
  (row as unknown as Record<string, string>)[KEYS[kind]] as string;

/** Rows of a site from one id to another. */
export const steppedRows = async (
  { trx, site }: Audited,
  kind: SteppedKind,
  { after, to, ids, limit }: { after: string; to?: string; ids?: readonly string[]; limit: number },
): Promise<Stepped[]> => {
  const query = kind === 'dsar' ? DsarRow.query(trx) : BreachRow.query(trx);
  query.where({ environment_id: site.id }).where(KEYS[kind], '>', after).orderBy(KEYS[kind]).limit(limit);
  if (to !== undefined) query.where(KEYS[kind], '<=', to);
  if (ids !== undefined) query.whereIn(KEYS[kind], [...ids]);
  return (await query) as unknown as Stepped[];
};

/** Requests and breaches are as their last step sealed them, and so is each entry of their histories. */
export async function judgeSteps(about: Audited, kind: SteppedKind): Promise<void> {
  for (let after = NIL; ; ) {
    const rows = await steppedRows(about, kind, { after, limit: SOME });
    await judgeStepped(about, kind, rows);
    about.progress(rows.length);
    if (rows.length < SOME) return;
    after = idOf(kind, rows.at(-1) as Stepped);
  }
}

/** Judges some of them, which may be of different pages. */
export async function judgeStepped(
  about: Audited,
  kind: SteppedKind,
  rows: readonly Stepped[],
): Promise<void> {
  const { trx, site, head } = about;
  if (rows.length === 0) return;
  const began = await beganAt(trx, site.id, head);
  const ids = rows.map((row) => idOf(kind, row));
  const sealed = await sealedOf(trx, site.id, kind, ids);
  for (const row of rows) {
    const steps = sealed.get(idOf(kind, row));
    if (steps !== undefined) judgeOne(about, kind, row, { steps, began });
  }
}

function judgeOne(
  { findings }: Audited,
  kind: SteppedKind,
  row: Stepped,
  { steps, began }: { steps: SealedStep[]; began: string },
): void {
  const name = `${STEPPED[kind]} ${idOf(kind, row)}`;
  const record = kind === 'dsar' ? dsarRecord(row as DsarRow) : breachRecord(row as BreachRow);
  const changed = differences(steps.at(-1)?.[STEPPED[kind]], record);
  if (changed.length > 0)
    findings.add('altered', `${name} is not as its last step sealed it: ${changed.join(', ')}`);
  const between = alteredAmong(kind, steps).map(([n, fields]) => `step ${n} (${fields.join(', ')})`);
  if (between.length > 0) {
    const more = between.length > NAMED ? ` and ${between.length - NAMED} more` : '';
    const named = between.slice(0, NAMED).join(', ');
    findings.add('altered', `${name} was changed beside this server before ${named}${more}`);
  }
  const altered = changesOf(steps, row.history, began);
  if (altered !== undefined)
    findings.add('altered', `the history of ${name} is not the one that was sealed step by step: ${altered}`);
}
