import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { VERSION } from '../config/version';
import { migrate } from '../db/migrate';
import { schemaState } from '../db/schema-state';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';

/** How soon a process looks again whether the one that does the work has finished or died, in milliseconds. */
const LOOK = 15_000;

/** Does the steps that no start waits for, one process at a time; ends when there are none, or by the signal. */
export async function runBackgroundSteps(db: Knex, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { background } = await schemaState(db, VERSION);
      if (background.length === 0) return;
      const done = await migrate(db, {
        ...{ version: VERSION, background: true, unlessBusy: true, signal },
        onWait: (migration, attempt) =>
          log.info({ migration, attempt }, 'a background step waits for a table that is in use; retrying'),
        onDone: (migration) => log.info({ migration }, 'a background step of the upgrade is done'),
      });
      if (done) return;
    } catch (error) {
      if (signal.aborted) return;
      logFailure(log, 'error', { error }, 'a background step of the upgrade failed; it is tried again soon');
    }
    await delay(LOOK, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
