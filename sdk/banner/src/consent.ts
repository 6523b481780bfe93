import type { AvowConsent } from '../../src/banner.js';
import { type Memory, read } from './memory.js';
import { uuid } from './page.js';

/** The decision in force. */
export let current: Memory | null = null;
/** The id made for this page view; it is stored only with a decision. */
let fresh = '';

export const sessionId = (): string => {
  fresh ||= uuid();
  return read()?.session_id ?? fresh;
};

/** Whether this site has a category. */
export const isKnown = (name: string): boolean => config.categories.some(({ key }) => key === name);

/** Whether a category is allowed now. A category that the site does not have is not. */
export const allowed = (key: string): boolean =>
  config.categories.some((one) => one.key === key && (one.required || current?.categories[key] === true));

/**
 * The visitor's own earlier choice, in force or not: the initial state of a switch. Without one it is off.
 */
export const ownChoice = (key: string): boolean => {
  const memory = read();
  return memory?.categories[key] === true && memory.method !== 'gpc';
};

/** The decision in force, in the form that the page gets. */
export function consent(): AvowConsent | null {
  if (!current) return null;
  const { decision, method, policy_version, at, session_id } = current;
  const categories = Object.fromEntries(config.categories.map(({ key }) => [key, allowed(key)]));
  return {
    decision,
    categories,
    method,
    policy_version,
    recorded_at: new Date(at).toISOString(),
    session_id,
  };
}

/** Puts another decision in force, or none. */
export const enforce = (next: Memory | null): void => {
  current = next;
};
