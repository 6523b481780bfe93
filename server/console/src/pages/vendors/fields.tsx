import { useSite } from '../../app/site';
import { CheckboxGroup, NumberField, Select, TextField, type useDraft } from '../../ui';
import { Rows } from '../settings/rows';
import type { Basis, VendorDraft } from './draft';
import { PURPOSES } from './purposes';

export type Draft = ReturnType<typeof useDraft<VendorDraft>>;

/** The fields for name, categories, retention, country and transfers. */
export function GeneralFields({ draft: { bind } }: { draft: Draft }) {
  const { settings } = useSite();
  return (
    <>
      <TextField label="Name" {...bind('name')} isRequired maxLength={200} />
      <CheckboxGroup
        label="Categories"
        {...bind('categories')}
        description="A visitor who allows one of these allows this vendor."
        options={settings.categories.map(({ key, name }) => [key, name] as const)}
      />
      <div className="two">
        <NumberField label="Keeps data for" {...bind('data_retention_days')} description="Days." />
        <TextField
          label="Country"
          {...bind('country')}
          description="Where it processes data: two letters, such as IE."
          maxLength={2}
          autoComplete="off"
        />
      </div>
      <TextField
        label="Safeguard of the transfer"
        {...bind('transfer_safeguard')}
        description="For countries outside the EEA (GDPR Art. 44–46), such as: EU standard contractual clauses."
        maxLength={300}
      />
    </>
  );
}

const BASES: readonly (readonly [Basis, string])[] = [
  ['', 'Not used'],
  ['consent', 'By consent'],
  ['legitimate', 'By legitimate interest'],
];

/** The purposes of the vendor, each with its legal basis. */
export function PurposeFields({ draft }: { draft: Draft }) {
  const { basis } = draft.value;
  return (
    <fieldset className="entry-group">
      <legend>Purposes of the TCF</legend>
      <p className="hint">
        The purposes of the IAB’s Transparency &amp; Consent Framework. Leave them out for vendors that do not
        take part in it.
      </p>
      <div className="two">
        {PURPOSES.map(({ id, name }) => (
          <Select
            key={id}
            label={`${id}. ${name}`}
            isRequired
            options={BASES}
            value={basis[id] ?? ''}
            onChange={(next) => draft.set({ basis: { ...basis, [id]: next } })}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The vendor's privacy notices by language. */
export function UrlRows({ draft }: { draft: Draft }) {
  const { settings } = useSite();
  const { urls } = draft.value;
  return (
    <Rows
      rows={urls}
      onChange={(rows) => draft.set({ urls: rows })}
      titleOf={(_, index) => `privacy notice ${index + 1}`}
      add="Add a privacy notice"
      make={() => ({ lang_id: settings.default_language, privacy: '', leg_int_claim: '' })}
    >
      {(row, index, change) => {
        const field = (name: keyof typeof row) => ({
          name: `urls.${index}.${name}`,
          value: row[name],
          onChange: (value: string) => change({ [name]: value }),
        });
        return (
          <>
            <TextField label="Language" {...field('lang_id')} isRequired description="A tag such as en." />
            <TextField
              label="Privacy notice"
              {...field('privacy')}
              type="url"
              placeholder="https://"
              isRequired
            />
            <TextField
              label="Explanation of its legitimate interests"
              {...field('leg_int_claim')}
              type="url"
              placeholder="https://"
            />
          </>
        );
      }}
    </Rows>
  );
}
