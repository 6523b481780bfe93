import type { HistoryEntry } from '../types';
import { differences } from './differences';

/** What a step says in the log. */
export type SealedStep = Record<string, unknown>;

/** Entries that a finding names. */
const NAMED = 5;

/**
 * How a history differs from the steps that were sealed, the oldest first; undefined when it does not. It names the
 * fields, never what is in them.
 * @param began before this instant the site may have had no log: an ISO text, empty where it always had one
 */
export function changesOf(
  steps: readonly SealedStep[],
  history: readonly HistoryEntry[],
  began: string,
): string | undefined {
  const sealed = [...sealedBefore(steps[0]), ...steps.filter(isStep).map(entryOf)];
  const all = Array.isArray(history) ? history : [];
  const from = unsealedUntil(steps[0], began);
  const told = all.filter((entry) => from === undefined || String(Object(entry).at) > from);
  if (told.length !== sealed.length) return `${told.length} entries, ${sealed.length} were sealed`;
  const changed = told.flatMap((entry, n) => {
    const fields = changedFields(sealed[n] as SealedStep, Object(entry));
    return fields.length === 0 ? [] : [`entry ${n + 1 + all.length - told.length} (${fields.join(', ')})`];
  });
  if (changed.length === 0) return undefined;
  const more = changed.length > NAMED ? ` and ${changed.length - NAMED} more` : '';
  return `${changed.slice(0, NAMED).join(', ')}${more}`;
}

/** Whether it is one of the history: the others seal a record from before the log, or what an erasure left. */
const isStep = ({ step }: SealedStep): boolean => step !== 'imported' && step !== 'erased';

const entryOf = ({ step, request: _, breach: __, altered: ___, ...entry }: SealedStep): SealedStep => ({
  action: step,
  ...entry,
});

/** The history that was there already. Earlier versions did not seal it. */
const sealedBefore = (first: SealedStep = {}): SealedStep[] =>
  !isStep(first) && Array.isArray(first.history) ? first.history : [];

/** Entries up to this instant were not sealed; undefined where all of them were. */
function unsealedUntil(first: SealedStep = {}, began: string): string | undefined {
  if (!isStep(first)) return Array.isArray(first.history) ? undefined : String(first.at);
  // A step may have been taken on a record from before the log before that was sealed itself.
  const { created_at } = Object(first.request ?? first.breach);
  const isOlder = first.step !== 'created' && String(created_at) < began;
  return isOlder ? justBefore(String(first.at), began) : undefined;
}

/** The end of what is older than both. */
const justBefore = (...times: string[]): string =>
  new Date(Math.min(...times.map((time) => Date.parse(time))) - 1).toISOString();

/** Earlier versions sealed the action and the time of a step only. */
function changedFields(sealed: SealedStep, told: HistoryEntry): string[] {
  const isWhole = Object(sealed).actor !== undefined;
  return differences(sealed, isWhole ? told : { action: told.action, at: told.at });
}
