import type { Category, ScannedCookie, ScannedRequest, Vendor } from '../types';
import { classifyCookie, classifyHost, UNCLASSIFIED } from './classification';
import { findingsOf } from './findings';
import { isFirstParty, siteOf } from './party';
import type { Observation, ScanResult } from './result';

/** The contract's bounds of the lists. */
const MAX_COOKIES = 500;
const MAX_HOSTS = 200;

/** What the scan's site says of itself; empty for a scan without a site. */
export interface Judging {
  vendors: readonly Vendor[];
  categories: readonly Category[];
}

/** Classifies what a visit saw and finds what should be mended. */
export function judge(seen: Observation, site: Judging): ScanResult {
  const host = new URL(seen.finalUrl).hostname;
  const cookies = seen.cookies
    .slice(0, MAX_COOKIES)
    .map(
      (cookie): ScannedCookie => ({
        name: cookie.name,
        domain: cookie.domain,
        ...classifyCookie(cookie.name, cookie.domain, site.vendors),
        max_age_seconds: cookie.maxAgeSeconds,
        secure: cookie.secure,
        http_only: cookie.httpOnly,
        same_site: cookie.sameSite,
        set_before_consent: true,
        first_party: isFirstParty(cookie.domain, host),
      }),
    )
    .sort((a, b) => order(a.domain, b.domain) || order(a.name, b.name));
  const requests = seen.hosts
    .slice(0, MAX_HOSTS)
    .map((name): ScannedRequest => ({ host: name, ...classOf(name, host), before_consent: true }))
    .sort((a, b) => order(a.host, b.host));
  return {
    cookies,
    requests,
    banner_detected: seen.bannerDetected,
    findings: findingsOf({ seen, cookies, requests, categories: site.categories }),
    conclusive: seen.engine === 'browser' && seen.cutShort === undefined,
  };
}

/** The page's own host is what the visitor asked for; its other hosts may be anything, trackers in disguise included. */
function classOf(name: string, host: string) {
  const found = classifyHost(name);
  return found.category === UNCLASSIFIED && siteOf(name) === siteOf(host) ? { category: 'necessary' } : found;
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
