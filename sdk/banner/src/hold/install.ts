import { holdElements } from './elements.js';
import { type Hold, hold } from './guard.js';
import { holdRequests } from './requests.js';
import type { Rule } from './rules.js';

/** Holds from now on what the page loads from places that wait for a category. */
export function guardPage(rules: readonly Rule[]): Hold {
  const guard = hold(rules);
  holdElements(guard);
  holdRequests(guard);
  return guard;
}
