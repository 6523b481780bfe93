import type { Site } from '../../app/data';
import { useAllSites } from '../../app/sites';
import { Badge, ButtonLink, EmptyState, Link, PageHeader, QueryState, Table, words } from '../../ui';

/** Every site of the caller. */
export default function Sites() {
  const sites = useAllSites();
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
      <QueryState query={sites}>{(all) => <List sites={all} />}</QueryState>
    </>
  );
}

function List({ sites }: { sites: Site[] }) {
  const [only] = sites;
  if (only === undefined) {
    return (
      <EmptyState
        title="No site yet"
        action={
          <ButtonLink to="/sites/new" variant="primary">
            Add your first site
          </ButtonLink>
        }
      >
        Three steps: its domain, its settings, and a line of HTML to paste.
      </EmptyState>
    );
  }
  return (
    <Table
      label="Your sites"
      rows={sites}
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
  );
}

const ToDo = ({ count }: { count: number }) =>
  count === 0 ? <span className="muted">Nothing</span> : <Badge tone="warn">{count}</Badge>;
