import type { Input } from '@avow/sdk';
import { keys, usePages } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, type Column, GuideLink, Link, PagedTable, PageHeader, Select, Time } from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { kindName, type Mail, STATE_OPTIONS, StateBadge } from './names';

/** The mails of a site, with what became of them. */
export default function Mails() {
  const { may } = useSite();
  if (may('operator')) return <List />;
  return (
    <>
      <PageHeader title="Mail" />
      <Alert>Only operators and owners see mails, because they name the people who make requests.</Alert>
    </>
  );
}

const NONE = { state: '', audience: '' };
const AUDIENCES = [
  ['', 'Everybody'],
  ['visitor', 'People who made requests'],
  ['member', 'Members'],
] as const;

function List() {
  const { token, path } = useSite();
  const filters = useFilters(NONE);
  const filter = given(filters.applied) as Partial<Input<'listMails'>>;
  const mails = usePages(keys.site(token, 'mails', filter), (api, cursor, signal) =>
    api.listMails({ token, ...filter, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader title="Mail" actions={<GuideLink to="guides/mail">How mail works</GuideLink>}>
        Mails to people who made requests, and to members about this site. The text of a mail is kept for 7
        days after it was sent or given up.
      </PageHeader>
      <FilterBar filters={filters} error={mails.error}>
        <Select label="State" {...filters.choice('state')} options={STATE_OPTIONS} />
        <Select label="To" {...filters.choice('audience')} options={AUDIENCES} />
      </FilterBar>
      <PagedTable
        label="Mails"
        pages={mails}
        columns={columns(path)}
        rowKey={({ mail_id }) => mail_id}
        empty={
          filters.active
            ? ['No matching mail', 'Change or clear the filters above.']
            : [
                'No mails yet',
                'Mails appear here when somebody makes a request, or a member is told something.',
              ]
        }
      />
    </>
  );
}

const columns = (path: (below: string) => string): Column<Mail>[] => [
  { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Mail',
    cell: ({ mail_id, kind, subject }) => (
      <>
        <Link to={path(`mail/${mail_id}`)}>{subject ?? kindName(kind)}</Link>
        {subject !== null && <span className="hint block">{kindName(kind)}</span>}
      </>
    ),
  },
  { title: 'To', cell: ({ to }) => to ?? <span className="hint">Erased</span> },
  {
    title: 'State',
    cell: ({ state, error }) => (
      <>
        <StateBadge state={state} />
        {error !== null && <span className="hint block">{error}</span>}
      </>
    ),
  },
];
