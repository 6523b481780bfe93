import { timeOfId } from '../ids';
import { MINUTE_MS } from '../time';
import type { SealedStep } from './history-steps';

/** How far apart clocks may be, and a step from what seals it, which waits for locks, in milliseconds. */
export const CLOCKS_OFF = 5 * MINUTE_MS;

/** A step with the fact that sealed it: facts are ordered by their ids, which no commitment holds. */
export interface PlacedStep {
  fact_id: string;
  step: SealedStep;
  /** From before the log: it states when the import began. */
  isImported: boolean;
}

/** The time that a step states, which is sealed, in milliseconds; no number where it states none. */
export const statedAt = (step: SealedStep): number => Date.parse(String(step.at));

/** Whether the time in the id of a fact is the one that its step states, as far as it states one. */
export const fitsItsFact = ({ fact_id, step, isImported }: PlacedStep): boolean =>
  isImported || !(Math.abs(statedAt(step) - timeOfId(fact_id).getTime()) > CLOCKS_OFF);
