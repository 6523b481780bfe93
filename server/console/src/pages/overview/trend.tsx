import type { Schemas } from '../../app/data';
import { Card, dayAndMonth, LineChart, percent } from '../../ui';
import { partialOf } from '../analytics/partial';

/** The two rates by day; a day without a decision leaves a gap. */
export function Trend({ figures }: { figures: Schemas['Analytics'] }) {
  const { series, time_zone } = figures;
  return (
    <Card title="Trend of the last 30 days">
      <LineChart
        label="Opt-in and reject rate by day"
        labels={series.map(({ start }) => dayAndMonth(start, time_zone))}
        series={[
          { name: 'Opt-in rate', values: series.map(({ opt_in_rate }) => opt_in_rate) },
          { name: 'Reject rate', values: series.map(({ reject_rate }) => reject_rate) },
        ]}
        partial={partialOf(figures)}
        format={percent}
        max={1}
      />
      <p className="hint">Days by the clocks of {time_zone}.</p>
    </Card>
  );
}
