import type { Category, GoogleConsentType } from '../types';

/** What the usual categories grant in Google Consent Mode v2 (developers.google.com/tag-platform/security/concepts/consent-mode). */
const BY_KEY = new Map<string, GoogleConsentType[]>([
  ['necessary', ['security_storage']],
  ['functional', ['functionality_storage', 'personalization_storage']],
  ['analytics', ['analytics_storage']],
  ['marketing', ['ad_storage', 'ad_user_data', 'ad_personalization']],
]);

/** The consent types that a category grants: the owner's, else the usual ones of its key, else none. */
export const googleConsentOf = ({ key, google_consent }: Category): GoogleConsentType[] =>
  google_consent ?? BY_KEY.get(key) ?? [];
