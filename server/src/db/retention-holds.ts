import type { Knex } from 'knex';

/** The hold on a site's retention, and what an owner has allowed. */
export interface RetentionHold {
  environment_id: string;
  /** Since when runs have deleted nothing from the site; null when they do. */
  held_since: Date | null;
  /** What the run that was held would have deleted. */
  records: number;
  /** Until then a run may delete this many records, whatever share of the site they are. */
  allowed_records: number | null;
  allowed_until: Date | null;
  allowed_by: number | null;
}

export const findHold = (db: Knex, environment_id: string): Promise<RetentionHold | undefined> =>
  db<RetentionHold>('retention_holds').where({ environment_id }).first().then();

const save = (db: Knex, hold: Partial<RetentionHold> & { environment_id: string }): Promise<unknown> =>
  db('retention_holds').insert(hold).onConflict('environment_id').merge().then();

/** A run was held: nothing was deleted from the site. */
export const hold = (db: Knex, environment_id: string, records: number, now: Date, since: Date | null) =>
  save(db, { environment_id, records, held_since: since ?? now });

/** A run completed; an allowance that it needed is used up. */
export const endHold = (db: Knex, environment_id: string): Promise<unknown> =>
  db('retention_holds').where({ environment_id }).delete().then();

/** The next run that needs it may delete this many records of the site. */
export const allow = (
  db: Knex,
  environment_id: string,
  allowance: Pick<RetentionHold, 'allowed_records' | 'allowed_until' | 'allowed_by'>,
) => save(db, { environment_id, ...allowance });

/** Whether an owner has allowed this many records to be deleted. */
export const isAllowed = (
  hold: Pick<RetentionHold, 'allowed_records' | 'allowed_until'> | undefined,
  records: number,
  now: Date,
): boolean =>
  hold?.allowed_records != null &&
  hold.allowed_until !== null &&
  hold.allowed_until > now &&
  hold.allowed_records >= records;
