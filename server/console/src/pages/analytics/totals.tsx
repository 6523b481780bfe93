import type { Schemas } from '../../app/data';
import { changeOf, count, date, percent, Stat, signed } from '../../ui';
import style from './analytics.module.css';

type Counts = Schemas['DecisionCounts'];
type Analytics = Schemas['Analytics'];

/** The figures of the period, compared with the period before. */
export function Totals({ data }: { data: Analytics }) {
  const { totals, previous, time_zone } = data;
  const last = new Date(Date.parse(previous.to) - 1).toISOString();
  const before = `${date(previous.from, time_zone)} to ${date(last, time_zone)}`;
  return (
    <section className="stack" aria-label="Totals">
      <div className={style.stats}>
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
      <Bots data={data} />
    </section>
  );
}

/**
 * Programs that read pages, such as those of search engines. They do not decide, and would distort the rates.
 */
function Bots({ data: { by_device, interval } }: { data: Analytics }) {
  const bots = by_device.find(({ key }) => key === 'bot');
  if (bots === undefined) return null;
  const times = `${count(bots.impressions)} ${bots.impressions === 1 ? 'time' : 'times'}`;
  return (
    <p className="hint">
      Bots were shown the banner {times} and made {count(bots.decisions)} decisions:{' '}
      {interval === 'hour' ? 'hourly figures include them.' : 'these figures do not include them.'}
    </p>
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

const NOTHING = 'nothing to compare with';

/** Adds the direction of a change. */
const directed = (text: string): string =>
  text.startsWith('0 ') ? 'unchanged' : `${text.startsWith('−') ? '▼' : '▲'} ${text}`;

/** The change of a share in percentage points: 60 % after 50 % is +10 points, not +20 %. */
function points(now: number | null, before: number | null): string {
  if (now === null || before === null) return NOTHING;
  return directed(`${signed((now - before) * 100)} points`);
}

function change(now: number, before: number): string {
  const text = changeOf(now, before);
  return text === undefined ? NOTHING : directed(text);
}
