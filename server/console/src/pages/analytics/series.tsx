import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { BarChart, Card, count, LineChart, percent } from '../../ui';
import { labelsOf, nameOf } from './names';
import { partialOf } from './partial';
import { GROUPS, type Group } from './view';

type Analytics = Schemas['Analytics'];

/** The maximum number of lines that can be told apart; the tables show all groups. */
const MAX_LINES = 4;

/** Charts over time: rates, counts, categories, and one line for each group. */
export function Series({ data, group }: { data: Analytics; group: Group | '' }) {
  const { settings } = useSite();
  const { series, categories } = data;
  const labels = labelsOf(series, data.interval, data.time_zone);
  const partial = partialOf(data);
  const shares = { labels, partial, format: percent, max: 1 };
  const rateOf = (key: string) =>
    series.map((point) => point.categories.find(({ category }) => category === key)?.opt_in_rate ?? null);
  return (
    <>
      <Card title="Rates">
        <LineChart
          label="Opt-in, reject and no-choice rates"
          {...shares}
          series={[
            { name: 'Opt-in', values: series.map((point) => point.opt_in_rate) },
            { name: 'Reject', values: series.map((point) => point.reject_rate) },
            { name: 'No choice', values: series.map((point) => point.no_choice_rate) },
          ]}
        />
      </Card>
      <Card title="Decisions">
        <BarChart
          label="Decisions"
          labels={labels}
          partial={partial}
          format={count}
          series={[
            { name: 'Accept all', values: series.map((point) => point.accept_all) },
            { name: 'Reject all', values: series.map((point) => point.reject_all) },
            { name: 'Own choice', values: series.map((point) => point.save_preferences) },
          ]}
        />
      </Card>
      {categories.length > 0 && (
        <Card title="Opt-in by category">
          <LineChart
            label="Opt-in rate by category"
            {...shares}
            series={categories.slice(0, MAX_LINES).map(({ category }) => ({
              name: nameOf('category', category, settings.categories),
              values: rateOf(category),
            }))}
          />
        </Card>
      )}
      {group !== '' && data.groups.length > 0 && <Groups data={data} group={group} />}
    </>
  );
}

function Groups({ data, group }: { data: Analytics; group: Group }) {
  const decisions = (series: Analytics['series']) => series.reduce((sum, point) => sum + point.decisions, 0);
  const biggest = [...data.groups].sort((a, b) => decisions(b.series) - decisions(a.series));
  const name = GROUPS.find(([key]) => key === group)?.[1].toLowerCase();
  return (
    <Card title={`Opt-in by ${name}`}>
      <LineChart
        label={`Opt-in rate by ${name}`}
        labels={labelsOf(data.series, data.interval, data.time_zone)}
        partial={partialOf(data)}
        format={percent}
        max={1}
        series={biggest.slice(0, MAX_LINES).map(({ key, series }) => ({
          name: nameOf(group, key),
          values: series.map((point) => point.opt_in_rate),
        }))}
      />
      {biggest.length > MAX_LINES && (
        <p className="hint">
          The four with the most decisions; the tables below and the CSV file have all groups.
        </p>
      )}
    </Card>
  );
}
