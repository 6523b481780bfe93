import type { Schemas } from '../../app/data';
import { Badge, Card, type Column, count, GuideLink, Table, Time } from '../../ui';
import { CopiedCode } from './keys';
import type { Log } from './log-state';

type Witness = Schemas['EvidenceWitness'];
type Authority = Schemas['EvidenceTimestamp'];

/** Whoever vouches for the log besides the server, and for how much of it. */
export const Vouchers = ({ log }: { log: Log }) => (
  <Card
    title="Who vouches for it"
    actions={<GuideLink to="guides/witnesses-and-time-stamps">How others vouch</GuideLink>}
  >
    {log.witnesses.length + log.timestamps.length === 0 && (
      <p>
        Nobody but this server yet. Witnesses and time-stamping authorities rule out that whoever runs the
        server replaces the whole log; they are named in the server’s configuration.
      </p>
    )}
    {log.witnesses.length > 0 && (
      <Table label="Witnesses" rows={log.witnesses} rowKey={({ vkey }) => vkey} columns={WITNESSES} />
    )}
    {log.timestamps.length > 0 && (
      <Table
        label="Time-stamping authorities"
        rows={log.timestamps}
        rowKey={({ authority }) => authority}
        columns={AUTHORITIES}
      />
    )}
  </Card>
);

const WITNESSES: Column<Witness>[] = [
  {
    title: 'Witness',
    cell: ({ name, vkey }) => (
      <>
        {name} <CopiedCode text={vkey} />
      </>
    ),
  },
  { title: 'Confirmed', cell: ({ size }) => records(size) },
  { title: 'When', cell: ({ at }) => (at === null ? 'Not yet' : <Time at={at} />) },
  { title: 'State', cell: (witness) => <Works {...witness} /> },
];

const AUTHORITIES: Column<Authority>[] = [
  { title: 'Time-stamping authority', cell: ({ authority }) => authority },
  { title: 'Time-stamped', cell: ({ size }) => records(size) },
  { title: 'When', cell: ({ gen_time }) => (gen_time === null ? 'Not yet' : <Time at={gen_time} />) },
  { title: 'State', cell: (authority) => <Works {...authority} /> },
];

const records = (size: number | null): string =>
  size === null ? 'Nothing yet' : size === 1 ? '1 record' : `${count(size)} records`;

function Works({ size, failing_since }: { size: number | null; failing_since: string | null }) {
  if (failing_since !== null)
    return (
      <>
        <Badge tone="bad">Failing</Badge>{' '}
        <span className="hint block">
          since <Time at={failing_since} />
        </span>
      </>
    );
  return size === null ? <Badge>Not asked yet</Badge> : <Badge tone="good">Works</Badge>;
}
