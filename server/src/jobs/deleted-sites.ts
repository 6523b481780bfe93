import type { Knex } from 'knex';
import { type DeletedSite, deletedSites, erasureOf } from '../db/erase-site';
import { forgetMade } from '../db/made-sites';
import { HOUR_MS } from '../domain/time';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';

/** How long to wait after a deletion, in milliseconds: by then writes in flight have arrived. */
const SETTLED = HOUR_MS / 60;

/** A site that is being erased. */
interface Erasing {
  erasure: ReturnType<typeof erasureOf>;
  /** How many turns it had. */
  turns: number;
}

/**
 * Erases the records of sites that their owners deleted. Makers of sites take turns, then the sites of one, and what is
 * deleted meanwhile joins them: a site with a year of records keeps nobody waiting. `now` must be the database's time.
 */
export async function eraseDeletedSites(
  db: Knex,
  log: Logger,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  await forgetMade(db, now);
  const begun = performance.now();
  const open = new Map<string, Erasing>();
  const over = new Set<string>();
  for (;;) {
    const settled = new Date(now.getTime() + performance.now() - begun - SETTLED);
    const waiting = (await deletedSites(db, settled)).filter(({ id }) => !over.has(id));
    if (waiting.length === 0) return;
    for (const id of nextOnes(waiting, open)) {
      if (signal?.aborted) return;
      const site = open.get(id) ?? { erasure: erasureOf(db, id), turns: 0 };
      open.set(id, { ...site, turns: site.turns + 1 });
      if (!(await isOver(log, id, site))) continue;
      open.delete(id);
      over.add(id);
    }
  }
}

/** Of each maker the site that had the fewest turns, of those the one that was deleted first. */
function nextOnes(waiting: readonly DeletedSite[], open: ReadonlyMap<string, Erasing>): string[] {
  const turnsOf = (id: string): number => open.get(id)?.turns ?? 0;
  const next = new Map<string, string>();
  for (const { id, maker } of waiting) {
    const known = next.get(maker);
    if (known === undefined || turnsOf(id) < turnsOf(known)) next.set(maker, id);
  }
  return [...next.values()];
}

/** Takes a site's turn; whether nothing is left to do for it in this run. */
async function isOver(log: Logger, environment_id: string, { erasure }: Erasing): Promise<boolean> {
  try {
    if (!(await erasure.next()).done) return false;
    log.info({ environment_id }, 'the records of a deleted site were erased');
  } catch (error) {
    // It must not stop the other sites.
    logFailure(
      log,
      'error',
      { error, environment_id },
      'a deleted site could not be erased; it is tried again',
    );
  }
  return true;
}
