import type { Schemas } from '../../app/data';
import { Card, dayAndMonth, LineChart, percent } from '../../ui';

/** How the two rates went, day by day; a day without a decision leaves a gap. */
export function Trend({ figures: { series, time_zone } }: { figures: Schemas['Analytics'] }) {
  return (
    <Card title="Trend of the last 30 days">
      <LineChart
        label="Opt-in and reject rate by day"
        labels={series.map(({ start }) => dayAndMonth(start, time_zone))}
        series={[
          { name: 'Opt-in rate', values: series.map(({ opt_in_rate }) => opt_in_rate) },
          { name: 'Reject rate', values: series.map(({ reject_rate }) => reject_rate) },
        ]}
        format={percent}
        most={1}
      />
      <p className="hint">Days by the clocks of {time_zone}.</p>
    </Card>
  );
}
