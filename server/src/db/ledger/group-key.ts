import type { Knex } from 'knex';
import type { Hosts } from '../hosts';
import { hostsOf } from '../knex';

/** By database: of several servers in one process each has its own. */
const keys = new WeakMap<Hosts, Buffer>();

/** Keeps the secret by which groups are sealed on a database. */
export const keepGroupKey = (db: Knex, key: Buffer): void => void keys.set(hostsOf(db), key);

/** The secret of a pool's, or a transaction's, database. Throws when it was not read before. */
export const groupKeyOf = (db: Knex): Buffer => keyAt(hostsOf(db));

/** The same by the database's address. */
export function keyAt(hosts: Hosts): Buffer {
  const key = keys.get(hosts);
  if (key === undefined)
    throw new Error('the secret of the evidence log was not read before something is sealed');
  return key;
}
