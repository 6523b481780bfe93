import type { AvowConsent } from '../../src/banner.js';
import { apply } from './blocking.js';
import type { ConsentEvent, ConsentMethod, Decision } from './contract.js';
import { deleteCookies } from './cookies.js';
import { emit } from './events.js';
import { signal } from './google.js';
import { language } from './language.js';
import { type Memory, read, write } from './memory.js';
import { gpc, pageUrl, pause, uuid } from './page.js';
import { flush } from './send.js';

const DAY = 86_400_000;
const MOST_UNSENT = 20;
const optional = config.categories.filter(({ required }) => !required).map(({ key }) => key);

let current: Memory | null = null;
/** Made for this page view, and kept only with a decision: nothing is stored before one. */
let fresh = '';

export const sessionId = (): string => {
  fresh ||= uuid();
  return read()?.session_id ?? fresh;
};

/** Whether a category may be used now. One that the site does not have may not. */
export const allowed = (key: string): boolean =>
  config.categories.some((one) => one.key === key && (one.required || current?.categories[key] === true));

/** The visitor's own earlier choice, in force or not: a starting point for the next. Nothing is ticked without one. */
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

/** Asked again: for a new policy, when consent has expired, for a new category, and when only a signal that has ended refused. */
function inForce(memory: Memory | null): Memory | null {
  if (!memory || memory.policy_version !== config.policy_version) return null;
  const age = Date.now() - memory.at;
  // A day in the future is a clock put right meanwhile.
  if (age < -DAY || age > config.consent_lifetime_days * DAY) return null;
  if (memory.method === 'gpc' && !gpc()) return null;
  return optional.every((key) => key in memory.categories) ? memory : null;
}

/** What an earlier visit decided, before anything of the page runs. */
export function recall(): void {
  signal('default', allowed);
  current = inForce(read());
  if (current) signal('update', allowed);
}

/** This page, when it comes back from the browser's cache, may be without a decision that is still in force. Tells whether another is now. */
export const recallAgain = (): boolean => recallAs(inForce(read()));

/** What another tab has just decided counts here too, whatever it was asked; where storage was emptied, what was decided stays. */
export const follow = (): boolean => recallAs(read() ?? current);

function recallAs(next: Memory | null): boolean {
  const isNew = next?.at !== current?.at || next?.decision !== current?.decision;
  if (isNew) take(next);
  return isNew;
}

/** Takes a decision: kept, put into force, told to the page, and sent. */
export function decide(
  decision: Decision,
  method: ConsentMethod,
  allows: (key: string) => boolean = () => decision === 'accept_all',
): void {
  const memory = read();
  const categories = Object.fromEntries(optional.map((key) => [key, allows(key)]));
  const session_id = sessionId();
  const page_url = pageUrl();
  const event: ConsentEvent = {
    event_id: uuid(),
    session_id,
    decision,
    ...(decision === 'save_preferences' && { allowed: optional.filter((key) => categories[key]) }),
    language: language(),
    ...(page_url && { page_url }),
    banner_version: config.settings_version,
    bundle_hash: hash,
    method,
  };
  write({
    session_id,
    decision,
    categories,
    method,
    policy_version: config.policy_version,
    at: Date.now(),
    unsent: [...(memory?.unsent ?? []), event].slice(-MOST_UNSENT),
  });
  take(read());
  void flush();
}

/** Puts a decision into force: signals first, so that released tags find them. */
function take(next: Memory | null): void {
  const before = optional.filter(allowed);
  current = next;
  const now = optional.filter(allowed);
  signal('update', allowed);
  const told = consent();
  deleteCookies(allowed);
  // What is released may be heavy: the visitor's click has its answer first. Frames may have written cookies until they were emptied.
  void pause()
    .then(apply)
    .then(() => deleteCookies(allowed));
  if (!told) return;
  emit('consent', told);
  // A listener may have decided otherwise.
  if (current !== next) return;
  const granted = now.filter((key) => !before.includes(key));
  const withdrawn = before.filter((key) => !now.includes(key));
  if (granted.length + withdrawn.length > 0) emit('change', { ...told, granted, withdrawn });
}
