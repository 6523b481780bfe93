import { allowsLess, isAfter, orderOf } from '../../src/cookie/format.js';
import type { ConsentEvent, ConsentMethod, Decision, RegionRule } from './contract.js';
import { json, preview } from './page.js';
import { readShared, writeShared } from './shared.js';

/**
 * The one item that is stored in the visitor's browser, besides the cookie that a site may have; strictly necessary to
 * remember the decision (ePrivacy Directive Art. 5(3)).
 */
export interface Memory {
  session_id: string;
  decision: Decision;
  /** Optional categories only. */
  categories: Record<string, boolean>;
  method: ConsentMethod;
  /** `1` where a link brought it and a refusal by hand was replaced by it: it is never widened then, as that was not. */
  by_hand?: number;
  policy_version: string;
  /** The string of IAB Europe's framework, empty where a cookie had no place for it, and what was asked by it. */
  tc?: string;
  tc_asks?: string;
  /** By their numbers, where visitors choose by vendor. */
  vendors?: Record<string, boolean>;
  /** The rule by which it was made, where there are rules by region. */
  rule?: RegionRule;
  /**
   * `1` when it was made while the browser sent Global Privacy Control, likewise. One that is by that signal has instead
   * the keys that the visitor had refused before, or `EVERYTHING`.
   */
  gpc?: string | false | undefined;
  /** Milliseconds since 1970. */
  at: number;
  /** Where there is a cookie: its place among all decisions, in place of `at`, and when the cookie last had it. */
  order?: number;
  in_cookie?: number;
  /** Decisions that the server has not confirmed, oldest first. */
  unsent: Waiting[];
}

/** With its time, which is not sent. */
export type Waiting = ConsentEvent & { at?: number };

export const DAY = 86_400_000;
/** Some browsers delete after this time what a script has set. */
const WEEK = 7 * DAY;
/** How long a decision waits: the server knows for 30 days that it has one already. */
const WAITS = 29 * DAY;
export const MAX_UNSENT = 20;
export const KEY = `avow:${config.token}`;

/** An item without such an id is not ours and is ignored. */
const UUID = /^[0-9a-f-]{36}$/;

let memory: Memory | null = null;
/** False once storage has failed: what it holds may then be older than `memory`. */
let usable = !preview;

export function read(): Memory | null {
  try {
    if (usable) memory = parse(localStorage.getItem(KEY));
  } catch {
    usable = false;
  }
  if (shares) memory = latest(memory, readShared());
  return memory;
}

/** No category has this key. Refused where a visitor refused whatever a site may have. */
export const EVERYTHING = '*';

type Allows = Pick<Memory, 'categories' | 'vendors'>;

/** Whether a choice allows what another one does not. */
export const allowsMore = (one: Allows, than: Allows): boolean => {
  const others = { __proto__: null, ...than.categories, ...than.vendors } as Record<string, unknown>;
  return Object.entries({ ...one.categories, ...one.vendors }).some(([key, is]) => is && !others[key]);
};

/**
 * Whether a decision was made by hand, and not brought by a link, or has taken the place of a refusal that was: nothing
 * wider takes its place until the visitor decides by hand again.
 */
export const isByHand = ({ method, by_hand }: Memory): boolean => method !== 'link' || !!by_hand;

const hasRefused = ({ decision, categories, vendors }: Memory): boolean =>
  decision === 'reject_all' || Object.values({ ...categories, ...vendors }).includes(false);

/**
 * The mark of what a link puts in the place of a decision, where the visitor may have refused something by that: not where
 * Global Privacy Control alone has.
 */
export const markAfter = (before: Memory | null): { by_hand?: number } =>
  before?.by_hand ||
  (before && isByHand(before) && hasRefused(before) && !(before.method === 'gpc' && before.gpc === '1'))
    ? { by_hand: 1 }
    : {};

/**
 * Whether a decision that was made by hand stays, although a link has brought another one to another subdomain since, by
 * whatever clock. It gives way to what allows less, and, once it has expired or is of another policy, to what allows no more.
 */
const staysBeside = (own: Memory, shared: NonNullable<ReturnType<typeof readShared>>): boolean =>
  shared.method === 'link' &&
  isByHand(own) &&
  own.at !== shared.at &&
  (allowsMore(shared, own) || (isCounting(own) && !allowsLess(shared, own)));

/** Whether a decision still counts for something, in force or not: it is of this policy, and has not expired. */
const isCounting = ({ policy_version, at }: Memory): boolean =>
  policy_version === config.policy_version && Date.now() - at <= config.consent_lifetime_days * DAY;

/**
 * A decision made on another subdomain since, or by a clock that was not days ahead; what waits to be sent from here still
 * does. Of one that is here too, the cookie may tell what this host's earlier program did not know.
 */
function latest(own: Memory | null, shared: ReturnType<typeof readShared>): Memory | null {
  if (!shared) return own;
  const now = Date.now();
  const next =
    own &&
    ((linked && staysBeside(own, shared)) ||
      (isAfter(own, shared, now) &&
        // One by such a clock is not in force, but none that allows more may stand in its place: the visitor is asked.
        (own.at < now + DAY || allowsLess(own, shared))))
      ? own
      : ({
          __proto__: null,
          ...shared,
          ...(linked && shared.method === 'link' && markAfter(own)),
          ...(own?.at === shared.at && own),
          unsent: own?.unsent ?? [],
          in_cookie: now,
        } as never as Memory);
  // What was replaced is behind it everywhere.
  const order = Math.max(own ? orderOf(own) : 0, orderOf(shared));
  if (order > next.at) next.order = order;
  return next;
}

/**
 * Whether the cookie has not had what is stored here for so long that it may have gone, and with it a withdrawal on another
 * subdomain. A refusal is none the worse for it, nor is what no cookie could ever repeat.
 */
export const isOutdated = ({ in_cookie, decision, categories, vendors }: Memory): boolean =>
  !!config.cookie?.domain &&
  // By a clock that was ahead, it may be in the future.
  Math.abs(Date.now() - (in_cookie ?? Date.now())) > Math.min(WEEK, config.cookie.max_age_seconds * 1000) &&
  (tcf ? decision !== 'reject_all' : /:true/.test(json([categories, vendors])));

/** Stores the item, or keeps it for this page view when storage is disabled or full. */
export function write(next: Memory): Memory {
  memory = { __proto__: null, ...next } as Memory;
  // What may be out of date here is not told to others.
  if (shares && !isOutdated(memory) && writeShared(memory)) memory.in_cookie = Date.now();
  try {
    if (usable) keep(json(memory));
  } catch {
    usable = false;
  }
  return memory;
}

/** Full storage may lose the decision, but must never keep an older one: that would undo a withdrawal. */
function keep(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    localStorage.removeItem(KEY);
    localStorage.setItem(KEY, text);
  }
}

function parse(text: string | null): Memory | null {
  // Checked first, because an exception of the parser is slow on a phone.
  if (!text) return null;
  try {
    // Own ones only, here and below: what a page's library lets a link add to all objects is no decision.
    const value = { __proto__: null, ...JSON.parse(text) } as Memory;
    value.categories = { __proto__: null, ...value.categories } as never;
    if (byVendor && value.vendors) value.vendors = { __proto__: null, ...value.vendors } as never;
    // Fails where it is no list.
    value.unsent = value.unsent.filter(({ at }) => !(Date.now() - (at as number) > WAITS));
    return UUID.test(value.session_id) && value.at > 0 ? value : null;
  } catch {
    return null;
  }
}
