import type { Site } from '../../app/data';
import { languageNames, timeZones, toList } from '../../app/lists';
import { useSite } from '../../app/site';
import { NumberField, Select, TextField, useDraft } from '../../ui';
import { Section } from './section';

const ZONES = timeZones();

const fromSite = ({ settings }: Site) => ({
  policy_version: settings.policy_version,
  privacy_policy_url: settings.privacy_policy_url ?? '',
  imprint_url: settings.imprint_url ?? '',
  consent_lifetime_days: settings.consent_lifetime_days as number | undefined,
  languages: settings.languages.join(', '),
  default_language: settings.default_language,
  time_zone: settings.time_zone,
});

/** Policy, languages, and when visitors are asked again. */
export function PolicySection() {
  const draft = useDraft(fromSite(useSite()), 'settings.');
  const { bind, value } = draft;
  const languages = toList(value.languages);
  const zones = ZONES.some(([zone]) => zone === value.time_zone)
    ? ZONES
    : [[value.time_zone, value.time_zone] as const, ...ZONES];
  const options = [...new Set([value.default_language, ...languages])].map(
    (tag) => [tag, languageNames([tag])] as const,
  );
  return (
    <Section
      title="Policy and languages"
      draft={draft}
      fromSite={fromSite}
      toPatch={({ privacy_policy_url, imprint_url, consent_lifetime_days, ...rest }) => ({
        settings: {
          ...rest,
          languages,
          privacy_policy_url: privacy_policy_url === '' ? null : privacy_policy_url,
          imprint_url: imprint_url === '' ? null : imprint_url,
          consent_lifetime_days: consent_lifetime_days ?? 0,
        },
      })}
    >
      <TextField
        label="Version of the privacy policy"
        {...bind('policy_version')}
        description="A new version asks every visitor again."
        isRequired
      />
      <TextField
        label="Address of the privacy policy"
        {...bind('privacy_policy_url')}
        type="url"
        placeholder="https://"
      />
      <TextField label="Address of the imprint" {...bind('imprint_url')} type="url" placeholder="https://" />
      <NumberField
        label="Ask again after"
        {...bind('consent_lifetime_days')}
        description="Days. Authorities recommend 6 months, and at most 13."
        isRequired
      />
      <TextField
        label="Languages"
        {...bind('languages')}
        description={`Tags such as de, en, pt-BR. ${languageNames(languages)}`}
        isRequired
      />
      <Select label="Default language" {...bind('default_language')} options={options} isRequired />
      <Select
        label="Time zone"
        {...bind('time_zone')}
        description="Reports use the days of this zone, and the console shows its time."
        options={zones}
        isRequired
      />
    </Section>
  );
}
