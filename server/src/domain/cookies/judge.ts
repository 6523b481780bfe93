import type { Category, ScannedCookie, ScannedRequest, Vendor } from '../types';
import { classifyHost, cookieClassifier, UNCLASSIFIED } from './classification';
import { findingsOf } from './findings';
import { belongsTo, siteOf } from './party';
import { MAX_COOKIES, MAX_HOSTS, type Observation, type ScanResult } from './result';

/** What the scan's site says of itself; empty for a scan without a site. */
export interface Judging {
  vendors: readonly Vendor[];
  categories: readonly Category[];
  /** The host of this server, which serves the banner and receives decisions: not a third party. */
  server?: string;
}

/** Classifies what a visit saw and finds what should be fixed. */
export function judge(seen: Observation, site: Judging): ScanResult {
  const host = new URL(seen.finalUrl).hostname;
  const listed = cookieClassifier(site.vendors);
  const belongs = belongsTo([host]);
  const isOwn = (domain: string): boolean => domain === site.server || belongs(domain);
  const cookies = seen.cookies
    .slice(0, MAX_COOKIES)
    .map(
      (cookie): ScannedCookie => ({
        name: cookie.name,
        domain: cookie.domain,
        ...(cookie.domain === site.server ? { category: 'necessary' } : listed(cookie.name, cookie.domain)),
        max_age_seconds: cookie.maxAgeSeconds,
        secure: cookie.secure,
        http_only: cookie.httpOnly,
        same_site: cookie.sameSite,
        set_before_consent: true,
        first_party: isOwn(cookie.domain),
      }),
    )
    .sort((a, b) => order(a.domain, b.domain) || order(a.name, b.name));
  const requests = seen.hosts
    .slice(0, MAX_HOSTS)
    .map(
      (name): ScannedRequest => ({ host: name, ...classOf(name, [host, site.server]), before_consent: true }),
    )
    .sort((a, b) => order(a.host, b.host));
  return {
    cookies,
    requests,
    banner_detected: seen.bannerDetected,
    findings: findingsOf({ seen, cookies, requests, categories: site.categories }),
    conclusive: seen.engine === 'browser' && seen.cutShort === undefined,
  };
}

/**
 * The visitor asked for the page's own host, and this server delivers the banner; the page's other hosts may
 * be anything, including disguised trackers.
 */
function classOf(name: string, own: readonly (string | undefined)[]) {
  const found = classifyHost(name);
  const isOwn = own.some((host) => host !== undefined && siteOf(name) === siteOf(host));
  return found.category === UNCLASSIFIED && isOwn ? { category: 'necessary' } : found;
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
