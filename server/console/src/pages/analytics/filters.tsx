import { useEffect, useState } from 'react';
import { Button, Form, Select, TextField, useZone } from '../../ui';
import style from './analytics.module.css';
import { PERIODS } from './period';
import { GROUPS, INTERVALS, type View } from './view';

interface Props {
  view: View;
  change: (part: Record<string, string>) => void;
  /** The error of a refused report, shown at its field. */
  error: Error | null;
}

/** The filters of the report. Lists take effect at once, dates when they are submitted. */
export function Filters({ view, change, error }: Props) {
  const [days, setDays] = useDays(view);
  const apply = () => change({ from: days.first, to: days.last });
  const toCustom = { from: view.days.first, to: view.days.last };
  return (
    <Form action={{ pending: false, error }} onSubmit={apply}>
      <div className={style.filters}>
        <Select
          label="Period"
          isRequired
          options={PERIODS}
          value={view.period}
          onChange={(period) => change({ period, ...(period === 'custom' && toCustom) })}
        />
        <Select
          label="Interval"
          name="query.interval"
          isRequired
          options={INTERVALS}
          value={view.by}
          onChange={(by) => change({ by, ...(by === 'hour' && { group: '' }) })}
        />
        <Select
          label="Compare by"
          name="query.group_by"
          isRequired
          isDisabled={view.interval === 'hour'}
          options={GROUPS}
          value={view.group}
          onChange={(group) => change({ group })}
        />
        {view.period === 'custom' && <Dates days={days} setDays={setDays} />}
      </div>
    </Form>
  );
}

function Dates({ days, setDays }: { days: View['days']; setDays: (days: View['days']) => void }) {
  const zone = useZone();
  return (
    <>
      <TextField
        label="First day"
        name="query.from"
        type="date"
        isRequired
        description={zone}
        value={days.first}
        onChange={(first) => setDays({ ...days, first })}
      />
      <TextField
        label="Last day"
        name="query.to"
        type="date"
        isRequired
        description={zone}
        value={days.last}
        onChange={(last) => setDays({ ...days, last })}
      />
      <div>
        <Button type="submit">Show</Button>
      </div>
    </>
  );
}

/** The typed days; replaced when the address changes. */
function useDays({ days: { first, last } }: View) {
  const [days, setDays] = useState({ first, last });
  useEffect(() => setDays({ first, last }), [first, last]);
  return [days, setDays] as const;
}
