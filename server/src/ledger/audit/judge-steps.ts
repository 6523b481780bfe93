import { beganAt } from '../../db/ledger/began';
import {
  type KeptFact,
  partsOf,
  placedStep,
  readSealed,
  type SealedSize,
  sealedSizes,
} from '../../db/ledger/kept';
import { breachRecord, dsarRecord } from '../../db/ledger/records';
import { BreachRow, DsarRow } from '../../db/models';
import { differences } from '../../domain/ledger/differences';
import { changesOf } from '../../domain/ledger/history-steps';
import { SealedSteps } from '../../domain/ledger/sealed-steps';
import { STEPPED, type SteppedKind } from '../../domain/ledger/step-rules';
import type { HistoryEntry } from '../../domain/types';
import { runYielding } from '../../domain/yielding';
import { type Audited, NIL } from './audited-site';
import type { Budget } from './budget';
import { LeafOrder } from './leaf-order';

/** Ids that are read at once. */
const SOME = 500;
/** Steps that a finding names. */
const NAMED = 5;

type Stepped = (DsarRow | BreachRow) & { history: HistoryEntry[] };

const KEYS = { dsar: 'request_id', breach: 'breach_id' } as const;
const TABLES = { dsar: 'dsar_requests', breach: 'breaches' } as const;

const idOf = (kind: SteppedKind, row: Stepped): string =>
  (row as unknown as Record<string, string>)[KEYS[kind]] as string;

/** Ids of a site's requests or breaches, from one to another. */
export const steppedIds = async (
  { trx, site }: Audited,
  kind: SteppedKind,
  { after, to, limit }: { after: string; to?: string; limit: number },
): Promise<string[]> => {
  const key = KEYS[kind];
  const query = trx(TABLES[kind]).where({ environment_id: site.id }).where(key, '>', after);
  if (to !== undefined) query.where(key, '<=', to);
  return query.orderBy(key).limit(limit).pluck(key);
};

/** Requests and breaches are as their last step sealed them, and so is each entry of their histories. */
export async function judgeSteps(about: Audited, kind: SteppedKind): Promise<void> {
  for (let after = NIL; ; ) {
    const ids = await steppedIds(about, kind, { after, limit: SOME });
    await judgeStepped(about, kind, ids);
    about.progress(ids.length);
    if (ids.length < SOME) return;
    after = ids.at(-1) as string;
  }
}

/**
 * Judges some of them by what was sealed of them, so much at once as fits in memory. Resolves with those that were left
 * out, since the budget has no room for them.
 */
export async function judgeStepped(
  about: Audited,
  kind: SteppedKind,
  ids: readonly string[],
  budget?: Budget,
): Promise<string[]> {
  const { trx, site, head } = about;
  const sizes = await sealedSizes(trx, site.id, kind, ids);
  const sizeOf = (id: string): SealedSize => sizes.get(id) ?? { statements: 0, bytes: 0 };
  const sealed = ids.filter((id) => sizes.has(id));
  const fitting = new Set(sealed.filter((id) => budget?.take(sizeOf(id)) ?? true));
  const began = fitting.size === 0 ? '' : await beganAt(trx, site.id, head);
  for (const part of partsOf([...fitting], sizeOf)) await judgePart(about, kind, { ids: part, began });
  return sealed.filter((id) => !fitting.has(id));
}

async function judgePart(
  about: Audited,
  kind: SteppedKind,
  { ids, began }: { ids: readonly string[]; began: string },
): Promise<void> {
  const { trx, site } = about;
  const query = kind === 'dsar' ? DsarRow.query(trx) : BreachRow.query(trx);
  const rows = await query.where({ environment_id: site.id }).whereIn(KEYS[kind], [...ids]);
  const present = new Map((rows as unknown as Stepped[]).map((row) => [idOf(kind, row), row]));
  let judged: { id: string; steps: SealedSteps } | undefined;
  const judge = (): void => {
    const row = judged && present.get(judged.id);
    if (judged !== undefined && row !== undefined) judgeOne(about, kind, row, { steps: judged.steps, began });
  };
  const order = new LeafOrder(about);
  const take = function* (facts: readonly KeptFact[], behind: ReadonlySet<KeptFact>): Generator<void, void> {
    for (const fact of facts) {
      const { subject } = fact;
      if (judged?.id !== subject) {
        judge();
        judged = { id: subject, steps: new SealedSteps(kind) };
      }
      judged.steps.add(placedStep(fact), behind.has(fact));
      yield;
    }
  };
  for await (const facts of readSealed(trx, site.id, kind, ids)) {
    const behind = new Set<KeptFact>();
    for (const fact of facts) if (await order.isBehind(fact)) behind.add(fact);
    await runYielding(take(facts, behind));
  }
  judge();
}

function judgeOne(
  { findings }: Audited,
  kind: SteppedKind,
  row: Stepped,
  { steps, began }: { steps: SealedSteps; began: string },
): void {
  const name = `${STEPPED[kind]} ${idOf(kind, row)}`;
  const record = kind === 'dsar' ? dsarRecord(row as DsarRow) : breachRecord(row as BreachRow);
  const changed = differences(steps.last?.[STEPPED[kind]], record);
  if (changed.length > 0)
    findings.add('altered', `${name} is not as its last step sealed it: ${changed.join(', ')}`);
  const between = steps.altered.map(([n, fields]) => `step ${n} (${fields.join(', ')})`);
  if (between.length > 0) {
    const more = between.length > NAMED ? ` and ${between.length - NAMED} more` : '';
    const named = between.slice(0, NAMED).join(', ');
    findings.add('altered', `${name} was changed beside this server before ${named}${more}`);
  }
  if (steps.misplaced.length > 0) {
    const named = steps.misplaced.slice(0, NAMED).join(', ');
    findings.add('altered', `the steps of ${name} are not in the order in which they were sealed: ${named}`);
  }
  const altered = changesOf(steps.entries, row.history, began);
  if (altered !== undefined)
    findings.add('altered', `the history of ${name} is not the one that was sealed step by step: ${altered}`);
}
