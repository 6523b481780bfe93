import { useState } from 'react';
import { BUILT_IN_LANGUAGES, languageNames, timeZones } from '../../app/lists';
import { Button, NumberField, Select, TextField, type useDraft } from '../../ui';
import type { Draft } from './draft';

const ZONES = timeZones();
const LANGUAGES = BUILT_IN_LANGUAGES.map((tag) => [tag, languageNames([tag])] as const).sort(([, a], [, b]) =>
  a.localeCompare(b),
);

/** The second step: languages, consent lifetime, and the banner's links. */
export function SettingsStep({ draft }: { draft: ReturnType<typeof useDraft<Draft>> }) {
  const { bind, value, set } = draft;
  return (
    <>
      <Select
        label="Main language"
        name="settings.default_language"
        description="Shown to visitors whose language the site does not have."
        options={LANGUAGES}
        value={value.language}
        onChange={(language) => set({ language, others: value.others.filter((one) => one !== language) })}
        isRequired
      />
      <OtherLanguages draft={draft} />
      <Select
        label="Time zone"
        {...bind('settings.time_zone')}
        description="Reports use the days of this zone, and the console shows its time."
        options={ZONES}
        isRequired
      />
      <TextField
        label="Address of the privacy policy"
        {...bind('settings.privacy_policy_url')}
        placeholder="https://"
        type="url"
      />
      <TextField
        label="Address of the imprint"
        {...bind('settings.imprint_url')}
        placeholder="https://"
        type="url"
      />
      <NumberField
        label="Ask again after"
        {...bind('settings.consent_lifetime_days')}
        description="Days. Authorities recommend 6 months, and at most 13."
        isRequired
      />
    </>
  );
}

function OtherLanguages({ draft: { value, set } }: { draft: ReturnType<typeof useDraft<Draft>> }) {
  const [chosen, choose] = useState('');
  const free = LANGUAGES.filter(([tag]) => tag !== value.language && !value.others.includes(tag));
  return (
    <>
      <Select
        label="Further languages"
        name="settings.languages"
        description={value.others.length === 0 ? 'None yet.' : `${languageNames(value.others)}.`}
        options={[['', 'Choose one …'], ...free]}
        value={chosen}
        onChange={(tag) => {
          choose('');
          if (tag !== '') set({ others: [...value.others, tag] });
        }}
      />
      {value.others.length > 0 && (
        <div className="row">
          {value.others.map((tag) => (
            <Button
              key={tag}
              small
              onPress={() => set({ others: value.others.filter((one) => one !== tag) })}
            >
              Without {languageNames([tag])}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
