import { useState } from 'react';
import { useSite } from '../../app/site';
import { Button, Checkbox, Form, QueryState, Select, TextField } from '../../ui';
import { storageName } from '../vendors/lifetime';
import { useChangeVendors, useVendors, type Vendor } from '../vendors/list';
import { adopt, type Choice, type Found, propose } from './adopt-plan';
import style from './scans.module.css';

interface Props {
  found: readonly Found[];
  /** The singular and plural names of the items. */
  nouns: readonly [string, string];
  close: () => void;
}

/** Adds the findings of a scan to the vendor list. */
export function Adopt(props: Props) {
  const list = useVendors();
  // The vendor list has only items with names.
  const found = props.found.filter(({ name }) => name !== '');
  return <QueryState query={list}>{({ vendors }) => <Plan {...props} {...{ found, vendors }} />}</QueryState>;
}

function Plan({ found, nouns: [one, several], close, vendors }: Props & { vendors: Vendor[] }) {
  const { settings } = useSite();
  const [choices, setChoices] = useState(() =>
    found.map((cookie) => propose(cookie, vendors, settings.categories)),
  );
  const save = useChangeVendors({ success: 'Added to the vendor list', onDone: close });
  const wanted = choices.filter((choice) => choice.wanted).length;
  return (
    <Form
      action={save}
      dirty={wanted > 0}
      submit={`Add ${wanted} ${wanted === 1 ? one : several}`}
      isDisabled={wanted === 0}
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => save.run(adopt(found, choices))}
    >
      {found.map((cookie, at) => (
        <Row
          key={keyOf(cookie)}
          cookie={cookie}
          choice={choices[at] as Choice}
          vendors={vendors}
          onChange={(part) =>
            setChoices((all) => all.map((one, index) => (index === at ? { ...one, ...part } : one)))
          }
        />
      ))}
    </Form>
  );
}

export const keyOf = ({ storage, name, domain }: Found): string => `${storage} ${domain} ${name}`;

function Row({
  cookie,
  choice,
  vendors,
  onChange,
}: {
  cookie: Found;
  choice: Choice;
  vendors: Vendor[];
  onChange: (part: Partial<Choice>) => void;
}) {
  const { settings } = useSite();
  return (
    <fieldset className={`entry-group ${style.adoptRow}`}>
      <legend>{cookie.name}</legend>
      <Checkbox
        label={`Add ${cookie.name}`}
        hint={
          cookie.storage === 'cookie'
            ? `Set for ${cookie.domain}`
            : `${storageName(cookie.storage)} of ${cookie.domain}`
        }
        value={choice.wanted}
        onChange={(wanted) => onChange({ wanted })}
      />
      {choice.wanted && (
        <div className="two">
          <Select
            label="Category"
            isRequired
            options={settings.categories.map(({ key, name }) => [key, name] as const)}
            value={choice.category}
            onChange={(category) => onChange({ category })}
          />
          <Select
            label="Vendor"
            isRequired
            options={[['new', 'A new vendor'], ...vendors.map(({ id, name }) => [`id:${id}`, name] as const)]}
            value={choice.vendor}
            onChange={(vendor) => onChange({ vendor })}
          />
          {choice.vendor === 'new' && (
            <TextField
              label="Name of the new vendor"
              isRequired
              value={choice.newVendor}
              onChange={(newVendor) => onChange({ newVendor })}
              maxLength={200}
            />
          )}
        </div>
      )}
    </fieldset>
  );
}
