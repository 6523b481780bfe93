import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Badge, Card, Table } from '../../ui';
import type { Proof } from './facts';

/** The choice for each vendor, with the names that the banner showed; only where it asked about vendors. */
export function VendorChoices({ proof }: { proof: Proof }) {
  const { token } = useSite();
  const hash = proof.shown_bundle?.hash;
  const bundle = useAnswer(
    keys.site(token, 'bundles', hash ?? ''),
    (api, signal) => api.getBundleRecord({ token, hash: hash ?? '' }, { signal }),
    { enabled: hash !== undefined && proof.vendors !== undefined },
  );
  if (proof.vendors === undefined) return null;
  const names = new Map(bundle.data?.config.asked_vendors?.map(({ id, name }) => [`${id}`, name]));
  return (
    <Card title="Vendors">
      <Table
        label="Choice by vendor"
        rows={Object.entries(proof.vendors)}
        rowKey={([id]) => id}
        columns={[
          { title: 'Vendor', cell: ([id]) => names.get(id) ?? `Number ${id}` },
          {
            title: 'Choice',
            cell: ([, isAllowed]) => (
              <Badge tone={isAllowed ? 'good' : 'bad'}>{isAllowed ? 'Allowed' : 'Refused'}</Badge>
            ),
          },
        ]}
      />
    </Card>
  );
}
