import { useSite } from '../../app/site';
import { NumberField, Select, TextArea, TextField } from '../../ui';
import { Rows } from '../settings/rows';
import { type CookieDraft, emptyCookie } from './draft';
import type { Draft } from './fields';
import { OWN_END, STORAGE, UNITS, type Unit } from './lifetime';

const UNIT_OPTIONS: readonly (readonly [Unit, string])[] = [...UNITS]
  .reverse()
  .map(([unit, plural]) => [unit, plural] as const);

/** A vendor's cookies and other stored items, each with its category and lifetime. */
export function CookieRows({ draft }: { draft: Draft }) {
  const { settings } = useSite();
  const { cookies, categories } = draft.value;
  const usual = categories[0] ?? settings.categories.find(({ required }) => !required)?.key ?? '';
  return (
    <Rows
      rows={cookies}
      onChange={(rows) => draft.set({ cookies: rows })}
      titleOf={({ name }, index) => name || `cookie ${index + 1}`}
      add="Add a cookie or other storage"
      make={() => emptyCookie(usual)}
    >
      {(row, index, change) => <CookieFields row={row} name={`cookies.${index}`} onChange={change} />}
    </Rows>
  );
}

function CookieFields({
  row,
  name,
  onChange,
}: {
  row: CookieDraft;
  name: string;
  onChange: (part: Partial<CookieDraft>) => void;
}) {
  const { settings } = useSite();
  const known = settings.categories.map((one) => [one.key, one.name] as const);
  const options = known.some(([key]) => key === row.category)
    ? known
    : [[row.category, row.category] as const, ...known];
  const field = (key: 'name' | 'domain' | 'description' | 'category') => ({
    name: `${name}.${key}`,
    value: row[key],
    onChange: (value: string) => onChange({ [key]: value }),
  });
  return (
    <>
      <div className="two">
        <TextField label="Name" {...field('name')} isRequired maxLength={200} autoComplete="off" />
        <Select label="Category" {...field('category')} options={options} isRequired />
      </div>
      <div className="two">
        <Select
          label="Stored in"
          name={`${name}.storage`}
          isRequired
          options={STORAGE}
          value={row.storage}
          onChange={(storage) => onChange({ storage })}
        />
        <TextField
          label="Domain"
          {...field('domain')}
          description="The domain that sets it; empty for your own."
        />
      </div>
      <div className="two">
        <Select
          label="Lifetime"
          isRequired
          options={[['session', OWN_END[row.storage]], ...UNIT_OPTIONS]}
          value={row.unit}
          onChange={(unit) => onChange({ unit })}
        />
        {row.unit !== 'session' && (
          <NumberField
            label="How many"
            name={`${name}.max_age_seconds`}
            isRequired
            value={row.amount}
            onChange={(amount) => onChange({ amount })}
          />
        )}
      </div>
      <TextArea label="What it is for" {...field('description')} rows={2} maxLength={1000} />
    </>
  );
}
