import type { AvowBanner, AvowRule } from '../banner.js';
import { loadedBanner } from './banner-calls.js';
import { type ConsentState, LOADING, loadedState } from './consent-state.js';

/** `show` too: a visitor who is asked again has no decision in force any more, and no other event says so. */
const EVENTS = ['ready', 'show', 'consent', 'change', 'rule'] as const;

const listeners = new Set<() => void>();
let state = LOADING;
let watching = false;

/** The present state: the same object until something changes. For browsers only. */
export function getState(): ConsentState {
  watch();
  return state;
}

/** Calls `listener` after each change of the state. Returns a function that ends this. */
export function subscribe(listener: () => void): () => void {
  watch();
  const own = (): void => listener();
  listeners.add(own);
  return () => void listeners.delete(own);
}

/** The page has one banner, which outlives every component: so do these listeners. */
function watch(): void {
  if (watching) return;
  watching = true;
  for (const name of EVENTS) document.addEventListener(`avow:${name}`, refresh);
  // The script may be there long before the end of a streamed page, which the first event waits for.
  document.addEventListener('load', whenLoaded, true);
  refresh();
}

function whenLoaded(): void {
  if (loadedBanner()) refresh();
}

function refresh(): void {
  const banner = loadedBanner();
  if (!banner) return;
  document.removeEventListener('load', whenLoaded, true);
  const consent = banner.getConsent();
  const rule = ruleOf(banner);
  const isSame = JSON.stringify([consent, rule]) === JSON.stringify([state.consent, state.rule]);
  if (!state.loading && isSame) return;
  state = loadedState(consent, rule);
  for (const listener of listeners) listener();
}

/** A banner tells the rule, once it is known, at once to whoever listens. */
function ruleOf(banner: AvowBanner): AvowRule | null {
  let now: AvowRule | null = null;
  banner.on('rule', (rule) => {
    now = rule;
  })();
  return now;
}
