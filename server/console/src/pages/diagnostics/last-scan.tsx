import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Card, Link, QueryState, Table, Time, words } from '../../ui';

type Scan = Schemas['CookieScan'];

/** What the newest scan saw before consent, by category. */
export function LastScan() {
  const { token, path } = useSite();
  const scans = useAnswer(keys.site(token, 'scans', 'newest'), (api, signal) =>
    api.listScans({ token }, { signal }),
  );
  return (
    <Card title="The last scan, before consent">
      <QueryState query={scans}>
        {({ items }) => {
          const scan = items.find(({ status }) => status === 'done');
          if (scan === undefined)
            return (
              <Alert>
                No scan is there. <Link to={path('scans')}>Cookie scans</Link> visit pages without a decision.
              </Alert>
            );
          return (
            <>
              <p>
                <Link to={path(`scans/${scan.scan_id}`)}>{scan.url}</Link>, <Time at={scan.created_at} />
              </p>
              <ByCategory scan={scan} />
            </>
          );
        }}
      </QueryState>
    </Card>
  );
}

function ByCategory({ scan }: { scan: Scan }) {
  const { settings } = useSite();
  const hosts = scan.requests.filter(({ before_consent }) => before_consent);
  const stored = [...scan.cookies, ...scan.stored_items].filter(
    ({ set_before_consent }) => set_before_consent,
  );
  const categories = [...new Set([...hosts, ...stored].map(({ category }) => category))].sort();
  if (categories.length === 0) return <Alert tone="good" title="Nothing was loaded or stored" />;
  const many = (all: readonly { category: string }[], key: string): number =>
    all.filter(({ category }) => category === key).length;
  return (
    <Table
      label="Before consent, by category"
      rows={categories}
      rowKey={(key) => key}
      columns={[
        {
          title: 'Category',
          cell: (key) => settings.categories.find((one) => one.key === key)?.name ?? words(key),
        },
        { title: 'Hosts', numeric: true, cell: (key) => many(hosts, key) },
        { title: 'Cookies and other storage', numeric: true, cell: (key) => many(stored, key) },
      ]}
    />
  );
}
