import { keys, usePages } from '../../app/data';
import { Badge, ButtonLink, Link, PagedTable, PageHeader, words } from '../../ui';

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

const ToDo = ({ count }: { count: number }) =>
  count === 0 ? <span className="muted">Nothing</span> : <Badge tone="warn">{count}</Badge>;
