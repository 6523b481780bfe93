import type { Category } from '../types';
import data from './classification.data.json';
import type { FindListed } from './listed-cookies';
import { suffixesOf } from './party';

/** What a cookie or a host is for; `unclassified`: nobody has said. */
export interface Class {
  category: string;
  vendor?: string;
}

/** An entry of the data file. */
export interface KnownVendor {
  vendor: string;
  /** Where the vendor documents it. */
  source: string;
  /** Names, or anchored patterns (`^…$`), each with its category. */
  cookies: Record<string, string>;
  /** Host names, their subdomains included, each with its category. */
  hosts: Record<string, string>;
  /** It is a consent-management platform: its host stands for a banner. */
  cmp?: boolean;
}

export const KNOWN = data.vendors as unknown as readonly KnownVendor[];
/** No listed name is longer. */
const MAX_NAME = 200;
export const UNCLASSIFIED = 'unclassified';

const names = new Map<string, Class>();
const patterns: { pattern: RegExp; found: Class }[] = [];
const hosts = new Map<string, Class>();
const bannerHosts = new Set<string>();
for (const { vendor, cookies, hosts: own, cmp } of KNOWN) {
  for (const [name, category] of Object.entries(cookies)) {
    if (name.startsWith('^')) patterns.push({ pattern: new RegExp(name), found: { category, vendor } });
    else names.set(name, { category, vendor });
  }
  for (const [host, category] of Object.entries(own)) {
    hosts.set(host, { category, vendor });
    if (cmp) bannerHosts.add(host);
  }
}

/**
 * What a cookie, or an item of browser storage, is for, by its name: as the site's own vendors list it, else as the
 * data file does.
 */
export const cookieClassifier =
  (listed: FindListed) =>
  (name: string, domain: string): Class =>
    listed(name, domain) ??
    names.get(name) ??
    patterns.find(({ pattern }) => name.length <= MAX_NAME && pattern.test(name))?.found ?? {
      category: UNCLASSIFIED,
    };

/** What a host is for. */
export const classifyHost = (host: string): Class =>
  suffixesOf(host)
    .map((suffix) => hosts.get(suffix))
    .find((found) => found !== undefined) ?? { category: UNCLASSIFIED };

/** The known host that says what a host is: itself, or the nearest that it lies in. */
export const knownIn = (host: string): string | undefined =>
  suffixesOf(host).find((suffix) => hosts.has(suffix));

/** Whether a category, by its key, is never strictly necessary, whatever the owner says. */
export const needsConsent = (key: string): boolean =>
  /analytic|marketing|advert|social|statistic|target/.test(key);

/**
 * Whether something may be stored or contacted without consent, as far as known (ePrivacy Directive Art.
 * 5(3)).
 */
export const isEssential = (category: string, categories: readonly Category[]): boolean =>
  category === 'necessary' ||
  (!needsConsent(category) && categories.some(({ key, required }) => required && key === category));

/** Whether something that was found is known to need consent under these categories. */
export const asksForConsent =
  (categories: readonly Category[]) =>
  ({ category }: { category: string }): boolean =>
    category !== UNCLASSIFIED && !isEssential(category, categories);

/** Whether a host serves the banners of a known consent-management platform. */
export const servesBanner = (host: string): boolean =>
  suffixesOf(host).some((suffix) => bannerHosts.has(suffix));

/** Whether the data file knows a host; used when reading page source. */
export const isKnownHost = (host: string): boolean => suffixesOf(host).some((suffix) => hosts.has(suffix));
