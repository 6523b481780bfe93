import type { Schemas } from '../../app/data';
import { count, date, percent, Stat } from '../../ui';

type Counts = Schemas['DecisionCounts'];
type Analytics = Schemas['Analytics'];

/** The figures of the period, each beside the period before. */
export function Totals({ data: { totals, previous, time_zone } }: { data: Analytics }) {
  const last = new Date(Date.parse(previous.to) - 1).toISOString();
  const before = `${date(previous.from, time_zone)} to ${date(last, time_zone)}`;
  return (
    <section className="stack" aria-label="Totals">
      <div className="stats">
        <Figure label="Banner shown" totals={totals} previous={previous} field="impressions" />
        <Figure label="Decisions" totals={totals} previous={previous} field="decisions" />
        <Figure label="Opt-in rate" totals={totals} previous={previous} field="opt_in_rate" />
        <Figure label="Reject rate" totals={totals} previous={previous} field="reject_rate" />
        <Figure label="Left without a choice" totals={totals} previous={previous} field="no_choice_rate" />
      </div>
      <p className="hint">
        Compared with the period before, {before}. Opt-in: decisions that allowed at least one category.
        Reject: decisions that refused all. Both are shares of the decisions; left without a choice is a share
        of the times that the banner was shown.
      </p>
    </section>
  );
}

type Field = 'impressions' | 'decisions' | 'opt_in_rate' | 'reject_rate' | 'no_choice_rate';

function Figure({
  label,
  totals,
  previous,
  field,
}: {
  label: string;
  totals: Counts;
  previous: Counts;
  field: Field;
}) {
  const isRate = field.endsWith('_rate');
  const value = totals[field];
  return (
    <Stat
      label={label}
      value={isRate ? percent(value) : count(value ?? 0)}
      note={isRate ? points(value, previous[field]) : change(value ?? 0, previous[field] ?? 0)}
    />
  );
}

const signed = (value: number, unit: string): string =>
  value === 0
    ? 'unchanged'
    : `${value > 0 ? '▲ +' : '▼ −'}${Math.abs(value).toLocaleString('en-GB')} ${unit}`;

/** How a share changed, in percentage points: 60 % after 50 % is +10 points, not +20 %. */
function points(now: number | null, before: number | null): string {
  if (now === null || before === null) return 'nothing to compare with';
  return signed(Math.round((now - before) * 1000) / 10, 'points');
}

function change(now: number, before: number): string {
  return before === 0 ? 'nothing to compare with' : signed(Math.round((now / before - 1) * 1000) / 10, '%');
}
