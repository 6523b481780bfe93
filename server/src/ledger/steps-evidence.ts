import type { Knex } from 'knex';
import { headOf } from '../db/ledger/heads';
import { commitmentOf } from '../domain/ledger/commitment';
import { findLeaf, proveLeaf } from './proofs';
import { viewProof } from './record-evidence';
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
  const waiting = await countWaiting(db, environment_id, newest);
  const [last] = newest;
  const proof =
    waiting > 0 || last === undefined
      ? undefined
      : await proveLeaf(db, environment_id, commitmentOf(last.blinding, last.statement), last.at);
  const imported_on = counted.imported ? ((await headOf(db, environment_id))?.imported_on ?? null) : null;
  return {
    ...(await viewProof(db, environment_id, proof, imported_on?.toISOString() ?? null)),
    ...{ steps: Number(counted.steps), waiting },
  };
}

/** How many of these have no leaf yet. Most share their tiles. */
async function countWaiting(db: Knex, environmentId: string, steps: readonly StepRow[]): Promise<number> {
  const log = new RememberingReader(db, environmentId);
  let waiting = 0;
  for (const { blinding, statement, at } of steps) {
    const leaf = await findLeaf(log, Buffer.from(commitmentOf(blinding, statement), 'hex'), at);
    if (leaf === undefined) waiting += 1;
  }
  return waiting;
}
