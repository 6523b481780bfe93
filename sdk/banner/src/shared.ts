import { type CookieFields, cookieValue, newest } from '../../src/cookie/format.js';
import { vendorsIn, vendorsValue } from '../../src/cookie/vendors.js';
import { preview } from './page.js';

const { cookie, token } = config;

/** The decision in the cookie that subdomains share. */
export function readShared(): CookieFields | undefined {
  if (!cookie || preview) return;
  try {
    const found = newest(document.cookie, cookie.name, token);
    if (tcf && found) withTc(found);
    if (byVendor && found) withVendors(found);
    return regional && found ? withRule(found) : found;
  } catch {
    // A sandboxed page cannot read cookies.
    return;
  }
}

/** The whole cookie that has this time. */
const wholeValue = ({ at }: Pick<CookieFields, 'at'>): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${cookie?.name}=`) && pair.includes(`&at=${at}&`));

/** The rule stands at the end of the value: without it, what is allowed would pass for a consent. */
function withRule(found: CookieFields): CookieFields {
  const [, gpc, rule] = /(?:&gpc=([^&]+))?&rule=(\w+)$/.exec(wholeValue(found) ?? '') ?? [];
  return rule ? Object.assign(found, { rule, gpc }) : found;
}

function withTc(found: CookieFields): void {
  const [, tc, tc_asks] = /&tc=([\w.-]+)~([\w-]+)/.exec(wholeValue(found) ?? '') ?? [];
  if (tc) Object.assign(found, { tc, tc_asks });
}

function withVendors(found: CookieFields): void {
  const vendors = vendorsIn(new URLSearchParams(wholeValue(found)));
  if (vendors) Object.assign(found, { vendors });
}

/** The vendors that follow the value that is written next. */
let ofVendors = '';

/** Names those of the decision that is written next. */
export const nameVendors = ({ vendors }: { vendors?: Record<string, boolean> }): void => {
  ofVendors = vendors ? `&${vendorsValue(vendors)}` : '';
};

/** The string that follows the value that is written next; browsers keep 4,096 bytes of a cookie. */
let ofTc = '';
const MOST_TC = 3_000;

/** Names the string of the decision that is written next. */
export const nameTc = ({ tc = '', tc_asks }: { tc?: string; tc_asks?: string }): void => {
  ofTc = tc && tc.length < MOST_TC ? `&tc=${tc}~${tc_asks}` : '';
};

/** What follows the value that is written next. */
let ofRule = '';

/** Names the rule of the decision that is written next, and what it tells of Global Privacy Control. */
export const nameRule = ({ rule, gpc }: { rule?: string; gpc?: string | false | undefined }): void => {
  ofRule = rule ? `${gpc ? `&gpc=${gpc}` : ''}&rule=${rule}` : '';
};

/** Repeats a decision in the cookie; browsers that do not take it go on with the storage of this host. */
export function writeShared({
  session_id,
  decision,
  method,
  policy_version,
  at,
  categories,
}: Omit<CookieFields, 'site'>): void {
  if (!cookie || preview) return;
  const value = cookieValue({ site: token, session_id, decision, method, policy_version, at, categories });
  const ofDomain = cookie.domain ? `;domain=${cookie.domain}` : '';
  const secure = location.protocol === 'https:' ? ';secure' : '';
  try {
    // As it is, where it is of this decision: the program of another host may have written more than this one knows.
    const pair =
      wholeValue({ at }) ??
      `${cookie.name}=${value}${tcf ? ofTc : ''}${byVendor ? ofVendors : ''}${regional ? ofRule : ''}`;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and not in all browsers.
    document.cookie = `${pair};path=/;max-age=${cookie.max_age_seconds};samesite=lax${ofDomain}${secure}`;
  } catch {
    // As above.
  }
}
