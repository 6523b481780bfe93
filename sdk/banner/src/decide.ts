import { apply } from './blocking.js';
import { allowed, consent, enforce, present, sessionId } from './consent.js';
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

/**
 * Asked again: for a new policy, when consent has expired, for a new category, and when only a signal that
 * has ended refused.
 */
function inForce(memory: Memory | null): Memory | null {
  if (!memory || memory.policy_version !== config.policy_version) return null;
  const age = Date.now() - memory.at;
  // A date in the future means that the clock was corrected meanwhile.
  if (age < -DAY || age > config.consent_lifetime_days * DAY) return null;
  if (memory.method === 'gpc' && !gpc()) return null;
  return optional.every((key) => key in memory.categories) ? memory : null;
}

/** Reads the decision of an earlier visit before anything of the page runs. */
export function recall(): void {
  signal('default', allowed);
  enforce(inForce(read()));
  if (present()) signal('update', allowed);
}

/**
 * This page, when it comes back from the browser's cache, may be without a decision that is still in force.
 * Tells whether another is now.
 */
export const recallAgain = (): boolean => recallAs(inForce(read()));

/**
 * What another tab has just decided counts here too, whatever it was asked; where storage was emptied, what
 * was decided stays.
 */
export const follow = (): boolean => recallAs(read() ?? present());

function recallAs(next: Memory | null): boolean {
  const isNew = next?.at !== present()?.at || next?.decision !== present()?.decision;
  if (isNew) take(next);
  return isNew;
}

/** Takes a decision: stores it, applies it, tells the page, and sends it. */
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

/** Applies a decision: signals first, so that released tags find them. */
function take(next: Memory | null): void {
  const before = optional.filter(allowed);
  enforce(next);
  const now = optional.filter(allowed);
  signal('update', allowed);
  const told = consent();
  deleteCookies(allowed);
  // Released scripts may be heavy, so respond to the click first. Frames may have set cookies until they were
  // emptied.
  void pause()
    .then(apply)
    .then(() => deleteCookies(allowed));
  if (!told) return;
  emit('consent', told);
  // A listener may have decided otherwise.
  if (present() !== next) return;
  const granted = now.filter((key) => !before.includes(key));
  const withdrawn = before.filter((key) => !now.includes(key));
  if (granted.length + withdrawn.length > 0) emit('change', { ...told, granted, withdrawn });
}
