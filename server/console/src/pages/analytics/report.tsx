import type { Schemas } from '../../app/data';
import { saveFile } from '../../app/save-file';
import { useSite } from '../../app/site';
import { Alert, Button, Card, count, date, EmptyState, percent, Table, words } from '../../ui';
import { Breakdown } from './breakdown';
import { csvFile } from './csv';
import { nameOf } from './names';
import { Series } from './series';
import { Totals } from './totals';
import type { Group } from './view';

type Analytics = Schemas['Analytics'];

/** The whole report of one period. */
export function Report({ data, group }: { data: Analytics; group: Group | '' }) {
  const { domain } = useSite();
  if (data.totals.impressions === 0 && data.totals.decisions === 0) return <Nothing data={data} />;
  return (
    <>
      <Totals data={data} />
      <Series data={data} group={group} />
      <Categories rates={data.categories} />
      <Breakdown title="By language" kind="language" rows={data.by_language} />
      <Breakdown title="By banner version" kind="banner_version" rows={data.by_banner_version} />
      <Breakdown title="By device" kind="device" rows={data.by_device} />
      <Interactions rows={data.interactions} />
      <div className="row">
        <Button onPress={() => saveFile(Promise.resolve(csvFile(data, domain)))}>Download as CSV</Button>
        <span className="hint">All points of the time series with all their counts.</span>
      </div>
    </>
  );
}

function Nothing({ data: { from, to, time_zone } }: { data: Analytics }) {
  const site = useSite();
  const last = new Date(Date.parse(to) - 1).toISOString();
  return (
    <EmptyState title="Nobody saw the banner in this period">
      <p>
        No impression and no decision was recorded from {date(from, time_zone)} to {date(last, time_zone)}.
        Choose a longer period, or check that the banner’s snippet is on {site.domain}.
      </p>
    </EmptyState>
  );
}

function Categories({ rates }: { rates: Schemas['CategoryRate'][] }) {
  const { settings } = useSite();
  return (
    <Card title="By category">
      {rates.length === 0 ? (
        <Alert>No decision about a category was recorded in this period.</Alert>
      ) : (
        <Table
          label="Decisions by category"
          rows={rates}
          rowKey={({ category }) => category}
          columns={[
            { title: 'Category', cell: ({ category }) => nameOf('category', category, settings.categories) },
            { title: 'Allowed', numeric: true, cell: ({ granted }) => count(granted) },
            { title: 'Refused', numeric: true, cell: ({ refused }) => count(refused) },
            { title: 'Opt-in rate', numeric: true, cell: ({ opt_in_rate }) => percent(opt_in_rate) },
          ]}
        />
      )}
    </Card>
  );
}

function Interactions({ rows }: { rows: Schemas['InteractionCount'][] }) {
  const { settings } = useSite();
  if (rows.length === 0) return null;
  return (
    <Card title="What visitors did with the banner">
      <Table
        label="Interactions"
        rows={rows}
        rowKey={({ name, category }) => `${name} ${category}`}
        columns={[
          { title: 'Interaction', cell: ({ name }) => words(name) },
          {
            title: 'Category',
            cell: ({ category }) =>
              category === null ? '–' : nameOf('category', category, settings.categories),
          },
          { title: 'Times', numeric: true, cell: (row) => count(row.count) },
        ]}
      />
    </Card>
  );
}
