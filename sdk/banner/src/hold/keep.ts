import type { AvowHeld } from '../../../src/banner.js';
import { consent } from '../consent.js';
import { emit } from '../events.js';
import { own } from '../own.js';
import { existing, pause, preview } from '../page.js';
import { CATEGORY, type HeldOne, type Hold, isHeld, SOURCE } from './guard.js';
import { guardPage } from './install.js';
import type { Waits } from './rules.js';

let guard: Hold | undefined;

let isAllowed: (rule: Waits) => boolean;

/**
 * Takes over what the snippet holds, by the rules of this bundle: what is allowed `may` say. `changed` is called when more
 * is held.
 */
export function takeOver(may: typeof isAllowed, changed: () => void): void {
  isAllowed = may;
  const { rules } = config.auto_blocking ?? {};
  if (preview || !rules) return;
  guard = own<Hold>(existing, 'hold');
  if (guard) guard.learn(rules as never);
  else guard = guardPage(rules as never);
  guard.free = may;
  let waits = false;
  guard.tell = (one) => {
    emit('held', shown(one));
    if (waits) return;
    waits = true;
    void pause().then(() => {
      waits = false;
      changed();
    });
  };
  for (const one of guard.report) emit('held', shown(one));
}

/** Whether an element is as the guard has made it. */
export const isAuto = (element: Element): boolean => element.hasAttribute(CATEGORY);

/** The type that the page has given a script that waits. */
export const typeOf = (script: HTMLScriptElement): string | undefined =>
  script.dataset[isAuto(script) ? 'avowType' : 'type'];

/** Whether an element that nobody has marked up may be loaded; undefined for others. */
export function isFreeByRule(element: Element): boolean | undefined {
  if (!guard || !isAuto(element) || element.hasAttribute('data-category')) return;
  return !isHeld(guard, element);
}

/** Whether a script of the page made it, so that it can run where it is. */
export const isMade = (script: Element): boolean => !!guard?.made.has(script);

/** Does what the visitor wants once, of which the rules know nothing. */
export function lettingPass(work: () => void): void {
  if (guard) guard.free = () => true;
  try {
    work();
  } finally {
    if (guard) guard.free = isAllowed;
  }
}

/** Releases what no document has, and refuses what the visitor has. */
export function settleHeld(): void {
  if (!guard) return;
  guard.decided = !!consent();
  for (const image of guard.loose) {
    const source = image.getAttribute(SOURCE);
    if (!image.isConnected && source !== null && isHeld(guard, image)) continue;
    guard.loose.delete(image);
    if (!image.isConnected && source !== null) image.setAttribute('src', source);
  }
  for (const request of guard.requests) {
    const free = isAllowed(request.rule);
    if (!free && !guard.decided) continue;
    guard.requests.delete(request);
    free ? request.send() : request.refuse();
  }
}

const shown = ({ kind, url, rule: { category, vendor } }: HeldOne): AvowHeld => ({
  kind,
  url,
  category,
  ...(vendor && { vendor }),
});

/** What waits or has waited on this page. */
export const heldNow = (): (AvowHeld & { released: boolean })[] =>
  (guard?.report ?? []).map((one) => ({ ...shown(one), released: isAllowed(one.rule) }));
