import type { Schemas } from '../../app/data';
import { Card, count, percent, Table } from '../../ui';
import { nameOf } from './names';
import type { Group } from './view';

/** A table of the groups over the whole period, largest first. */
export function Breakdown({
  title,
  kind,
  rows,
}: {
  title: string;
  kind: Group;
  rows: Schemas['AnalyticsGroupCounts'][];
}) {
  if (rows.length === 0) return null;
  return (
    <Card title={title}>
      <Table
        label={title}
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          {
            title: title.replace('By ', '').replace(/^./, (first) => first.toUpperCase()),
            cell: ({ key }) => nameOf(kind, key),
          },
          { title: 'Shown', numeric: true, cell: ({ impressions }) => count(impressions) },
          { title: 'Decisions', numeric: true, cell: ({ decisions }) => count(decisions) },
          { title: 'Opt-in', numeric: true, cell: ({ opt_in_rate }) => percent(opt_in_rate) },
          { title: 'Reject', numeric: true, cell: ({ reject_rate }) => percent(reject_rate) },
          { title: 'No choice', numeric: true, cell: ({ no_choice_rate }) => percent(no_choice_rate) },
        ]}
      />
    </Card>
  );
}
