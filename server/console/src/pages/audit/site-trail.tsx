import { keys, useAnswer, usePages } from '../../app/data';
import { ExportButtons } from '../../app/export-buttons';
import { useSite } from '../../app/site';
import { Alert, DateTimeField, GuideLink, PagedTable, PageHeader, Select, TextField } from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { columns } from './columns';
import { type AuditEvent, OF_SITE } from './names';

/** Who changed or exported what on the site. */
export default function SiteTrail() {
  const { may } = useSite();
  if (may('owner')) return <Trail />;
  return (
    <>
      <PageHeader title="Audit trail" />
      <Alert>Only owners see who changed or exported what.</Alert>
    </>
  );
}

const NONE = { operation: '', kind: '', user_id: '', resource_id: '', from: '', to: '' };
const ACTIONS = Object.entries(OF_SITE).sort(([, a], [, b]) => a.localeCompare(b));

function Trail() {
  const { token } = useSite();
  const filters = useFilters(NONE);
  const { user_id, ...others } = given(filters.applied) as { user_id?: string; kind?: AuditEvent['kind'] };
  const filter = { ...others, ...(user_id !== undefined && { user_id: Number(user_id) }) };
  const trail = usePages(keys.site(token, 'audit', filter), (api, cursor, signal) =>
    api.listAuditEvents({ token, ...filter, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Audit trail"
        actions={
          <ExportButtons
            ask={(api, format, options) => api.exportAuditEvents({ token, format, ...filter }, options)}
          />
        }
      >
        Who changed or exported what: members, API keys, and whoever runs the server. An entry is written
        together with the change and never changed.{' '}
        <GuideLink to="guides/audit-trail">What is in it</GuideLink>
      </PageHeader>
      <FilterBar filters={filters} error={trail.error}>
        <Select label="Action" {...filters.choice('operation')} options={[['', 'All'], ...ACTIONS]} />
        <Select label="Kind" {...filters.choice('kind')} options={KINDS} />
        <Members {...filters.choice('user_id')} />
        <TextField label="Id of a record" {...filters.text('resource_id')} placeholder="0b6f1d9e-…" />
        <DateTimeField label="From" {...filters.text('from')} />
        <DateTimeField label="Before" {...filters.text('to')} />
      </FilterBar>
      <PagedTable
        label="Audit trail"
        pages={trail}
        columns={columns(false)}
        rowKey={({ audit_id }) => audit_id}
        empty={
          filters.active
            ? ['Nothing matches', 'Change or clear the filters above.']
            : ['Nothing yet', 'What members and keys change or export from now on appears here.']
        }
      />
    </>
  );
}

const KINDS = [
  ['', 'All'],
  ['change', 'Changes'],
  ['export', 'Exports'],
] as const;

/** Those who are members now; what others did is found by the other filters. */
function Members(choice: { name: string; value: string; onChange: (value: string) => void }) {
  const { token } = useSite();
  const members = useAnswer(keys.site(token, 'members', 'names'), (api, signal) =>
    api.listMembers({ token, limit: 200 }, { signal }),
  );
  const people = (members.data?.items ?? []).filter(({ status }) => status === 'active');
  return (
    <Select
      label="Who"
      {...choice}
      options={[
        ['', 'All'],
        ...people.map(({ user_id, name, email }) => [String(user_id), `${name}, ${email}`] as const),
      ]}
    />
  );
}
