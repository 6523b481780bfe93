import type { Knex } from 'knex';
import { emailKeys } from '../domain/email-keys';
import { UserRow } from './models';

/** The account of an address, in whatever spelling; of two from a version before, the one that is spelled so. */
export function findAccount(db: Knex, email: string) {
  const keys = emailKeys(email);
  return UserRow.query(db)
    .whereIn('email_key', keys)
    .orderByRaw('array_position(?::text[], email_key)', [keys])
    .first();
}
