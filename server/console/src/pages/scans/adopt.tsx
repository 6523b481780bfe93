import { useState } from 'react';
import { useSite } from '../../app/site';
import { Button, Checkbox, Form, QueryState, Select, TextField } from '../../ui';
import { useChangeVendors, useVendors, type Vendor } from '../vendors/list';
import { adopt, type Choice, propose } from './adopt-plan';
import style from './scans.module.css';
import type { Scan } from './state';

interface Props {
  cookies: Scan['cookies'];
  close: () => void;
}

/** Sorts found cookies into the vendor list. */
export function AdoptCookies(props: Props) {
  const list = useVendors();
  return <QueryState query={list}>{({ vendors }) => <Plan {...props} vendors={vendors} />}</QueryState>;
}

function Plan({ cookies, close, vendors }: Props & { vendors: Vendor[] }) {
  const { settings } = useSite();
  const [choices, setChoices] = useState(() =>
    cookies.map((cookie) => propose(cookie, vendors, settings.categories)),
  );
  const save = useChangeVendors({ success: 'Cookies added to the vendor list', onDone: close });
  const wanted = choices.filter((choice) => choice.wanted).length;
  return (
    <Form
      action={save}
      dirty={wanted > 0}
      submit={`Add ${wanted} ${wanted === 1 ? 'cookie' : 'cookies'}`}
      isDisabled={wanted === 0}
      extra={<Button onPress={close}>Cancel</Button>}
      onSubmit={() => save.run(adopt(cookies, choices))}
    >
      {cookies.map((cookie, at) => (
        <Row
          key={`${cookie.name} ${cookie.domain}`}
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

function Row({
  cookie,
  choice,
  vendors,
  onChange,
}: {
  cookie: Scan['cookies'][number];
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
        hint={`Set for ${cookie.domain}`}
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
