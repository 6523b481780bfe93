import type { Knex } from 'knex';
import { countOldest } from '../db/scanned-pages';
import type { Logger } from '../observability/logger';

/** Takes in the scans that processes of the version before stored without a summary, one after the other. */
export async function countScans(db: Knex, log: Logger, signal?: AbortSignal): Promise<void> {
  let scans = 0;
  while (!signal?.aborted && (await countOldest(db))) scans += 1;
  if (scans > 0) log.info({ scans }, 'scans of the version before were counted');
}
