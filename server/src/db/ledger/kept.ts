import type { Knex } from 'knex';

/** A statement that was kept, because the row that it is about can change. */
export interface Kept {
  kind: string;
  site: string;
  imported_on?: string;
  record: Record<string, unknown>;
}

export function readKept(statement: string | null): Kept | undefined {
  try {
    const kept = JSON.parse(statement ?? '');
    return typeof kept?.record === 'object' && kept.record !== null ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** What a statement says; nothing when it is none, which the audit tells. */
export const recordIn = (statement: string | null): Record<string, unknown> =>
  readKept(statement)?.record ?? {};

/** Which of the kinds whose rows change. */
type KeptKind = 'dsar' | 'breach' | 'erasure';

/** Everything that was sealed of some rows, by their id, the oldest first. */
export async function sealedOf(
  db: Knex,
  environment_id: string,
  kind: KeptKind,
  subjects: readonly string[],
): Promise<Map<string, Record<string, unknown>[]>> {
  const found = new Map<string, Record<string, unknown>[]>();
  if (subjects.length === 0) return found;
  const facts: { subject: string; statement: string | null }[] = await db('ledger_facts')
    .where({ environment_id, kind })
    .whereIn('subject', [...subjects])
    .orderBy('fact_id')
    .select('subject', 'statement');
  for (const { subject, statement } of facts) {
    const some = found.get(subject) ?? [];
    some.push(recordIn(statement));
    found.set(subject, some);
  }
  return found;
}

/** What was sealed last of some rows, by their id. */
export async function lastSealedOf(
  db: Knex,
  environment_id: string,
  kind: KeptKind,
  subjects: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  if (subjects.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: { subject: string; statement: string | null }[] }>(
    `SELECT DISTINCT ON (subject) subject, statement FROM ledger_facts
     WHERE environment_id = :environment_id AND kind = :kind AND subject = ANY (:subjects)
     ORDER BY subject, fact_id DESC`,
    { environment_id, kind, subjects: subjects as never },
  );
  return new Map(rows.map(({ subject, statement }) => [subject, recordIn(statement)]));
}
