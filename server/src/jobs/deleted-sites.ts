import type { Knex } from 'knex';
import { eraseSite } from '../db/erase-site';
import { HOUR_MS } from '../domain/time';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';

/** How long to wait after a deletion, in milliseconds: by then writes in flight have arrived. */
const SETTLED = HOUR_MS / 60;

/** Erases the records of sites that their owners deleted. `now` must be the database's time. */
export async function eraseDeletedSites(
  db: Knex,
  log: Logger,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const sites = await db('environments')
    .where('deleted_at', '<', new Date(now.getTime() - SETTLED))
    .select<{ id: string }[]>('id');
  for (const { id } of sites) {
    try {
      if (!(await eraseSite(db, id, signal))) return;
      log.info({ environment_id: id }, 'the records of a deleted site were erased');
    } catch (error) {
      // It must not stop the other sites.
      logFailure(
        log,
        'error',
        { error, environment_id: id },
        'a deleted site could not be erased; it is tried again',
      );
    }
  }
}
