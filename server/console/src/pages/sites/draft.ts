import { toList } from '../../app/lists';

/** The initial values of a new site. */
export const FIRST = {
  name: '',
  domain: '',
  domains: '',
  language: 'en',
  others: [] as string[],
  'settings.privacy_policy_url': '',
  'settings.imprint_url': '',
  'settings.time_zone': Intl.DateTimeFormat().resolvedOptions().timeZone,
  'settings.consent_lifetime_days': 180 as number | undefined,
};
export type Draft = typeof FIRST;

/** The request body of the draft. */
export function toBody(draft: Draft) {
  const urls = { privacy: draft['settings.privacy_policy_url'], imprint: draft['settings.imprint_url'] };
  return {
    name: draft.name,
    domain: draft.domain,
    domains: toList(draft.domains),
    settings: {
      languages: [draft.language, ...draft.others],
      default_language: draft.language,
      time_zone: draft['settings.time_zone'],
      ...(urls.privacy !== '' && { privacy_policy_url: urls.privacy }),
      ...(urls.imprint !== '' && { imprint_url: urls.imprint }),
      // The server refuses an empty field and says what it accepts.
      consent_lifetime_days: draft['settings.consent_lifetime_days'] ?? 0,
    },
  };
}
