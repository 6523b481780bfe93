import type { AvowConsent } from '../../src/banner.js';
import { type Memory, read } from './memory.js';
import { uuid } from './page.js';

/** The decision in force. */
let current: Memory | null = null;
/** Created for this page view and stored only with a decision. */
let fresh = '';

export const sessionId = (): string => {
  fresh ||= uuid();
  return read()?.session_id ?? fresh;
};

/** Whether a category may be used now. One that the site does not have may not. */
export const allowed = (key: string): boolean =>
  config.categories.some((one) => one.key === key && (one.required || current?.categories[key] === true));

/**
 * The visitor's own earlier choice, in force or not: a starting point for the next. Nothing is ticked without
 * one.
 */
export const ownChoice = (key: string): boolean => {
  const memory = read();
  return memory !== null && memory.method !== 'gpc' && memory.categories[key] === true;
};

/** The decision in force, as the page is told of it. */
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

/** The decision in force, as it is kept. */
export const present = (): Memory | null => current;

/** From now on another decision is in force, or none. */
export const enforce = (next: Memory | null): void => {
  current = next;
};
