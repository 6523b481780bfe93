import { clock } from '../domain/clock';
import type { Logger } from './logger';

/**
 * Call after each measurement: logs once when the clocks begin to disagree, and once when they agree again.
 */
export function watchClock(log: Logger): () => void {
  let told = false;
  return () => {
    const disagreement = clock.disagreement();
    if (disagreement !== undefined && !told)
      log.error(`jobs and readiness stop, because ${disagreement}; they go on when both agree again`);
    else if (disagreement === undefined && told)
      log.info("the clock of this machine and the database's agree again: jobs and readiness go on");
    told = disagreement !== undefined;
  };
}
