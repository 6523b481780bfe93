import type { Knex } from 'knex';
import { clock } from '../domain/clock';

/** The database's time in milliseconds since 1970, as a column. */
export const DATABASE_TIME = 'extract(epoch FROM clock_timestamp())::float8 * 1000';

/** The database's current time, the one clock that all machines share. Also sets the process's clock. */
export async function databaseTime(db: Knex): Promise<Date> {
  const before = performance.now();
  const { rows } = await db.raw<{ rows: { now: number }[] }>(`SELECT ${DATABASE_TIME} AS now`);
  const { now } = rows[0] as { now: number };
  clock.observe(before, now, performance.now());
  return new Date(now);
}
