import type { Settings } from './bundle.js';
import type { Heard } from './layer.js';
import type { State } from './report.js';
import { flags, member, text } from './tidy.js';

/** Times of records are whole milliseconds. */
const TOLERANCE = 1;
/** A visitor decides once or twice. */
const MOST_STATES = 200;

/** Milliseconds since the page began, of a moment by the clock: what the browser says of its own beginning may be off. */
const sinceBegin = (time: number): number => time - Date.now() + performance.now();

interface Sources {
  settings: Settings | undefined;
  /** Events in order, those of the data layer first. */
  heard: readonly Heard[];
  /** What `Avow.getConsent()` says. */
  consent: unknown;
  /** What `Avow.on('rule')` says, where there are rules by region. */
  rule: unknown;
}

/** What was allowed when, as far as anybody can tell by now: the first is what the page began with. */
export function statesOf({ settings, heard, consent, rule }: Sources): State[] {
  const decisions = new Map<string, State>();
  const take = (detail: unknown, ms?: number): void => {
    const made = Date.parse(text(member(detail, 'recorded_at')) ?? '');
    if (Number.isNaN(made)) return;
    const at = sinceBegin(made);
    const state: State = {
      ms: Math.max(at > 0 ? (ms ?? at) : 0, 0),
      earlier: at <= 0,
      decision: text(member(detail, 'decision'), 40),
      method: text(member(detail, 'method'), 40),
      rule: text(member(detail, 'rule'), 40),
      categories: flags(member(detail, 'categories')),
      ...(member(detail, 'vendors') instanceof Object && { vendors: flags(member(detail, 'vendors')) }),
    };
    const { categories, vendors, decision } = state;
    const key = JSON.stringify([made, decision, categories, vendors]);
    const known = decisions.get(key);
    // When it was heard is exact.
    if (!known || (ms !== undefined && ms < known.ms)) decisions.set(key, state);
  };
  let before: unknown;
  for (const { name, detail, ms } of heard) {
    if (name === 'rule' && decisions.size === 0) before ??= detail;
    if (name === 'consent' || name === 'change') take(detail, ms);
  }
  take(consent);
  const made = [...decisions.values()].sort((one, other) => one.ms - other.ms).slice(0, MOST_STATES);
  if (made[0]?.earlier) return made;
  return [beginning(settings, before ?? (made.length === 0 ? rule : undefined), rule), ...made];
}

/** What holds while nothing is decided: what is required, and what a rule allows. */
function beginning(settings: Settings | undefined, before: unknown, rule: unknown): State {
  const name = text(member(before ?? rule, 'rule'), 40);
  const required = Object.fromEntries((settings?.categories ?? []).map((one) => [one.key, one.required]));
  const categories = before
    ? flags(member(before, 'categories'))
    : // Another rule may have allowed something, of which nothing is left to read.
      name === null || name === 'opt_in'
      ? required
      : null;
  return { ms: 0, earlier: false, decision: null, method: null, rule: name, categories };
}

export const stateAt = (states: readonly State[], ms: number): State =>
  states.filter((state) => state.ms <= ms + TOLERANCE).at(-1) ?? (states[0] as State);
