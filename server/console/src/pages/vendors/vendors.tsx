import { useState } from 'react';
import { Allowed, useSite } from '../../app/site';
import {
  Alert,
  ButtonLink,
  count,
  EmptyState,
  Link,
  PageHeader,
  QueryState,
  Table,
  TextField,
  Time,
} from '../../ui';
import { useVendors, type Vendor } from './list';

/** The vendors of the site, with purposes and cookies. */
export default function Vendors() {
  const { path, may } = useSite();
  const list = useVendors();
  return (
    <>
      <PageHeader
        title="Vendors and cookies"
        actions={
          <Allowed to="owner">
            <ButtonLink to={path('vendors/import')}>Import a list</ButtonLink>
            <ButtonLink to={path('vendors/new')} variant="primary">
              Add a vendor
            </ButtonLink>
          </Allowed>
        }
      >
        What the banner tells visitors about third parties that receive their data, with cookies and lifetimes
        (GDPR Art. 13; CJEU C-673/17). Visitors get changes with the next banner that you publish.
      </PageHeader>
      {!may('owner') && <Alert>Only owners can change vendors. You can read them.</Alert>}
      <QueryState query={list}>
        {({ vendors, vendor_list_version, updated_at }) =>
          vendors.length === 0 ? (
            <Nothing />
          ) : (
            <>
              <List vendors={vendors} />
              <p className="hint">
                Version {vendor_list_version} of the list, from <Time at={updated_at} />
              </p>
            </>
          )
        }
      </QueryState>
    </>
  );
}

function Nothing() {
  const { path } = useSite();
  return (
    <EmptyState
      title="No vendor is listed"
      action={<ButtonLink to={path('scans')}>Find cookies with a scan</ButtonLink>}
    >
      List every third party whose code your site loads: analytics, advertising, videos, maps. A cookie scan
      shows what the site stores and which hosts it contacts.
    </EmptyState>
  );
}

const MAX_SHOWN = 200;

function List({ vendors }: { vendors: Vendor[] }) {
  const { path, settings } = useSite();
  const [wanted, setWanted] = useState('');
  const text = wanted.trim().toLowerCase();
  const found = vendors.filter(({ name, cookies }) =>
    [name, ...cookies.map((cookie) => cookie.name)].some((one) => one.toLowerCase().includes(text)),
  );
  const named = (key: string) => settings.categories.find((one) => one.key === key)?.name ?? key;
  return (
    <div className="stack">
      {vendors.length > 10 && (
        <TextField label="Find a vendor or a cookie" isRequired value={wanted} onChange={setWanted} />
      )}
      <Table
        label="Vendors"
        rows={found.slice(0, MAX_SHOWN)}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Vendor', cell: ({ id, name }) => <Link to={path(`vendors/${id}`)}>{name}</Link> },
          { title: 'Categories', cell: ({ categories }) => categories.map(named).join(', ') || '–' },
          { title: 'Country', cell: ({ country }) => country ?? '–' },
          {
            title: 'Purposes',
            numeric: true,
            cell: (row) => row.purposes.length + row.leg_int_purposes.length,
          },
          { title: 'Cookies', numeric: true, cell: ({ cookies }) => cookies.length },
        ]}
      />
      <span className="hint" role="status">
        {found.length > MAX_SHOWN
          ? `The first ${MAX_SHOWN} of ${count(found.length)}: search for the others.`
          : `${count(found.length)} of ${count(vendors.length)} vendors`}
      </span>
    </div>
  );
}
