import { useSite } from '../../app/site';
import { Alert, Card, Table, words } from '../../ui';
import type { Scan } from './state';

/** The hosts that the page contacted. */
export function HostsFound({ scan: { requests } }: { scan: Scan }) {
  const { settings } = useSite();
  return (
    <Card title={`Hosts (${requests.length})`}>
      {requests.length === 0 ? (
        <Alert>The page contacted no other host.</Alert>
      ) : (
        <Table
          label="Hosts that were contacted"
          rows={requests}
          rowKey={({ host }) => host}
          columns={[
            { title: 'Host', cell: ({ host }) => <code>{host}</code> },
            {
              title: 'Category',
              cell: ({ category }) =>
                settings.categories.find(({ key }) => key === category)?.name ?? words(category),
            },
            { title: 'Vendor', cell: ({ vendor }) => vendor ?? '–' },
            { title: 'Before consent', cell: ({ before_consent }) => (before_consent ? 'Yes' : 'No') },
          ]}
        />
      )}
    </Card>
  );
}
