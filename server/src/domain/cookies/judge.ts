import type { Category, ScannedCookie, ScannedItem, ScannedRequest } from '../types';
import { bounded } from './bounded';
import { asksForConsent, type Class, classifyHost, cookieClassifier, UNCLASSIFIED } from './classification';
import { findingsOf } from './findings';
import type { FindListed } from './listed-cookies';
import { belongsTo, siteOf } from './party';
import { isHostLength, MAX_COOKIES, MAX_HOSTS, MAX_ITEMS, type Observation, type ScanResult } from './result';

/** What the scan's site says of itself; empty for a scan without a site. */
export interface Judging {
  /** Finds what its vendors list. */
  listed: FindListed;
  categories: readonly Category[];
  /** The host of this server, which serves the banner and receives decisions: not a third party. */
  server?: string;
}

/** Classifies what a visit saw and finds what should be fixed. */
export function judge(seen: Observation, site: Judging): ScanResult {
  const host = new URL(seen.finalUrl).hostname;
  const classOfCookie = cookieClassifier(site.listed);
  const belongs = belongsTo([host]);
  const isOwn = (domain: string): boolean => domain === site.server || belongs(domain);
  // This server's host keeps what the banner needs.
  const classOfName = (name: string, owner: string): Class =>
    owner === site.server ? { category: 'necessary' } : classOfCookie(name, owner);
  const asks = asksForConsent(site.categories);
  const all = seen.cookies
    .filter(({ domain }) => isHostLength(domain))
    .map(
      (cookie): ScannedCookie => ({
        storage: 'cookie',
        name: cookie.name,
        domain: cookie.domain,
        ...classOfName(cookie.name, cookie.domain),
        max_age_seconds: cookie.maxAgeSeconds,
        secure: cookie.secure,
        http_only: cookie.httpOnly,
        same_site: cookie.sameSite,
        set_before_consent: true,
        first_party: isOwn(cookie.domain),
      }),
    )
    // Nobody can hide a tracker's behind five hundred harmless ones.
    .sort((a, b) => Number(asks(b)) - Number(asks(a)));
  const cookies = all
    .slice(0, MAX_COOKIES)
    .sort((a, b) => order(a.domain, b.domain) || order(a.name, b.name));
  const items = seen.items
    .filter((item) => isHostLength(item.host))
    .map(
      ({ storage, name, host: owner, objectStores }): ScannedItem => ({
        storage,
        name,
        host: owner,
        ...classOfName(name, owner),
        object_stores: objectStores,
        set_before_consent: true,
        first_party: isOwn(owner),
      }),
    )
    .sort(
      (a, b) =>
        Number(asks(b)) - Number(asks(a)) ||
        order(a.host, b.host) ||
        order(a.storage, b.storage) ||
        order(a.name, b.name),
    );
  const stored_items = items.slice(0, MAX_ITEMS);
  const itemsCut = seen.itemsCut || items.length > MAX_ITEMS || all.length > MAX_COOKIES;
  const requests = seen.hosts
    .filter(isHostLength)
    .slice(0, MAX_HOSTS)
    .map(
      (name): ScannedRequest => ({ host: name, ...classOf(name, [host, site.server]), before_consent: true }),
    )
    .sort((a, b) => order(a.host, b.host));
  return bounded({
    cookies,
    stored_items,
    requests,
    ...(seen.held !== undefined && seen.held.length > 0 && { held_hosts: seen.held }),
    banner_detected: seen.bannerDetected,
    findings: findingsOf({
      seen: { ...seen, itemsCut },
      cookies,
      items: stored_items,
      requests,
      categories: site.categories,
    }),
    conclusive: seen.engine === 'browser' && seen.cutShort === undefined && !itemsCut && !seen.blank,
  });
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
