import type { Knex } from 'knex';

/** The database's time at this moment: the one clock that processes on several machines share. */
export async function databaseTime(db: Knex): Promise<Date> {
  const { rows } = await db.raw<{ rows: { now: Date }[] }>('SELECT clock_timestamp() AS now');
  return (rows[0] as { now: Date }).now;
}
