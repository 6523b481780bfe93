import type { Knex } from 'knex';

/** The id of the next account or invitation, by itself: a cluster takes no call that writes among the values of a row. */
export async function nextUserId(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>('SELECT avow_next_user_id() AS id');
  return (rows[0] as { id: number }).id;
}
