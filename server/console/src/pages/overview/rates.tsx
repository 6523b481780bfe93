import type { Schemas } from '../../app/data';
import { count, percent, Stat } from '../../ui';

type Counts = Schemas['DecisionCounts'];

/** The four figures of the last 30 days, each beside the 30 days before. */
export function Rates({ figures: { totals, previous } }: { figures: Schemas['Analytics'] }) {
  return (
    <section className="stats" aria-label="Last 30 days">
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
      : `${signed((value - old) * 100, 1)} points on the 30 days before (${percent(old)})`;
  return <Stat label={label} value={percent(value)} note={note} />;
}

function Amount({ label, now, before }: { label: string; now: number; before: number }) {
  const note =
    before === 0
      ? 'nothing to compare with'
      : `${signed((now / before - 1) * 100, 0)} % on the 30 days before`;
  return <Stat label={label} value={count(now)} note={note} />;
}

const signed = (value: number, digits: number): string =>
  new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits, signDisplay: 'exceptZero' })
    .format(value)
    .replace('-', '−');
