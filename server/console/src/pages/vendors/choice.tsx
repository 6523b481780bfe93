import { useState } from 'react';
import { Button, Checkbox, count, TextField } from '../../ui';
import style from './import.module.css';
import type { Vendor } from './list';

/** The maximum number of vendors shown at once; the search finds the others. */
const MAX_SHOWN = 100;

/** Selects the vendors of a file to import. The selection stays while the search changes. */
export function Choice({
  vendors,
  present,
  chosen,
  onChange,
}: {
  vendors: readonly Vendor[];
  present: readonly Vendor[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
}) {
  const [wanted, setWanted] = useState('');
  const text = wanted.trim().toLowerCase();
  const found = vendors.filter(({ id, name }) => name.toLowerCase().includes(text) || String(id) === text);
  const listed = new Set(present.map(({ id }) => id));
  const choose = (ids: readonly number[], isWanted: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) isWanted ? next.add(id) : next.delete(id);
    onChange(next);
  };
  return (
    <div className="stack">
      <TextField
        label={`Find one of ${count(vendors.length)} vendors`}
        isRequired
        value={wanted}
        onChange={setWanted}
        autoComplete="off"
        description="By name or number."
      />
      <div className="row">
        <Button
          small
          onPress={() =>
            choose(
              found.map(({ id }) => id),
              true,
            )
          }
        >
          Choose all {count(found.length)} found
        </Button>
        <Button small onPress={() => onChange(new Set())} isDisabled={chosen.size === 0}>
          Choose none
        </Button>
        <span className="hint" role="status">
          {count(found.length)} found, {count(chosen.size)} chosen
        </span>
      </div>
      {found.length > 0 && (
        <fieldset className={style.choiceList} aria-label="Vendors of the file">
          {found.slice(0, MAX_SHOWN).map(({ id, name, purposes, leg_int_purposes }) => (
            <Checkbox
              key={id}
              label={name}
              hint={`Number ${id}, ${purposes.length + leg_int_purposes.length} purposes${listed.has(id) ? ', already in your list' : ''}`}
              value={chosen.has(id)}
              onChange={(isWanted) => choose([id], isWanted)}
            />
          ))}
        </fieldset>
      )}
      {found.length > MAX_SHOWN && (
        <p className="hint">The first {MAX_SHOWN} are shown: search for the others.</p>
      )}
    </div>
  );
}
