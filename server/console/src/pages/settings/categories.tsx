import type { Schemas, Site } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Checkbox, Switch, TextArea, TextField, useDraft, words } from '../../ui';
import { Rows } from './rows';
import { Section } from './section';

type Category = Schemas['Category'];
type Consent = Schemas['GoogleConsentType'];

const CONSENTS: readonly Consent[] = [
  'ad_storage',
  'ad_user_data',
  'ad_personalization',
  'analytics_storage',
  'functionality_storage',
  'personalization_storage',
  'security_storage',
];

const fromSite = ({ settings }: Site) => ({ categories: settings.categories });

/** The categories that visitors may allow or refuse. */
export function CategoriesSection() {
  const draft = useDraft<{ categories: Category[] }>(fromSite(useSite()), 'settings.');
  const { categories } = draft.value;
  return (
    <Section
      title="Categories"
      lead="What visitors may allow or refuse. Consent records name a category by its key: a category with another key is a new one."
      draft={draft}
      fromSite={fromSite}
      toPatch={(value) => ({ settings: value })}
    >
      <Rows
        rows={categories}
        onChange={(rows) => draft.set({ categories: rows })}
        titleOf={({ name, key }, index) => name || key || `category ${index + 1}`}
        add="Add a category"
        make={() => ({ key: '', name: '', description: '', required: false })}
      >
        {(row, index, change) => <Fields row={row} index={index} onChange={change} />}
      </Rows>
    </Section>
  );
}

function Fields({
  row,
  index,
  onChange,
}: {
  row: Category;
  index: number;
  onChange: (part: Partial<Category>) => void;
}) {
  const name = (field: string) => `settings.categories.${index}.${field}`;
  return (
    <>
      <div className="two">
        <TextField
          label="Name"
          name={name('name')}
          value={row.name}
          onChange={(text) => onChange({ name: text })}
          isRequired
        />
        <TextField
          label="Key"
          name={name('key')}
          value={row.key}
          onChange={(key) => onChange({ key })}
          isRequired
        />
      </div>
      <TextArea
        label="Description"
        name={name('description')}
        value={row.description}
        onChange={(description) => onChange({ description })}
        rows={2}
      />
      <Switch
        label="Strictly necessary"
        hint="Always active, never asked (ePrivacy Directive Art. 5(3))."
        name={name('required')}
        value={row.required}
        onChange={(required) => onChange({ required })}
      />
      <GoogleConsent
        chosen={row.google_consent}
        onChange={(google_consent) => onChange({ google_consent } as Partial<Category>)}
      />
    </>
  );
}

function GoogleConsent({
  chosen,
  onChange,
}: {
  chosen: Consent[] | undefined;
  onChange: (chosen: Consent[] | undefined) => void;
}) {
  return (
    <details>
      <summary>Google Consent Mode: {chosen === undefined ? 'default for this key' : 'chosen here'}</summary>
      <fieldset className="choices section-fields" aria-label="Consent types that this category grants">
        {CONSENTS.map((type) => (
          <Checkbox
            key={type}
            label={words(type)}
            value={chosen?.includes(type) ?? false}
            onChange={(on) => onChange(CONSENTS.filter((one) => (one === type ? on : chosen?.includes(one))))}
          />
        ))}
        {chosen !== undefined && (
          <div>
            <Button small onPress={() => onChange(undefined)}>
              Use the default for this key
            </Button>
          </div>
        )}
      </fieldset>
    </details>
  );
}
