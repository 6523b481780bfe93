import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { ConsentRow } from '../db/models';
import { timeOfId } from '../domain/ids';
import { allowedVendors } from '../domain/vendor-choices';

/** A query of its own each time; the earliest first. */
export interface Later {
  records(): QueryBuilder<ConsentRow>;
}

/**
 * What the session decided after a record. The session's choice is the decision that was stored last: a
 * record with a later date got its time from a wrong clock and was made before it.
 */
export async function laterDecisions(db: Knex, row: ConsentRow): Promise<Later | undefined> {
  const { environment_id, session_id, consent_id, recorded_at } = row;
  const latest = await db('session_choices')
    .where({ environment_id, session_id })
    .first<Pick<ConsentRow, 'consent_id'> | undefined>('consent_id');
  // Of a choice that was brought along the row has the time of its decision, and the id that of its record.
  const choice = latest && { id: latest.consent_id, at: timeOfId(latest.consent_id) };
  const ofSession = () => ConsentRow.records(db).where({ environment_id }).modify('ofSession', session_id);
  if (choice?.id === consent_id) return undefined;
  const isMisdated =
    choice !== undefined &&
    (recorded_at > choice.at || (recorded_at.getTime() === choice.at.getTime() && consent_id > choice.id));
  if (isMisdated) return { records: () => ofSession().modify('withId', choice.id) };
  return {
    records: () => {
      // The times are also compared by themselves, so that only the partitions between them are read.
      const records = ofSession()
        .where('recorded_at', '>=', recorded_at)
        .whereRaw('(recorded_at >= ? OR consent_id > ?)', [after(recorded_at), consent_id]);
      if (choice !== undefined) {
        records
          .where('recorded_at', '<', after(choice.at))
          .whereRaw('(recorded_at < ? OR consent_id <= ?)', [choice.at, choice.id]);
      }
      return records.orderBy(['recorded_at', 'consent_id']).limit(1);
    },
  };
}

/** The next millisecond: within one, ids tell what was later, whatever finer instant the database has. */
const after = (at: Date): Date => new Date(at.getTime() + 1);

/** The categories that a record allows. */
export const grantedBy = ({ categories }: Pick<ConsentRow, 'categories'>): string[] =>
  Object.keys(categories).filter((key) => categories[key]);

/** The first later decision that withdrew something which a record allows. */
export async function withdrawalOf(
  db: Knex,
  row: ConsentRow,
  known?: Later,
): Promise<ConsentRow | undefined> {
  const granted = { categories: grantedBy(row), vendors: allowedVendors(row.vendors) };
  if (granted.categories.length + granted.vendors.length === 0) return undefined;
  const later = known ?? (await laterDecisions(db, row));
  // Asked of the database, without a bound: thousands of repetitions must not hide it.
  return later?.records().modify('refusing', row.environment_id, granted).first();
}
