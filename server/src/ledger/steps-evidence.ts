import type { Knex } from 'knex';
import { headOf } from '../db/ledger/heads';
import { clock } from '../domain/clock';
import { commitmentOf } from '../domain/ledger/commitment';
import { viewState } from './record-evidence';
import { countUnsealed, type SealingState, type Sought, sealingState } from './sealing-state';
import { RememberingReader } from './tile-reader';

/** Steps that are looked for in the log, from the newest on: of a long history a page needs no more. */
const LOOKED_FOR = 10;

/** A step whose record can change, so that its statement is kept. */
interface StepRow {
  statement: string;
  blinding: string;
  at: Date;
}

/** Whether the steps of a request or of a breach are sealed, and who has vouched for a log with the newest one. */
export async function evidenceOfSteps(
  db: Knex,
  environment_id: string,
  kind: 'dsar' | 'breach',
  subject: string,
) {
  const facts = () => db('ledger_facts').where({ environment_id, kind, subject });
  const counted = await facts()
    .select(db.raw('count(*) AS steps'), db.raw('coalesce(bool_or(imported), false) AS imported'))
    .first<{ steps: number; imported: boolean }>();
  const newest: StepRow[] = await facts()
    .orderBy('fact_id', 'desc')
    .limit(LOOKED_FOR)
    .select('statement', 'blinding', 'at');
  const records = newest.map(({ blinding, statement, at }) => ({
    ...{ commitment: commitmentOf(blinding, statement), at },
  }));
  // Most share their tiles.
  const log = new RememberingReader(db, environment_id);
  const { waiting, unproven } = await countUnsealed(log, { db, environmentId: environment_id }, records);
  const state = await stateOf(db, environment_id, { newest: records[0], waiting, unproven });
  const imported_on = counted.imported ? ((await headOf(db, environment_id))?.imported_on ?? null) : null;
  return {
    ...(await viewState(db, environment_id, state, imported_on?.toISOString() ?? null)),
    ...{ steps: Number(counted.steps), waiting },
  };
}

/** That of the newest step, unless one of the others has not come so far. */
async function stateOf(
  db: Knex,
  environment_id: string,
  { newest, waiting, unproven }: { newest: Sought | undefined; waiting: number; unproven: number },
): Promise<SealingState> {
  if (unproven > 0) return { status: 'unproven' };
  if (waiting > 0) return { status: 'waiting' };
  return sealingState(db, environment_id, newest ?? { commitment: undefined, at: clock.date() });
}
