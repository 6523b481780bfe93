import type { Knex } from 'knex';
import { broken, type Finding, fine } from './finding';

/** Whether the database takes writes, as far as it says itself. */
export async function checkWrites(db: Knex): Promise<Finding> {
  const { rows } = await db.raw<{ rows: { standby: boolean; readOnly: boolean }[] }>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  );
  const [{ standby, readOnly } = { standby: false, readOnly: false }] = rows;
  if (standby) {
    return broken(
      'Writes: the database is a standby and takes none',
      'let DATABASE_URL lead to the primary, or name all hosts and add ?target_session_attrs=read-write',
    );
  }
  if (readOnly) {
    return broken(
      'Writes: the database is read-only',
      'set default_transaction_read_only = off there and reload, or let DATABASE_URL lead to the primary',
    );
  }
  return fine('Writes: the database takes them');
}
