import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { keys, useAction, usePages } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Alert, Badge, Card, Form, Link, PagedTable, PageHeader, TextField, Time, useDraft } from '../../ui';
import { ScanSchedule } from './schedule';
import { isUnderWay, POLL, type Scan, ScanState } from './state';

/** Scans: what the site stores and which hosts it contacts before consent. */
export default function Scans() {
  const { token, path } = useSite();
  const scans = usePages(keys.site(token, 'scans'), (api, cursor, signal) =>
    api.listScans({ token, ...cursor }, { signal }),
  );
  const { refetch } = scans;
  const waits = scans.rows.some(isUnderWay);
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => void refetch(), POLL);
    return () => clearInterval(timer);
  }, [waits, refetch]);
  return (
    <>
      <PageHeader title="Cookie scans">
        A scan visits a page as a new visitor and lists what it stores and which hosts it contacts before any
        consent. Scans are kept for 30 days. Of each page the newest one that saw all of it counts for the
        compliance score: to clear a finding, scan the same page again.
      </PageHeader>
      <Allowed
        to="operator"
        otherwise={<Alert>Only operators and owners can start scans. You can read them.</Alert>}
      >
        <Card title="New scan">
          <StartScan />
        </Card>
      </Allowed>
      <ScanSchedule />
      <PagedTable
        label="Cookie scans"
        pages={scans}
        rowKey={({ scan_id }) => scan_id}
        empty={['No scan yet', 'Scan your start page first, then a page with videos, maps or forms.']}
        columns={[
          { title: 'Page', cell: (scan) => <Link to={path(`scans/${scan.scan_id}`)}>{scan.url}</Link> },
          { title: 'State', cell: (scan) => <ScanState scan={scan} /> },
          { title: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Cookies', numeric: true, cell: (scan) => found(scan, scan.cookies.length) },
          { title: 'Other storage', numeric: true, cell: (scan) => found(scan, scan.stored_items.length) },
          { title: 'Hosts', numeric: true, cell: (scan) => found(scan, scan.requests.length) },
          { title: 'Findings', cell: (scan) => <Findings scan={scan} /> },
        ]}
      />
    </>
  );
}

const found = ({ status }: Scan, many: number) => (status === 'done' ? many : '–');

function Findings({ scan }: { scan: Scan }) {
  if (scan.status !== 'done') return '–';
  const bad = scan.findings.filter(({ severity }) => severity !== 'info').length;
  return bad === 0 ? <Badge tone="good">Nothing to fix</Badge> : <Badge tone="bad">{bad} to fix</Badge>;
}

/** Starts a scan of one page of the site, and opens its result page. */
export function StartScan() {
  const { token, url, path, domains } = useSite();
  const navigate = useNavigate();
  const draft = useDraft({ url });
  const start = useAction((api, page: string) => api.startCookieScan({ body: { url: page, token } }), {
    success: 'Scan started',
    changes: [keys.site(token, 'scans')],
    onDone: ({ scan_id }) => void navigate(path(`scans/${scan_id}`)),
  });
  return (
    <Form action={start} submit="Start scan" onSubmit={() => start.run(draft.value.url)}>
      <TextField
        label="Page"
        {...draft.bind('url')}
        type="url"
        isRequired
        description={`Any page on ${domains.join(', ')} that the internet can reach.`}
      />
    </Form>
  );
}
