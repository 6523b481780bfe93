import type { Schemas, Site } from '../../app/data';
import { toLines } from '../../app/lists';
import { useSite } from '../../app/site';
import { DateTimeField, Select, TextArea, TextField, useDraft, words } from '../../ui';
import { Rows } from './rows';
import { Section } from './section';

type Activity = Schemas['ProcessingActivity'];

/** The fields that are lists, typed line by line. */
const LISTS = [
  ['purposes', 'Purposes'],
  ['subject_categories', 'Categories of people'],
  ['data_categories', 'Categories of data'],
  ['recipients', 'Recipients'],
] as const;
type ListName = (typeof LISTS)[number][0];
type Row = Omit<Activity, ListName> & Record<ListName, string>;

const BASES = (
  [
    'consent',
    'contract',
    'legal_obligation',
    'vital_interests',
    'public_task',
    'legitimate_interests',
  ] as const
).map((key) => [key, words(key)] as const);

const EMPTY: Row = {
  name: '',
  lawful_basis: 'consent',
  purposes: '',
  subject_categories: '',
  data_categories: '',
  recipients: '',
};

const mapLists = <From, To>(entry: Record<ListName, From>, map: (value: From) => To) =>
  Object.fromEntries(LISTS.map(([name]) => [name, map(entry[name])])) as Record<ListName, To>;

const fromSite = ({ settings }: Site) => ({
  activities: settings.processing_activities.map(
    (one): Row => ({ ...one, ...mapLists(one, (list) => list.join('\n')) }),
  ),
});

const toActivity = (row: Row): Activity => ({ ...row, ...mapLists(row, toLines) });

/** The owner's own entries in the records of processing, for processing outside this product. */
export function ActivitiesSection() {
  const draft = useDraft<{ activities: Row[] }>(fromSite(useSite()));
  const { activities } = draft.value;
  return (
    <Section
      title="Processing activities"
      lead="Your own entries in the records of processing (GDPR Art. 30(1)). Entries for categories, vendors and forms are made automatically."
      draft={draft}
      fromSite={fromSite}
      toPatch={(value) => ({ settings: { processing_activities: value.activities.map(toActivity) } })}
    >
      <Rows
        rows={activities}
        onChange={(rows) => draft.set({ activities: rows })}
        titleOf={({ name }, index) => name || `activity ${index + 1}`}
        add="Add an activity"
        make={() => EMPTY}
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
  row: Row;
  index: number;
  onChange: (part: Partial<Row>) => void;
}) {
  const name = (field: string) => `settings.processing_activities.${index}.${field}`;
  const text = (field: 'transfers' | 'retention', label: string) => (
    <TextArea
      label={label}
      name={name(field)}
      value={row[field] ?? ''}
      onChange={(value) => onChange({ [field]: value === '' ? undefined : value })}
      rows={2}
    />
  );
  return (
    <>
      <div className="two">
        <TextField
          label="Name"
          name={name('name')}
          value={row.name}
          onChange={(value) => onChange({ name: value })}
          isRequired
        />
        <Select
          label="Lawful basis"
          name={name('lawful_basis')}
          value={row.lawful_basis}
          onChange={(lawful_basis) => onChange({ lawful_basis })}
          options={BASES}
          isRequired
        />
      </div>
      <div className="two">
        {LISTS.map(([field, label]) => (
          <TextArea
            key={field}
            label={label}
            description="One on each line."
            name={name(field)}
            value={row[field]}
            onChange={(value) => onChange({ [field]: value })}
            rows={3}
          />
        ))}
      </div>
      {text('transfers', 'Transfers to third countries, and their safeguards')}
      {text('retention', 'Time limits for erasure')}
      <DateTimeField
        label="Last review"
        name={name('last_review')}
        value={row.last_review ?? ''}
        onChange={(iso) => onChange({ last_review: iso === '' ? undefined : iso })}
      />
    </>
  );
}
