import type { Settings } from './bundle.js';
import type { Heard } from './layer.js';
import type { State } from './report.js';
import { flags, isObject, member, text } from './tidy.js';

/** Times of records are whole milliseconds. */
const TOLERANCE = 1;
/** What a decision sets off in one go takes no longer, in milliseconds. */
const MOST_LATE = 2_000;
/** A visitor decides once or twice. */
const MOST_STATES = 200;

/** What was learned of a page view so far, which the page itself may drop. */
export interface Memory {
  decisions: Map<string, State>;
  /** Those that no event told of: there may have been others ahead of them. */
  unheard: Set<string>;
  /** What a rule allowed before the first decision. */
  before: unknown;
  /** Whether nothing was decided at first, as somebody has seen. */
  isBegun: boolean;
  /**
   * Milliseconds from a moment by the clock to one since the page began: what the browser says of its own beginning may be
   * off. Once, since a machine that sleeps moves it.
   */
  offset: number;
}

export const nothingYet = (): Memory => ({
  ...{ decisions: new Map(), unheard: new Set(), before: undefined, isBegun: false },
  offset: performance.now() - Date.now(),
});

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
export function statesOf(sources: Sources, memory: Memory = nothingYet()): State[] {
  learn(sources, memory);
  const { decisions, unheard } = memory;
  const made = [...decisions].sort(([, one], [, other]) => one.ms - other.ms);
  const states = made.flatMap(([key, state], at) => {
    const last = made[at - 1]?.[1];
    // What came between the two is not known.
    return last && unheard.has(key) ? [unknownFrom(last.ms), state] : [state];
  });
  const [first] = made;
  if (first === undefined || !first[1].earlier)
    states.unshift(beginning(sources, memory, first === undefined ? undefined : !unheard.has(first[0])));
  // It is not in force any more, and nothing has told when that began.
  if (first && sources.consent === null) states.push(unknownFrom(states.at(-1)?.ms ?? 0));
  return states;
}

function learn({ heard, consent }: Sources, memory: Memory): void {
  const { decisions, unheard, offset } = memory;
  /** When it was heard is exact, whatever the clock says. */
  const exact = new Map<string, number>();
  for (const { detail, ms } of heard) {
    const key = keyOf(detail);
    if (key !== undefined && ms !== undefined && !exact.has(key)) exact.set(key, ms);
  }
  const take = (detail: unknown, isHeard: boolean): void => {
    const key = keyOf(detail);
    if (key === undefined) return;
    if (isHeard) unheard.delete(key);
    if (decisions.has(key) || decisions.size >= MOST_STATES) return;
    const at = Date.parse(text(member(detail, 'recorded_at')) ?? '') + offset;
    const ms = exact.get(key);
    // An earlier one is told of, too, once the banner is there; it comes first then.
    const isNew = ms !== undefined && (memory.isBegun || decisions.size > 0);
    // It may have been there for longer than it was in force.
    if (at <= 0 && isNew) memory.isBegun = false;
    const isEarlier = at <= 0 && !isNew;
    // A tag manager is told ahead of whoever listens, and what it starts may keep these waiting.
    const isLate = ms !== undefined && at > 0 && at < ms && ms - at < MOST_LATE;
    if (!isHeard) unheard.add(key);
    decisions.set(key, {
      ms: isEarlier ? 0 : Math.max(ms ?? at, 0),
      ...(isLate && { since: at }),
      earlier: isEarlier,
      decision: text(member(detail, 'decision'), 40),
      method: text(member(detail, 'method'), 40),
      rule: text(member(detail, 'rule'), 40),
      categories: flags(member(detail, 'categories')),
      ...vendorsOf(detail),
    });
  };
  for (const { name, detail } of heard) {
    if (name === 'rule' && decisions.size === 0) memory.before ??= detail;
    if (name === 'ready' && detail === null && decisions.size === 0) memory.isBegun = true;
    if (/^(ready|consent|change)$/.test(name)) take(detail, true);
  }
  if (consent === null && decisions.size === 0) memory.isBegun = true;
  take(consent, false);
}

/** Where visitors choose by vendor. */
const vendorsOf = (detail: unknown): Pick<State, 'vendors'> => {
  const vendors = member(detail, 'vendors');
  return isObject(vendors) ? { vendors: flags(vendors) } : {};
};

/** The same decision has the same key, whoever tells of it. */
function keyOf(detail: unknown): string | undefined {
  const made = Date.parse(text(member(detail, 'recorded_at')) ?? '');
  if (Number.isNaN(made)) return;
  const [categories, vendors] = ['categories', 'vendors'].map((name) => flags(member(detail, name)));
  return JSON.stringify([made, text(member(detail, 'decision'), 40), categories, vendors]);
}

const unknownFrom = (ms: number): State => ({
  ...{ ms, earlier: false, decision: null, method: null, rule: null, categories: null },
});

/**
 * What holds while nothing is decided: what is required, and what a rule allows.
 * @param isNext whether it is known that the first decision known was the first; undefined where there is none
 */
function beginning({ settings, consent, rule }: Sources, memory: Memory, isNext: boolean | undefined): State {
  const before = memory.before ?? (isNext === undefined ? rule : undefined);
  const name = text(member(before ?? rule, 'rule'), 40);
  const isSeen = isNext === undefined ? consent === null : isNext && memory.isBegun;
  // Another rule may have allowed something, of which nothing is left to read.
  const asks = name === 'opt_in' || (name === null && !settings?.regions);
  const required = (): Record<string, boolean> =>
    Object.fromEntries((settings?.categories ?? []).map((one) => [one.key, one.required]));
  return {
    ...{ ms: 0, earlier: false, decision: null, method: null, rule: name },
    categories: before ? flags(member(before, 'categories')) : isSeen && asks && settings ? required() : null,
    ...vendorsOf(before),
  };
}

/** The state of a time; not known between a decision and the moment at which it was heard. */
export function stateAt(states: readonly State[], ms: number): State {
  const next = states.findIndex((state) => state.ms > ms + TOLERANCE);
  const { since = Number.POSITIVE_INFINITY } = states[next] ?? {};
  if (since <= ms + TOLERANCE) return unknownFrom(since);
  return states.at(next > 0 ? next - 1 : next) as State;
}
