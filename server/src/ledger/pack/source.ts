import type { Knex } from 'knex';
import { ConsentRow } from '../../db/models';
import { behind, lastPlace, type Placed, placed, upTo } from '../../db/paging';
import type { Named, Names } from './names';
import {
  beforeImport,
  FACT_COLUMNS,
  type FactRow,
  factsAbout,
  type HiddenRecord,
  hideConsents,
  hideFacts,
  type LogOwner,
} from './records';
import type { Subject } from './subject';

/** Rows that are read at once. */
const BATCH = 200;
/** Some facts, such as settings, are large. */
const FACTS = 20;
const ORDER = ['recorded_at', 'consent_id'] as const;

/**
 * The records of a pack, in batches and never ahead of whoever takes them: consents, facts, and then the settings,
 * vendors and bundles that they name.
 */
export async function* recordsOf(
  db: Knex,
  owner: LogOwner,
  subject: Subject,
  names: Names,
): AsyncGenerator<HiddenRecord[]> {
  if (subject.consents !== undefined) yield* consentsOf(db, owner, subject.consents, names);
  if (subject.facts !== undefined) yield* factsOf(db, owner, subject.facts, names);
  for (const [kind, subjects] of await names.settle()) {
    for (let from = 0; from < subjects.length; from += FACTS) {
      const some = subjects.slice(from, from + FACTS);
      const facts = await factsAbout(db, owner.id, kind, some);
      yield* oneByOne(db, owner, facts);
      const sealed = new Set(facts.map((fact) => fact.subject));
      for (const one of some) if (!sealed.has(one)) yield beforeImport(db, owner, kind, one);
    }
  }
}

async function* consentsOf(
  db: Knex,
  owner: LogOwner,
  matching: NonNullable<Subject['consents']>,
  names: Named,
): AsyncGenerator<HiddenRecord[]> {
  const all = () => {
    const rows = ConsentRow.records(db).where({ environment_id: owner.id });
    matching(rows);
    return rows;
  };
  const end = await lastPlace(all(), ORDER);
  if (end === undefined) return;
  for (let after: Placed<ConsentRow> | undefined, more = true; more; ) {
    const query = upTo(all(), ORDER, end)
      .orderBy([...ORDER])
      .select(placed('recorded_at'))
      .limit(BATCH);
    if (after !== undefined) behind(query, ORDER, [after.place, after.consent_id]);
    const rows = (await query) as Placed<ConsentRow>[];
    more = rows.length === BATCH;
    after = rows.at(-1);
    await names.note(rows);
    yield hideConsents(db, owner, rows);
  }
}

async function* factsOf(
  db: Knex,
  owner: LogOwner,
  matching: NonNullable<Subject['facts']>,
  names: Names,
): AsyncGenerator<HiddenRecord[]> {
  for (let after: string | undefined, more = true; more; ) {
    const query = db('ledger_facts')
      .where({ environment_id: owner.id })
      .orderBy('fact_id')
      .limit(FACTS)
      .select<FactRow[]>(...FACT_COLUMNS);
    matching(query);
    if (after !== undefined) query.where('fact_id', '>', after);
    const facts = (await query) as FactRow[];
    more = facts.length === FACTS;
    after = facts.at(-1)?.fact_id;
    names.found(facts);
    yield* oneByOne(db, owner, facts);
  }
}

/** A statement can have a mebibyte: of none more is in memory than the one that is taken. */
async function* oneByOne(
  db: Knex,
  owner: LogOwner,
  facts: readonly FactRow[],
): AsyncGenerator<HiddenRecord[]> {
  for (const fact of facts) yield hideFacts(db, owner, [fact]);
}
