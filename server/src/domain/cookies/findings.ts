import { beginning } from '../text';
import type { Category, ScanFinding, ScannedCookie, ScannedItem, ScannedRequest } from '../types';
import { asksForConsent, isEssential, UNCLASSIFIED } from './classification';
import type { Limit, Observation } from './result';
import { inBrackets } from './storage';

interface Seen {
  seen: Observation;
  cookies: readonly ScannedCookie[];
  items: readonly ScannedItem[];
  requests: readonly ScannedRequest[];
  categories: readonly Category[];
}

/**
 * The CNIL's limit for audience-measurement trackers: 13 months, in seconds, with a day of tolerance for long
 * months.
 */
const THIRTEEN_MONTHS = 397 * 86_400;
const SHOWN = 10;
const LIMITS: Record<Limit, string> = {
  time: '30 seconds',
  bytes: '10 MiB',
  requests: '200 requests',
  hosts: '100 hosts',
};

/** Findings, the most severe first. */
export function findingsOf({ seen, cookies, items, requests, categories }: Seen): ScanFinding[] {
  const asks = asksForConsent(categories);
  const early = cookies.filter(asks);
  const kept = items.filter(asks);
  const trackers = requests.filter(asks);
  const unknown = cookies.filter(({ category }) => category === UNCLASSIFIED);
  const unknownItems = items.filter(({ category }) => category === UNCLASSIFIED);
  const long = cookies.filter(
    (cookie) => cookie.max_age_seconds > THIRTEEN_MONTHS && !isEssential(cookie.category, categories),
  );
  const secure = seen.finalUrl.startsWith('https:');
  const open = secure ? cookies.filter((cookie) => cookie.first_party && !cookie.secure) : [];
  return [
    ...some(
      early,
      'cookie_before_consent',
      'critical',
      (names) =>
        `Set before consent: ${names}. Block the scripts that set them until the visitor has agreed (ePrivacy Directive Art. 5(3)).`,
    ),
    ...some(
      kept,
      'storage_before_consent',
      'critical',
      (names) =>
        `Stored before consent: ${names}. Block the scripts that store it until the visitor has agreed: the law asks consent for it as for cookies (ePrivacy Directive Art. 5(3), EDPB Guidelines 2/2023).`,
    ),
    ...some(
      trackers,
      'tracker_before_consent',
      'critical',
      (names) =>
        `Contacted before consent: ${names}. Load them only after the visitor has agreed (ePrivacy Directive Art. 5(3), GDPR Art. 6(1)(a)).`,
    ),
    ...bannerFinding(seen, early.length + kept.length + trackers.length > 0),
    ...(secure
      ? []
      : [
          finding(
            'page_without_tls',
            'warning',
            'The page is served without TLS: serve it by https (GDPR Art. 32(1)(a)).',
          ),
        ]),
    ...some(
      long,
      'cookie_lives_long',
      'warning',
      (names) =>
        `Kept for more than 13 months: ${names}. Shorten their lifetime (CNIL 2020-091 and 2020-092).`,
    ),
    ...some(
      open,
      'cookie_without_secure',
      'warning',
      (names) => `Also sent without TLS: ${names}. Set them with Secure (GDPR Art. 32(1)(a)).`,
    ),
    ...some(
      unknown,
      'cookie_unclassified',
      'info',
      (names) =>
        `Of unknown purpose: ${names}. List them with the vendors of the site, so that visitors are told what they are for.`,
    ),
    ...some(
      unknownItems,
      'storage_unclassified',
      'info',
      (names) =>
        `Stored for an unknown purpose: ${names}. List it with the vendors of the site, so that visitors are told what it is for.`,
    ),
    ...limitFindings(seen),
  ];
}

const finding = (rule: string, severity: ScanFinding['severity'], message: string): ScanFinding => ({
  rule,
  severity,
  message: beginning(message, 2_000),
});

/** One finding for a rule, naming the first of what broke it. */
function some(
  found: readonly (ScannedCookie | ScannedItem | ScannedRequest)[],
  rule: string,
  severity: ScanFinding['severity'],
  sentence: (names: string) => string,
): ScanFinding[] {
  if (found.length === 0) return [];
  const names = found
    .slice(0, SHOWN)
    .map((one) => `${beginning('name' in one ? one.name : one.host, 100)} (${inBrackets(one)})`);
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  return [finding(rule, severity, sentence(names.join(', ') + more))];
}

function bannerFinding({ bannerDetected }: Observation, needed: boolean): ScanFinding[] {
  if (bannerDetected) return [];
  return needed
    ? [
        finding(
          'no_banner',
          'critical',
          'No consent banner was found, but consent is needed for what the page does: put the banner into it.',
        ),
      ]
    : [finding('no_banner', 'info', 'No consent banner was found; for what this visit saw none is needed.')];
}

function limitFindings({ engine, cutShort, itemsCut, blank }: Observation): ScanFinding[] {
  const found: ScanFinding[] = [];
  if (cutShort !== undefined)
    found.push(
      finding(
        'scan_incomplete',
        'info',
        `The visit ended at its limit of ${LIMITS[cutShort]}: the page may do more than is listed here.`,
      ),
    );
  if (blank)
    found.push(
      finding(
        'page_blank',
        'info',
        'The page showed nothing to this visit: it may do more than is listed here for others.',
      ),
    );
  if (itemsCut)
    found.push(
      finding(
        'storage_incomplete',
        'info',
        'Not everything that the page keeps in the browser could be read or listed: there may be more than is listed here.',
      ),
    );
  if (engine === 'http')
    found.push(
      finding(
        'scripts_not_run',
        'info',
        'This server has no browser: scripts were not run, and what they store is missing. Install Chromium, or set CHROMIUM_PATH.',
      ),
    );
  return found;
}
