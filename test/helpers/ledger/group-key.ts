import type { Knex } from 'knex';
import { keepGroupKey } from '../../../server/src/db/ledger/group-key';

/** A secret by which groups are sealed where no server has made one. */
export const GROUP_KEY = Buffer.alloc(32, 3);

/** For tests that store without a server: a pool that can seal. */
export function sealing(db: Knex): Knex {
  keepGroupKey(db, GROUP_KEY);
  return db;
}
