import type { Knex } from 'knex';
import type { FactRow } from '../statements';

export type { FactRow };

/** The facts of one kind, by what they are about, the oldest first. */
export async function factsOf(
  trx: Knex,
  environment_id: string,
  kind: FactRow['kind'],
  subjects: readonly string[],
): Promise<Map<string, FactRow[]>> {
  const found = new Map<string, FactRow[]>();
  if (subjects.length === 0) return found;
  const facts: FactRow[] = await trx('ledger_facts')
    .where({ environment_id, kind })
    .whereIn('subject', [...subjects])
    .orderBy('fact_id');
  for (const fact of facts) {
    const some = found.get(fact.subject) ?? [];
    found.set(fact.subject, [...some, fact]);
  }
  return found;
}
