import { nativeError } from '../db/native-error';
import { outageOf } from '../db/outage';
import { type Logger, placesOf } from './logger';

/** How often a failure that lasts is told again, and after how long a silence it is over, in milliseconds. */
const AGAIN = 10_000;
const QUIET = 10_000;
/** How often that is checked, in milliseconds. */
const LOOK = 1_000;
/** Failures that are told apart at a time: more different ones are told one by one. */
const MAX_KINDS = 200;

type Level = 'warn' | 'error';

/** A failure that can last: what is the same has one key. */
export interface Failure {
  level: Level;
  key: string;
  /** The first line. */
  fields: object;
  message: string;
  /** What the later lines say, and how they say of what. */
  words: string;
  about: object;
}

interface Lasting extends Pick<Failure, 'level' | 'words' | 'about'> {
  since: number;
  seenAt: number;
  toldAt: number;
  /** All failures, and those not logged yet. */
  all: number;
  untold: number;
}

interface Failures {
  byKey: Map<string, Lasting>;
  timer: NodeJS.Timeout | undefined;
}

const failuresOf = new WeakMap<Logger, Failures>();

/**
 * Logs an error that was caught. What fails again and again for the same reason is told once, then with a
 * count every ten seconds, and when it is over: a full disk must not write a line for each visitor.
 */
export function logFailure(
  log: Logger,
  level: Level,
  fields: { error: unknown; [name: string]: unknown },
  message: string,
): void {
  const outage = outageOf(fields.error);
  if (outage === undefined) {
    const about = aboutOf(fields.error);
    const key = [message, about.code ?? about.name, placeOf(fields.error)].join('|');
    tellOnce(log, { level, key, fields, message, words: message, about });
    return;
  }
  const { kind, words } = outage;
  const told = { ...fields, outage: kind, during: message };
  tellOnce(log, { level: 'error', key: kind, fields: told, message: words, words, about: { outage: kind } });
}

/** Logs a failure, or counts it while the same one lasts. */
export function tellOnce(log: Logger, { level, key, fields, message, words, about }: Failure): void {
  const failures = failuresOf.get(log) ?? { byKey: new Map(), timer: undefined };
  failuresOf.set(log, failures);
  const now = performance.now();
  const known = failures.byKey.get(key);
  if (known !== undefined) {
    known.seenAt = now;
    known.all += 1;
    known.untold += 1;
    return;
  }
  log[level](fields, message);
  if (failures.byKey.size >= MAX_KINDS) return;
  const times = { since: now, seenAt: now, toldAt: now };
  failures.byKey.set(key, { level, words, about, ...times, all: 1, untold: 0 });
  failures.timer ??= setInterval(() => look(log, failures), LOOK).unref();
}

/** Logs the counts of what still fails, because the process is ending. */
export function endFailures(log: Logger): void {
  const failures = failuresOf.get(log);
  if (failures === undefined) return;
  for (const lasting of failures.byKey.values()) tellAgain(log, lasting);
  failures.byKey.clear();
  look(log, failures);
}

function look(log: Logger, failures: Failures): void {
  const now = performance.now();
  for (const [key, lasting] of failures.byKey) {
    if (now - lasting.seenAt > QUIET) {
      failures.byKey.delete(key);
      end(log, lasting);
    } else if (now - lasting.toldAt >= AGAIN) {
      tellAgain(log, lasting);
    }
  }
  if (failures.byKey.size > 0) return;
  clearInterval(failures.timer);
  failures.timer = undefined;
}

function tellAgain(log: Logger, lasting: Lasting): void {
  const { level, words, about, untold } = lasting;
  if (untold === 0) return;
  log[level]({ ...about, failures: untold }, `still: ${words}`);
  lasting.untold = 0;
  lasting.toldAt = performance.now();
}

/** One that happened once has said everything. */
function end(log: Logger, { words, about, all, since, seenAt }: Lasting): void {
  if (all === 1 && !('outage' in about)) return;
  log.info({ ...about, failures: all, seconds: Math.round((seenAt - since) / 1000) }, `over: ${words}`);
}

function aboutOf(thrown: unknown): { name?: string; code?: string } {
  const { name, code } = nativeError(thrown) as { name?: unknown; code?: unknown };
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  };
}

/** Where it was thrown: two mistakes of the same kind are two failures. */
const placeOf = (thrown: unknown): string => (thrown instanceof Error && placesOf(thrown)[0]) || '';
