import type { AvowHeld } from '../../../src/banner.js';
import { consent } from '../consent.js';
import { emit } from '../events.js';
import { own } from '../own.js';
import { existing, preview, safely } from '../page.js';
import { CATEGORY, type HeldOne, type Hold, label, ruleOf } from './guard.js';
import { guardPage } from './install.js';
import type { Waits } from './rules.js';

let guard: Hold | undefined;

let isAllowed: (rule: Waits) => boolean;
/** What no rule names passes. */
const passes = (rule: Waits | undefined): boolean => !rule || isAllowed(rule);

/** Takes over what the snippet holds, by the rules of this bundle: what is allowed `may` say. */
export function takeOver(may: typeof isAllowed): void {
  isAllowed = may;
  const { rules } = config.auto_blocking ?? {};
  if (preview || !rules) return;
  // What lets go has no rules, and nothing to hold.
  guard = own<Hold>(existing, 'hold') ?? (rules[0] && guardPage([]));
  if (!guard) return;
  guard.learn(rules as never);
  guard.free = may;
  guard.tell = (one) => emit('held', shown(one));
  for (const one of guard.report) {
    one.rule = guard.find(one.url) ?? one.rule;
    guard.tell(one);
  }
}

/** Whether an element is as the guard has made it. */
export const isAuto = (element: Element): boolean => element.hasAttribute(CATEGORY);

/** The type that the page has given a script that waits. */
export const typeOf = (script: HTMLScriptElement): string | undefined =>
  script.dataset[isAuto(script) ? 'avowType' : 'type'];

/** Whether an element that nobody has marked up may be loaded; undefined for others. */
export function isFreeByRule(element: Element): boolean | undefined {
  if (!guard || !isAuto(element) || element.hasAttribute('data-category')) return;
  const rule = ruleOf(guard, element);
  // It may have the words of an older snippet.
  if (rule) label(element, rule);
  return passes(rule);
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

/** Has what no document has judged, sends what is allowed, and refuses what the visitor has. */
export function settleHeld(judge: (image: Element) => void): void {
  if (!guard) return;
  guard.decided = !!consent();
  for (const image of guard.loose) {
    judge(image);
    if (image.isConnected || image.hasAttribute('src')) guard.loose.delete(image);
  }
  for (const request of guard.requests) {
    // Those of older snippets have no address.
    const free = passes(request.url ? guard.find(request.url) : request.rule);
    if (!free && !guard.decided) continue;
    guard.requests.delete(request);
    safely(() => (free ? request.send() : request.refuse()));
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
  (guard?.report ?? []).map((one) => ({ ...shown(one), released: passes(guard?.find(one.url)) }));
