import type { Knex } from 'knex';
import { countOldest } from '../db/scanned-pages';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';

/** Takes in the scans that processes of the version before stored without a summary, one after the other. */
export async function countScans(db: Knex, log: Logger, signal?: AbortSignal): Promise<void> {
  const failed: string[] = [];
  const fail = (error: unknown, environment_id: string): void => {
    failed.push(environment_id);
    const words = 'a scan of the version before could not be counted; it is tried again';
    logFailure(log, 'error', { error, environment_id }, words);
  };
  let scans = 0;
  while (!signal?.aborted && (await countOldest(db, failed, fail))) scans += 1;
  if (scans > failed.length)
    log.info({ scans: scans - failed.length }, 'scans of the version before were counted');
  // Those of the other sites were counted, and the run has failed all the same.
  if (failed.length > 0) throw new Error(`the scans of ${failed.length} sites could not be counted`);
}
