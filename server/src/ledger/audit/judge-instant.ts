import type { Knex } from 'knex';
import { timeOfId } from '../../domain/ids';
import type { Audited } from './audited-site';

/** Whether the database's instant is finer than a millisecond, which no statement says. */
export interface Instant {
  is_finer: boolean;
}

/** What a statement selects for it. */
export const isFiner = (db: Knex, column: string) =>
  db.raw("date_trunc('milliseconds', ??) <> ?? AS is_finer", [column, column]);

/** A record stands at the time in its id: by that it is found, and sealed no finer than a millisecond. */
export function judgeInstant(
  { findings }: Audited,
  { name, id }: { name: string; id: string },
  { recorded_at, is_finer }: Instant & { recorded_at: Date },
): void {
  if (is_finer || recorded_at.getTime() !== timeOfId(id).getTime())
    findings.add('altered', `${name} ${id}: recorded_at is not exactly the time in its id`);
}
