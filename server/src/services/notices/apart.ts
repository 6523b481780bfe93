import { endsAll } from '../../db/errors';
import { logFailure } from '../../observability/failures';
import type { Logger } from '../../observability/logger';

/** Does a part of the work; false when it failed, which keeps no other part from being done. */
export type Apart = (about: object, work: () => Promise<void>) => Promise<boolean>;

/** Parts of one work, and how many of them failed. */
export function inParts(log: Logger, message: string): { apart: Apart; failed(): number } {
  let failed = 0;
  return {
    failed: () => failed,
    apart: async (about, work) => {
      try {
        await work();
        return true;
      } catch (error) {
        // Without a database no part can be done.
        if (endsAll(error)) throw error;
        failed += 1;
        logFailure(log, 'error', { error, ...about }, message);
        return false;
      }
    },
  };
}
