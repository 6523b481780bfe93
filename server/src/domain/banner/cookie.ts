import { normaliseDomain } from '../addresses';
import { hasOwner } from '../cookies/party';
import type { BundleConfig } from '../types';
import type { SeenSettings } from './sources';

const NAME = 'avow_consent';
const DAY_SECONDS = 86_400;
/** Browsers keep no cookie longer (RFC 6265bis § 5.5). */
const MAX_DAYS = 400;

type CookieSettings = Pick<SeenSettings, 'banner' | 'consent_lifetime_days'>;

/** The cookie that repeats decisions, complete; undefined where the settings have none. */
export function cookieOf({ banner, consent_lifetime_days }: CookieSettings): BundleConfig['cookie'] {
  if (banner.cookie === undefined) return undefined;
  const { name = NAME, domain, days = Math.min(consent_lifetime_days, MAX_DAYS) } = banner.cookie;
  return {
    name,
    domain: (domain !== undefined && normaliseDomain(domain)) || null,
    max_age_seconds: days * DAY_SECONDS,
  };
}

/** Whether browsers store a cookie of this name for the host alone that set it (RFC 6265bis § 4.1.3.2). */
export const isOfOneHost = (name = NAME): boolean => name.startsWith('__Host-');

/** What is wrong with the domain of a cookie; undefined when browsers would store it. */
export function cookieDomainFault(domain: string): string | undefined {
  const ascii = normaliseDomain(domain);
  if (ascii === undefined) return 'must be a domain name such as example.com';
  if (!hasOwner(ascii))
    return `${ascii} is no domain that a site can have for itself, so browsers store no cookie for it: give the site's own, such as example.com`;
  return undefined;
}
