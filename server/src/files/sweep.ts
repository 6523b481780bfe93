import type { Knex } from 'knex';
import { dueObjects, forgetObject, postponeObject } from '../db/file-objects';
import type { FileStore } from './file-store';

/** Objects that are looked up at once. */
const BATCH = 200;
/** Failures in a row after which the bucket is left alone until the next run. */
const MOST_FAILURES = 3;

/** Deletes the objects of parts that are gone, and those that never became one; resolves with how many. */
export async function sweepObjects(db: Knex, store: FileStore, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  let failures = 0;
  for (let found = BATCH; found === BATCH; ) {
    const objects = await dueObjects(db, BATCH);
    for (const object of objects) {
      if (signal?.aborted || failures === MOST_FAILURES) return deleted;
      // First the object, then its row: a kill in between leaves a row, and the next run deletes nothing once more.
      if (await store.delete(object)) {
        await forgetObject(db, object);
        deleted += 1;
        failures = 0;
      } else {
        await postponeObject(db, object);
        failures += 1;
      }
    }
    found = objects.length;
  }
  return deleted;
}
