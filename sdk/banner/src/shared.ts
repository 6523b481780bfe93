import { type CookieFields, cookieValue, newest } from '../../src/cookie/format.js';
import { vendorsIn, vendorsValue } from '../../src/cookie/vendors.js';
import { doc } from './document.js';
import { preview } from './page.js';

const { cookie, token } = config;

/** The decision in the cookie that subdomains share. */
export function readShared(): CookieFields | undefined {
  if (!cookie || preview) return;
  try {
    const found = newest(doc.cookie, cookie.name, token);
    if (tcf && found) withTc(found);
    if (byVendor && found) withVendors(found);
    if (linked && found && /&by_hand=1&/.test(wholeValue(found) ?? '')) Object.assign(found, { by_hand: 1 });
    return regional && found ? withRule(found) : found;
  } catch {
    // A sandboxed page cannot read cookies.
    return;
  }
}

/** The whole cookie that has this time. */
const wholeValue = ({ at }: Pick<CookieFields, 'at'>): string | undefined =>
  doc.cookie.split('; ').find((pair) => pair.startsWith(`${cookie?.name}=`) && pair.includes(`&at=${at}&`));

/** The rule stands at the end of the value: without it, what is allowed would pass for a consent. */
function withRule(found: CookieFields): CookieFields {
  const [, gpc, rule] = /(?:&gpc=([^&]+))?&rule=(\w+)$/.exec(wholeValue(found) ?? '') ?? [];
  return rule ? Object.assign(found, { rule, gpc }) : found;
}

function withTc(found: CookieFields): void {
  // Without its text where that has no place here.
  const [, tc, tc_asks] = /&tc=([\w.-]*)~([\w-]+)/.exec(wholeValue(found) ?? '') ?? [];
  if (tc_asks) Object.assign(found, { tc, tc_asks });
}

function withVendors(found: CookieFields): void {
  const vendors = vendorsIn(new URLSearchParams(wholeValue(found)));
  if (vendors) Object.assign(found, { vendors });
}

type Shared = Omit<CookieFields, 'site'> & {
  tc?: string;
  tc_asks?: string;
  vendors?: Record<string, boolean>;
  rule?: string;
  gpc?: string | false | undefined;
  by_hand?: number;
};

/** A string of this length or more has no place in it: browsers keep 4,096 bytes of a cookie. */
const MOST_TC = 3_000;

/**
 * The cookie's name and value. A short one only tells that there is a string, and that what the visitor had refused before
 * Global Privacy Control did may be anything.
 */
function pairOf(shared: Shared, isShort?: boolean): string {
  const { session_id, decision, method, policy_version, at, order = at, categories } = shared;
  const { tc = '', tc_asks, vendors, rule, gpc } = shared;
  const value = cookieValue({ site: token, session_id, decision, method, policy_version, at, categories });
  const ofTc = tcf && tc_asks ? `&tc=${isShort || tc.length >= MOST_TC ? '' : tc}~${tc_asks}` : '';
  const ofVendors = byVendor && vendors ? `&${vendorsValue(vendors)}` : '';
  const ofGpc = regional && gpc ? `&gpc=${isShort && gpc[1] ? '*' : gpc}` : '';
  const ofOrder = order > at ? `&order=${order}` : '';
  return `${cookie?.name}=${value}${ofOrder}${ofTc}${ofVendors}${regional && rule ? `${ofGpc}&rule=${rule}` : ''}`;
}

/**
 * Repeats a decision in the cookie; browsers that do not take it go on with the storage of this host. They ignore one that
 * is too long and keep the one before, which may be an older decision: then a shorter one takes its place, or at last one
 * that refuses everything, so that other hosts ask again. Answers whether the browser took one.
 */
export function writeShared(memory: Shared): boolean {
  if (!cookie || preview) return false;
  const ofDomain = cookie.domain ? `;domain=${cookie.domain}` : '';
  const secure = location.protocol === 'https:' ? ';secure' : '';
  const nothing = {
    __proto__: null,
    ...memory,
    decision: 'reject_all',
    categories: {},
    vendors: {},
  } as never;
  try {
    // As it is, where it is of this decision: the program of another host may have written more than this one knows.
    const { at, order = at } = memory;
    const placed = order > at ? `&at=${at}&order=${order}&` : '';
    // But for the place, which this page may know better.
    const whole = wholeValue(memory)
      ?.replace(/&order=\d+/g, '')
      .replace(/&at=\d+&/, placed || '$&');
    for (const pair of [whole ?? pairOf(memory), pairOf(memory, true), pairOf(nothing, true)]) {
      const value =
        linked && memory.by_hand && !pair.includes('&by_hand=1&')
          ? pair.replace(`&at=${at}&`, '$&by_hand=1&')
          : pair;
      doc.cookie = `${value};path=/;max-age=${cookie.max_age_seconds};samesite=lax${ofDomain}${secure}`;
      if (wholeValue(memory)) return true;
    }
  } catch {
    // As above.
  }
  return false;
}
