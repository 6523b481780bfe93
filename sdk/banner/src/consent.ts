import type { AvowConsent, AvowRule } from '../../src/banner.js';
import type { AskedVendor } from './contract.js';
import { EVERYTHING, type Memory, read } from './memory.js';
import { gpc, uuid } from './page.js';
import { asks, isSettled, place } from './region.js';
import { hold } from './tcf/cmp.js';
import { eachAsked } from './vendors/asked.js';

/** The decision in force. */
export let current: Memory | null = null;
/** The id made for this page view; it is stored only with a decision. */
export let fresh = tested ? uuid() : '';

export const sessionId = (): string => {
  fresh ||= uuid();
  return read()?.session_id ?? fresh;
};

/** Whether this site has a category. */
export const isKnown = (name: string): boolean => config.categories.some(({ key }) => key === name);

/** Whether a category is allowed now. A category that the site does not have is not. */
export const allowed = (key: string): boolean =>
  config.categories.some(
    (one) =>
      one.key === key &&
      (one.required || (regional && !current ? isFree(key) : current?.categories[key] === true)),
  );

/**
 * Whether the rule of the region allows a category while the visitor says nothing; the browser may object for them. What
 * they have refused themselves stays refused, however long ago and under whatever version of the policy.
 */
const isFree = (key: string): boolean => {
  // Nor while a refusal may be on its way, by a link.
  if ((linked && !isSettled) || asks() || gpc()) return false;
  const { no } = stored();
  return !no.has(EVERYTHING) && !no.has(key);
};

/** What is stored, and refused by it: read once for all vendors and elements about which a turn of the page asks. */
export const stored = (): NonNullable<typeof turn> => {
  if (turn) return turn;
  const memory = read();
  queueMicrotask(forget);
  turn = { memory, no: new Set(refusals(memory)) };
  return turn;
};
let turn: { memory: Memory | null; no: Set<string> } | undefined;
const forget = (): void => {
  turn = undefined;
};

/**
 * The keys, and names of vendors, that the visitor has refused themselves, or `EVERYTHING`. A decision by the browser
 * hides them; of one that does not tell, they may have refused anything.
 */
export const refusals = (memory: Memory | null): string[] =>
  memory?.method === 'gpc'
    ? (memory.gpc || EVERYTHING).split('.')
    : memory?.decision === 'reject_all'
      ? [EVERYTHING]
      : byVendor
        ? refused(allChoices(memory))
        : Object.keys(memory?.categories ?? {}).filter((key) => !memory?.categories[key]);

/** Those of vendors, too, under names that no category has. */
export const allChoices = (memory: Memory | null): Record<string, boolean> => ({
  ...memory?.categories,
  ...Object.fromEntries(Object.entries(memory?.vendors ?? {}).map(([id, is]) => [nameOf(id), is])),
});

const nameOf = (vendor: number | string): string => `-${vendor}`;

const refused = (choices: Record<string, boolean>): string[] =>
  Object.keys(choices).filter((key) => !choices[key]);

/**
 * The visitor's own earlier choice, in force or not: the initial state of a switch. Without one it is off, unless a rule
 * allows everything before that.
 */
export const ownChoice = (key: string): boolean => {
  const memory = regional || byVendor ? stored().memory : read();
  if (regional && !memory) return isFree(key);
  return memory?.categories[key] === true && memory.method !== 'gpc';
};

/** Whether a vendor is allowed now. One that a stored choice does not name is refused; without one it is as its categories. */
export function isVendorAllowed({ id, categories }: AskedVendor): boolean {
  if (regional && !current) return [...categories, nameOf(id)].every(isFree);
  const chosen = current?.vendors;
  return chosen ? chosen[id] === true : categories.every(allowed);
}

/** The initial state of a vendor's switch, as `ownChoice`. */
export function ownVendorChoice({ id, categories }: AskedVendor): boolean {
  const { memory } = stored();
  const chosen = memory?.method === 'gpc' ? undefined : memory?.vendors;
  return chosen ? chosen[id] === true : categories.every(ownChoice);
}

/** Whether each vendor is allowed now. */
export const vendorsNow = (): Record<string, boolean> => eachAsked(isVendorAllowed);

/** Whether each category is allowed now. */
export const allowedNow = (): Record<string, boolean> =>
  Object.fromEntries(config.categories.map(({ key }) => [key, allowed(key)]));

/** What holds in the visitor's region, in the form that the page gets. */
export const ruleNow = (): AvowRule => ({
  region: place.region ?? null,
  rule: place.rule,
  categories: allowedNow(),
  ...(byVendor && { vendors: vendorsNow() }),
});

/** The decision in force, in the form that the page gets. */
export function consent(): AvowConsent | null {
  if (!current) return null;
  const { decision, method, policy_version, at, session_id } = current;
  const categories = allowedNow();
  return {
    decision,
    categories,
    ...(byVendor && { vendors: vendorsNow() }),
    method,
    policy_version,
    ...(regional && current.rule && { rule: current.rule }),
    recorded_at: new Date(at).toISOString(),
    session_id,
    ...(tcf && current.tc && { tc_string: current.tc }),
  };
}

/** Puts another decision in force, or none. */
export const enforce = (next: Memory | null): void => {
  current = next;
  if (regional || byVendor) forget();
  if (tcf) hold(next?.tc);
};
