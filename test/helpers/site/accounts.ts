import type { Knex } from 'knex';
import { nextUserId } from '../../../server/src/db/next-user-id';

/** An account that nobody logs in to, made in the database. */
export async function account(db: Knex, more: { sponsor_id?: number } = {}): Promise<number> {
  const id = await nextUserId(db);
  const email = `${id}@example.com`;
  const at = new Date();
  await db('users').insert({
    ...{ id, email, email_key: email, name: 'Ada', password_hash: null },
    ...{ tokens_valid_from: at, created_at: at, ...more },
  });
  return id;
}
