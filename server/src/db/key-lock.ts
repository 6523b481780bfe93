import type { Knex } from 'knex';

/** The advisory locks of API keys. */
const KEYS = 730_585;

/** What a key changes is committed before its end is answered, or not at all. */
export async function lockKey(trx: Knex, id: string, kind: 'end' | 'use'): Promise<void> {
  const lock = kind === 'end' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await trx.raw(`SELECT ${lock}(?, hashtext(?))`, [KEYS, id]);
}
