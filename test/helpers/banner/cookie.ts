import { type CookieConsent, readConsentCookie } from '../../../sdk/src/cookie';

/** What a server reads in a header whose decisions are of the present policy version. */
export const readCookie = (header: string, site: string, now?: number): CookieConsent | null =>
  readConsentCookie(header, {
    site,
    policyVersion: new URLSearchParams(header.replaceAll('; ', '&')).get('policy_version') ?? '',
    lifetimeDays: 180,
    ...(now !== undefined && { now }),
  });
