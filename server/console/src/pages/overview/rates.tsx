import type { Schemas } from '../../app/data';
import { changeOf, count, percent, Stat, signed } from '../../ui';
import style from './overview.module.css';

type Counts = Schemas['DecisionCounts'];

/** The figures of the last 30 days, compared with the 30 days before. */
export function Rates({ figures: { totals, previous } }: { figures: Schemas['Analytics'] }) {
  return (
    <section className={style.stats} aria-label="Last 30 days">
      <Share label="Opt-in rate" now={totals} before={previous} field="opt_in_rate" />
      <Share label="Reject rate" now={totals} before={previous} field="reject_rate" />
      <Amount label="Decisions" now={totals.decisions} before={previous.decisions} />
      <Amount label="Banner shown" now={totals.impressions} before={previous.impressions} />
    </section>
  );
}

function Share({
  label,
  now,
  before,
  field,
}: {
  label: string;
  now: Counts;
  before: Counts;
  field: 'opt_in_rate' | 'reject_rate';
}) {
  const [value, old] = [now[field], before[field]];
  const note =
    value === null || old === null
      ? 'nothing to compare with'
      : `${signed((value - old) * 100)} points on the 30 days before (${percent(old)})`;
  return <Stat label={label} value={percent(value)} note={note} />;
}

function Amount({ label, now, before }: { label: string; now: number; before: number }) {
  const change = changeOf(now, before);
  const note = change === undefined ? 'nothing to compare with' : `${change} on the 30 days before`;
  return <Stat label={label} value={count(now)} note={note} />;
}
