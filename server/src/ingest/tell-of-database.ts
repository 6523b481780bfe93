import { isUnavailable } from '../db/errors';
import { isAway, NODE_AWAY, outageOf } from '../db/outage';
import { logFailure, tellOnce } from '../observability/failures';
import type { Logger } from '../observability/logger';

/** Tells the operator that a way to the database failed; of a node which one, and each for itself. */
export function tellOfDatabase(log: Logger, node: string | undefined, error: unknown, message: string): void {
  if (node === undefined || !isUnavailable(error)) {
    logFailure(log, 'warn', { error, ...(node && { node }) }, message);
    return;
  }
  const outage = outageOf(error) ?? NODE_AWAY;
  const advice = isAway(outage) ? 'check that it runs, and that it can be reached from here' : outage.words;
  const words = `database node ${node} is not accepting writes: ${advice}`;
  const about = { outage: outage.kind, node };
  const fields = { error, ...about, during: message };
  tellOnce(log, {
    ...{ level: 'error', key: `${about.outage}|${node}` },
    ...{ fields, message: words, words, about },
  });
}
