import type { Knex } from 'knex';
import { erasureOf } from '../db/erase-site';
import { forgetMade } from '../db/made-sites';
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
  await forgetMade(db, now);
  const sites = await db('environments')
    .where('deleted_at', '<', new Date(now.getTime() - SETTLED))
    .orderBy('deleted_at')
    .select<{ id: string }[]>('id');
  let open = sites.map(({ id }) => ({ id, erasure: erasureOf(db, id) }));
  // In turns: a site with a year of records must not keep the others waiting for hours.
  while (open.length > 0) {
    const unfinished: typeof open = [];
    for (const { id, erasure } of open) {
      if (signal?.aborted) return;
      try {
        if ((await erasure.next()).done)
          log.info({ environment_id: id }, 'the records of a deleted site were erased');
        else unfinished.push({ id, erasure });
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
    open = unfinished;
  }
}
