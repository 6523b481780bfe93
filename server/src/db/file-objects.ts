import type { Knex } from 'knex';

/** An object of a bucket. */
export interface ObjectKey {
  environment_id: string;
  object_id: string;
}

// A cluster takes no volatile function in a change of what is distributed, such as clock_timestamp().
const FROM_NOW = "statement_timestamp() + ? * interval '1 second'";
const DAY = 24 * 3_600;

/** Before an object is stored: what no part of a file names within a day is deleted. */
export const announceObject = (db: Knex, key: ObjectKey): Promise<unknown> =>
  db('file_objects').insert({
    ...key,
    created_at: db.raw('statement_timestamp()'),
    delete_after: db.raw(FROM_NOW, [DAY]),
  });

/** A part names the object now; false when its time was over, and it may be deleted already. */
export const keepObject = async (trx: Knex, key: ObjectKey): Promise<boolean> =>
  (await trx('file_objects')
    .where(key)
    .whereRaw('delete_after > statement_timestamp()')
    .update({ delete_after: null })) === 1;

/** No part names these objects any more: once this is committed, they are deleted. */
export async function releaseObjects(
  trx: Knex,
  environment_id: string,
  object_ids: readonly (string | null)[],
): Promise<void> {
  const ids = object_ids.filter((id) => id !== null);
  if (ids.length === 0) return;
  await trx('file_objects')
    .where({ environment_id })
    .whereRaw('object_id = ANY(?::uuid[])', [ids])
    .update({ delete_after: trx.raw('statement_timestamp()') });
}

/** The same for everything of a deleted site; resolves with how many there were. */
export const releaseObjectsOf = (db: Knex, environment_id: string, most: number): Promise<number> =>
  db('file_objects')
    .where({ environment_id })
    .whereIn(
      'object_id',
      db('file_objects').where({ environment_id }).whereNull('delete_after').limit(most).select('object_id'),
    )
    .update({ delete_after: db.raw('statement_timestamp()') });

/** Objects that are to be deleted, the longest due first. */
export const dueObjects = (db: Knex, most: number): Promise<ObjectKey[]> =>
  db('file_objects')
    .whereRaw('delete_after <= statement_timestamp()')
    .orderBy('delete_after')
    .limit(most)
    .select('environment_id', 'object_id');

/** The bucket has the object no more. */
export const forgetObject = (db: Knex, key: ObjectKey): Promise<unknown> =>
  db('file_objects').where(key).whereNotNull('delete_after').delete();

/** It could not be deleted: others go first, and it is tried again in an hour. */
export const postponeObject = (db: Knex, key: ObjectKey): Promise<unknown> =>
  db('file_objects')
    .where(key)
    .whereNotNull('delete_after')
    .update({ delete_after: db.raw(FROM_NOW, [3_600]) });
