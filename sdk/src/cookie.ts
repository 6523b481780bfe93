import type { AvowDecision, AvowRule } from './banner.js';
import { type CookieFields, newest, VERSION } from './cookie/format.js';
import { vendorsIn } from './cookie/vendors.js';

/** What a site expects of its cookie. */
export interface CookieOptions {
  /** The site's token, `env_…`: a cookie of another site counts for nothing. */
  site: string;
  /** The cookie's name in the settings; default `avow_consent`. */
  name?: string;
  /** `policy_version` of the settings: the banner asks again after another one, and the old cookie stays meanwhile. */
  policyVersion: string;
  /**
   * `consent_lifetime_days` of the settings, 1 to 3650: the cookie outlives the decision, because each visit sets it
   * anew.
   */
  lifetimeDays: number;
  /**
   * The keys of the site's optional categories, as they are now; recommended. The banner asks again for a category that
   * was added, and the old cookie, which does not name it, stays meanwhile: a decision that lacks one of them is none.
   * Without them such a decision still counts for the others.
   */
  categories?: readonly string[];
  /** Milliseconds since 1970; default: now. */
  now?: number;
}

/** A visitor's decision, as the cookie has it. */
export interface CookieConsent {
  decision: AvowDecision;
  /** Optional categories by their keys; required ones need no decision. */
  categories: Record<string, boolean>;
  /** How it was made, such as `banner`; see `AvowConsent`. */
  method: string;
  policy_version: string;
  /**
   * The rule under which it was made, where the site has rules by region; else null. Under `opt_out` and `notice` what
   * is allowed was on from the start and left on, which is no consent: see `isConsented`.
   */
  rule: AvowRule['rule'] | null;
  /**
   * Every vendor that the visitor was asked about, by its number, where the site lets them choose by vendor; else null. A
   * vendor may differ from its categories, and then its own choice counts: see `allowsVendor`.
   */
  vendors: Record<string, boolean> | null;
  /** ISO 8601, by the visitor's clock. */
  recorded_at: string;
  /** The random id of the session, by which the owner finds the consent record. */
  session_id: string;
}

const DAY = 86_400_000;
const DECISIONS: readonly string[] = ['accept_all', 'reject_all', 'save_preferences'];

/**
 * The decision in a request's cookies, for servers and edge functions that need it before the page is made. Null when
 * there is none, when it was made for another policy, when it has expired, when it does not name one of `categories`, and
 * where `policyVersion` or `lifetimeDays` is not given, without which nobody can tell. Needs `settings.banner.cookie`. It
 * never throws.
 *
 * The banner asks again in more cases, which need the browser: another rule of the visitor's region, Global Privacy
 * Control that was switched on or off since, and other questions by IAB Europe's framework.
 *
 * What a cookie says is what the browser sent: enough to leave a script out, and no evidence, which is the consent
 * record.
 *
 * @param cookies the request's header `Cookie`
 */
export function readConsentCookie(
  cookies: string | null | undefined,
  {
    site,
    name = 'avow_consent',
    policyVersion,
    lifetimeDays,
    categories: asked,
    now = Date.now(),
  }: CookieOptions,
): CookieConsent | null {
  const found = newest(ownOf(cookies ?? '', name), name, site, now);
  if (found === undefined || !DECISIONS.includes(found.decision)) return null;
  const { at, categories, method, policy_version, session_id } = found;
  if (!policyVersion || policyVersion !== policy_version) return null;
  // A date in the future is of a clock that is ahead; beyond a day, of one that was wrong. Nothing is within no lifetime.
  if (at > now + DAY || !(lifetimeDays > 0 && at >= now - lifetimeDays * DAY)) return null;
  if (asked?.some((key) => !Object.hasOwn(categories, key))) return null;
  const recorded_at = new Date(at).toISOString();
  const query = queryOf(cookies ?? '', name, found);
  return {
    decision: found.decision as AvowDecision,
    categories,
    method,
    policy_version,
    rule: ruleOf(query),
    vendors: vendorsIn(query) ?? null,
    recorded_at,
    session_id,
  };
}

/** A browser sends few cookies of one name: what a stranger adds to them costs nothing. */
const MOST = 8;

const ownOf = (cookies: string, name: string): string =>
  cookies
    .split('; ')
    .filter((pair) => pair.startsWith(`${name}=`))
    .slice(0, MOST)
    .join('; ');

/** The whole value that is the decision's; banners of some sites write more in it. */
function queryOf(cookies: string, name: string, { site, session_id, at }: CookieFields): URLSearchParams {
  for (const pair of cookies.split('; ')) {
    if (!pair.startsWith(`${name}=`)) continue;
    const query = new URLSearchParams(pair.slice(name.length + 1));
    if (query.get('site') !== site || query.get('session_id') !== session_id) continue;
    if (query.get('v') === VERSION && Number(query.get('at')) === at) return query;
  }
  return new URLSearchParams();
}

/** One that is not known here lets the site do most, and is no consent. */
function ruleOf(query: URLSearchParams): AvowRule['rule'] | null {
  const rule = query.get('rule');
  return rule === null || rule === 'opt_in' || rule === 'opt_out' ? rule : 'notice';
}

/**
 * Whether the visitor has consented to a category: it is allowed, and by a rule under which it was off until then. False
 * for what an `opt_out` or `notice` rule had on and the visitor left on, on which a site may go on only where the law
 * lets it until somebody objects, as in California (Cal. Civ. Code § 1798.120). Consent is an affirmative act (GDPR Art.
 * 4(11); EDPB Guidelines 05/2020, 3.4).
 */
export const isConsented = (consent: CookieConsent | null, category: string): boolean =>
  allows(consent, category) && (consent?.rule === null || consent?.rule === 'opt_in');

/** Whether a category is allowed, by a consent or because it was left on: false without a decision in force. */
export const allows = (consent: CookieConsent | null, category: string): boolean =>
  consent !== null && Object.hasOwn(consent.categories, category) && consent.categories[category] === true;

/**
 * Whether a vendor is allowed, by its number: by the visitor's own choice, and refused where they were not asked about it
 * yet. In a decision that names no vendors, as the category is in which you use it. False without a decision in force.
 */
export const allowsVendor = (consent: CookieConsent | null, vendor: number, category: string): boolean =>
  consent?.vendors
    ? Object.hasOwn(consent.vendors, vendor) && consent.vendors[vendor] === true
    : allows(consent, category);
