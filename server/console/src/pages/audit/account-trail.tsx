import { keys, usePages } from '../../app/data';
import { PagedTable, PageHeader } from '../../ui';
import { columns } from './columns';

/** What happened to the user's account. */
export default function AccountTrail() {
  const trail = usePages([...keys.me, 'audit'], (api, cursor, signal) =>
    api.listAccountEvents(cursor, { signal }),
  );
  return (
    <>
      <PageHeader title="What happened to your account">
        Log-ins, refused ones, new passwords, keys for all of your sites, and what whoever runs the server
        did. What you did on a site is in that site’s audit trail.
      </PageHeader>
      <PagedTable
        label="What happened to your account"
        pages={trail}
        columns={columns(true)}
        rowKey={({ audit_id }) => audit_id}
        empty={['Nothing yet', 'Log-ins and changes of your account appear here from now on.']}
      />
    </>
  );
}
