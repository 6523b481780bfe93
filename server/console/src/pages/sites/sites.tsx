import { keys, useAnswer, usePages } from '../../app/data';
import { Alert, Badge, ButtonLink, Link, PagedTable, PageHeader, words } from '../../ui';

/** All sites of the user, newest first. */
export default function Sites() {
  const sites = usePages([...keys.sites, 'pages'], (api, cursor, signal) =>
    api.listEnvironments(cursor, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Your sites"
        actions={
          <ButtonLink to="/sites/new" variant="primary">
            New site
          </ButtonLink>
        }
      />
      <ClosedSites />
      <PagedTable
        pages={sites}
        label="Your sites"
        empty={[
          'No site yet',
          'Three steps: its domain, its settings, and a line of HTML to paste.',
          <ButtonLink key="new" to="/sites/new" variant="primary">
            Add your first site
          </ButtonLink>,
        ]}
        rowKey={({ token }) => token}
        columns={[
          { title: 'Name', cell: ({ name, token }) => <Link to={`/sites/${token}`}>{name}</Link> },
          { title: 'Domain', cell: ({ domain }) => domain },
          {
            title: 'State',
            cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'warn'}>{words(status)}</Badge>,
          },
          { title: 'To do', cell: ({ warnings }) => <ToDo count={warnings.length} /> },
          { title: 'Your role', cell: ({ role }) => words(role) },
        ]}
      />
    </>
  );
}

/** Sites that are not in the list, because they require a second factor of somebody who has none. */
function ClosedSites() {
  const factors = useAnswer(keys.factors, (api, signal) => api.getSecondFactors(undefined, { signal }));
  const { since = null, required_by = [] } = factors.data ?? {};
  if (since !== null || required_by.length === 0) return null;
  return (
    <Alert tone="warn" title="Some of your sites require a second factor">
      {required_by.join(', ')}: <Link to="/account/security">add an app or a passkey</Link> to see them.
    </Alert>
  );
}

const ToDo = ({ count }: { count: number }) =>
  count === 0 ? <span className="muted">Nothing</span> : <Badge tone="warn">{count}</Badge>;
