import type { ReactNode } from 'react';
import type { Report } from '../../../../../sdk/banner/src/debug/report';
import {
  factsOf,
  isTelling,
  type Moment,
  notesOf,
  purposeIn,
  saysOf,
  timeLineOf,
} from '../../../../../sdk/banner/src/debug/words';
import { useSite } from '../../app/site';
import { Alert, Badge, Card, FieldList, Table, Time } from '../../ui';

/** Rows of one table. */
const ROWS = 500;

/** What the panel showed on the page. */
export function ReportView({ report }: { report: Report }) {
  const { token } = useSite();
  const notes = notesOf(report);
  const moments = timeLineOf(report, ROWS);
  return (
    <>
      <Card title="What the report says">
        {report.banner.site !== null && report.banner.site !== token && (
          <Alert tone="warn" title="The report is of another site" />
        )}
        {notes.length === 0 &&
          (isTelling(report) ? (
            <Alert tone="good" title="Nothing was loaded without consent" />
          ) : (
            <Alert title="Nothing found" />
          ))}
        {notes.map((note) => (
          <Alert key={note} tone="warn" title={note} />
        ))}
        <FieldList
          items={[
            [
              'Copied',
              !Number.isNaN(Date.parse(report.made_at)) && <Time key="made" at={report.made_at} />,
            ] as const,
            ...factsOf(report),
          ].map(([name, value]) => [name, value || undefined])}
        />
      </Card>
      <Rows
        title="What was loaded, under which state"
        rows={moments}
        left={report.states.length + report.loads.length - moments.length}
        columns={[
          ['Time', ({ ms }) => `${Math.round(ms)} ms`, true],
          ['What', ({ what }) => <Badge>{what}</Badge>],
          ['Address', ({ about }) => <code>{about}</code>],
          ['Category', ({ purpose }) => purpose],
          ['State', (one) => <Verdict of={one} />],
        ]}
      />
      <Rows
        title="Waiting"
        rows={report.held}
        columns={[
          ['Kind', ({ kind }) => kind],
          ['Address', ({ url }) => <code>{url || 'inline'}</code>],
          ['Waits for', purposeIn],
        ]}
      />
      <Rows
        title="Google Consent Mode and events"
        rows={report.layer}
        columns={[
          ['No.', ({ n }) => n],
          ['Entry', ({ what }) => what],
          ['Says', saysOf],
        ]}
      />
      <Rows
        title="Other signals"
        rows={report.signals}
        columns={[
          ['To', ({ to }) => to],
          ['What', ({ what }) => <code>{what}</code>],
        ]}
      />
    </>
  );
}

const Verdict = ({ of: { verdict, mark } }: { of: Moment }) =>
  mark === 'bad' ? <Badge tone="bad">{verdict}</Badge> : verdict;

interface Shown<Row> {
  row: Row;
  index: number;
}

/** A table of the first rows; the rest is said to be there. */
function Rows<Row>({
  title,
  rows,
  left = rows.length - ROWS,
  columns,
}: {
  title: string;
  rows: readonly Row[];
  left?: number;
  columns: readonly (readonly [string, (row: Row) => ReactNode, numeric?: true])[];
}) {
  const shown = rows.slice(0, ROWS).map((row, index) => ({ row, index }));
  if (shown.length === 0) return null;
  return (
    <Card title={title}>
      <Table
        label={title}
        rows={shown}
        rowKey={({ index }) => index}
        columns={columns.map(([name, cell, numeric]) => ({
          ...{ title: name, cell: ({ row }: Shown<Row>) => cell(row) },
          ...(numeric && { numeric }),
        }))}
      />
      {left > 0 && <p className="muted">{left} more are not shown.</p>}
    </Card>
  );
}
