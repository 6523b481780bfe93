import type { Knex } from 'knex';
import { clock } from '../../domain/clock';
import { SealedSteps } from '../../domain/ledger/sealed-steps';
import { fitsItsFact, type PlacedStep } from '../../domain/ledger/step-order';
import { alteredSince, STEPPED, type SteppedKind } from '../../domain/ledger/step-rules';
import { BreachRow, type DsarRow } from '../models';
import { keepFound } from './audits';
import { beganAt } from './began';
import { type NewFact, sealFact, sealFacts } from './facts';
import { headOf } from './heads';
import { lastSealedOf, placedStep, readSealed } from './kept';
import { breachRecord, dsarRecord, stepRecord } from './records';

type Stepped = DsarRow | BreachRow;

/** What was done last, by whom and with which words: the last entry of a history. */
const lastStep = ({ history }: Pick<DsarRow, 'history'>) => {
  const last = history.at(-1);
  if (last === undefined) throw new Error('a step is sealed with the entry of the history that it makes');
  return stepRecord(last);
};

const kindOf = (row: Stepped): SteppedKind => (row instanceof BreachRow ? 'breach' : 'dsar');
const idOf = (row: Stepped): string => (row instanceof BreachRow ? row.breach_id : row.request_id);
const recordOf = (row: Stepped) => (row instanceof BreachRow ? breachRecord(row) : dsarRecord(row));

/** What was sealed before: by which fact, and what somebody changed since. */
interface Before {
  altered?: readonly string[];
  after?: string | undefined;
}

/** What somebody changed of it beside this server is sealed with it, so that no later step makes it look genuine. */
const factOf = (row: Stepped, step: object, { altered = [], after }: Before = {}): NewFact => ({
  ...{ environmentId: row.environment_id, kind: kindOf(row), subject: idOf(row), keep: true, after },
  record: { ...step, [STEPPED[kindOf(row)]]: recordOf(row), ...(altered.length > 0 && { altered }) },
});

/** Seals a request as it is made. */
export const sealDsar = (trx: Knex, row: DsarRow): Promise<number> =>
  sealFact(trx, factOf(row, lastStep(row)));

/** Seals a breach as it is made. */
export const sealBreach = (trx: Knex, row: BreachRow): Promise<number> =>
  sealFact(trx, factOf(row, lastStep(row)));

/**
 * Stores what a step changes of a locked record, with its entry of the history, and seals it. A record that was changed
 * beside this server takes its steps all the same, since a legal deadline runs; what was changed is told, and sealed.
 * Resolves with the record, and the bytes that are stored for the step.
 */
export async function takeStep<Row extends Stepped>(
  trx: Knex,
  row: Row,
  patch: Partial<Row> & Pick<Row, 'history'>,
): Promise<{ saved: Row; bytes: number }> {
  const before = (await sealedBefore(trx, [row])).get(idOf(row));
  const saved = (await row.$query(trx).patchAndFetch(patch as never)) as unknown as Row;
  return { saved, bytes: await sealFact(trx, factOf(saved, lastStep(saved), before)) };
}

/** Seals a step of several requests of one site that changed nothing of them but the history. */
export async function sealDsars(trx: Knex, rows: readonly DsarRow[]): Promise<void> {
  const before = await sealedBefore(trx, rows);
  await sealFacts(
    trx,
    rows.map((row) => factOf(row, lastStep(row), before.get(row.request_id))),
  );
}

/** What was sealed last of records of one site and one kind, and what of them differs from it. */
async function sealedBefore(trx: Knex, rows: readonly Stepped[]): Promise<Map<string, Before>> {
  const [first] = rows;
  if (first === undefined) return new Map();
  const { environment_id } = first;
  const found = new Map<string, Before>();
  const sealed = await lastSealedOf(trx, environment_id, kindOf(first), rows.map(idOf));
  for (const row of rows) {
    const last = sealed.get(idOf(row));
    if (last === undefined) continue;
    const altered = alteredAfter(row, last);
    found.set(idOf(row), { altered, after: last.fact_id });
    if (altered.length > 0) await tell(trx, row, altered);
  }
  return found;
}

/** Another step was put in the place of the last one when that does not fit the time of its fact. */
const alteredAfter = (row: Stepped, last: PlacedStep): string[] => [
  ...alteredSince(kindOf(row), last.step, recordOf(row)),
  ...(fitsItsFact(last) ? [] : ['history']),
];

const tell = (trx: Knex, row: Stepped, altered: readonly string[]): Promise<unknown> => {
  const problem = `altered: ${STEPPED[kindOf(row)]} ${idOf(row)} was changed beside this server before a step: ${altered.join(', ')}`;
  return keepFound(trx, row.environment_id, problem, clock.date());
};

/** What was sealed of requests that an erasure takes texts of: before it is erased with what it said. */
export async function sealedSteps(
  trx: Knex,
  environment_id: string,
  ids: readonly string[],
): Promise<Map<string, SealedSteps>> {
  const found = new Map(ids.map((id) => [id, new SealedSteps('dsar')]));
  for await (const facts of readSealed(trx, environment_id, 'dsar', ids))
    for (const fact of facts) found.get(fact.subject)?.add(placedStep(fact));
  return found;
}

/**
 * Seals what an erasure left of a request, with its history: the steps that were sealed go with what they said. What they
 * show of changes beside this server stays.
 * @param taken the columns that the erasure emptied
 */
export async function sealErased(
  trx: Knex,
  row: DsarRow,
  { steps, taken, at }: { steps: SealedSteps | undefined; taken: readonly string[]; at: string },
): Promise<void> {
  const { environment_id, history } = row;
  const left = Object.fromEntries(Object.entries(dsarRecord(row)).filter(([name]) => !taken.includes(name)));
  const began = await beganAt(trx, environment_id, await headOf(trx, environment_id));
  const altered = steps?.alteredEver({ record: left, history, began }) ?? [];
  if (altered.length > 0) await tell(trx, row, altered);
  await sealFact(trx, factOf(row, { step: 'erased', at, history }, { altered, after: steps?.lastFact }));
}
