import { outageOf } from '../db/outage';
import type { Logger } from './logger';

/** How often a lasting failure is logged again, and after how much silence it is over, in milliseconds. */
const AGAIN = 60_000;
const QUIET = 10_000;
/** How often that is checked, in milliseconds. */
const LOOK = 1_000;

interface Lasting {
  words: string;
  since: number;
  seenAt: number;
  toldAt: number;
  /** All failures, and those not logged yet. */
  all: number;
  untold: number;
}

interface Failures {
  byKind: Map<string, Lasting>;
  timer: NodeJS.Timeout | undefined;
}

const failuresOf = new WeakMap<Logger, Failures>();

/**
 * Logs a caught error. Failures caused by the database are logged once in words, then with a count every
 * minute and when they end: a full disk must not cause a line per visitor.
 */
export function logFailure(
  log: Logger,
  level: 'warn' | 'error',
  fields: { error: unknown; [name: string]: unknown },
  message: string,
): void {
  const outage = outageOf(fields.error);
  if (outage === undefined) {
    log[level](fields, message);
    return;
  }
  const failures = failuresOf.get(log) ?? { byKind: new Map(), timer: undefined };
  failuresOf.set(log, failures);
  const now = performance.now();
  const known = failures.byKind.get(outage.kind);
  if (known !== undefined) {
    known.seenAt = now;
    known.all += 1;
    known.untold += 1;
    return;
  }
  const { words } = outage;
  failures.byKind.set(outage.kind, { words, since: now, seenAt: now, toldAt: now, all: 1, untold: 0 });
  log.error({ ...fields, outage: outage.kind, during: message }, words);
  failures.timer ??= setInterval(() => look(log, failures), LOOK).unref();
}

/** Logs the counts of what still fails, because the process is ending. */
export function endFailures(log: Logger): void {
  const failures = failuresOf.get(log);
  if (failures === undefined) return;
  for (const [kind, lasting] of failures.byKind) tellAgain(log, kind, lasting);
  failures.byKind.clear();
  look(log, failures);
}

function look(log: Logger, failures: Failures): void {
  const now = performance.now();
  for (const [kind, lasting] of failures.byKind) {
    if (now - lasting.seenAt > QUIET) {
      failures.byKind.delete(kind);
      const seconds = Math.round((lasting.seenAt - lasting.since) / 1000);
      log.info({ outage: kind, failures: lasting.all, seconds }, `over: ${lasting.words}`);
    } else if (now - lasting.toldAt > AGAIN) {
      tellAgain(log, kind, lasting);
    }
  }
  if (failures.byKind.size > 0) return;
  clearInterval(failures.timer);
  failures.timer = undefined;
}

function tellAgain(log: Logger, kind: string, lasting: Lasting): void {
  if (lasting.untold === 0) return;
  log.error({ outage: kind, failures: lasting.untold }, `still: ${lasting.words}`);
  lasting.untold = 0;
  lasting.toldAt = performance.now();
}
