import type { Input, Item } from '@avow/sdk';
import { keys, usePages } from '../../app/data';
import { ExportButtons } from '../../app/export-buttons';
import { Allowed, useSite } from '../../app/site';
import {
  ButtonLink,
  type Column,
  DateTimeField,
  GuideLink,
  Link,
  PagedTable,
  PageHeader,
  Select,
  TextField,
  Time,
} from '../../ui';
import { DaysLeft } from '../../ui/days-left';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { channelName, StatusBadge, TYPES, typeName } from './names';

type Dsar = Item<'listDsar'>;
type Query = Partial<Input<'listDsar'>>;

const NONE = { state: 'open', request_type: '', email: '', from: '', to: '' };

/** The query for each state. */
const STATES: Record<string, Query> = {
  open: { open: true, order: 'deadline' },
  overdue: { overdue: true, order: 'deadline' },
  created: { status: 'created', order: 'deadline' },
  in_progress: { status: 'in_progress', order: 'deadline' },
  resolved: { status: 'resolved' },
  all: {},
};

/** The list of data-subject requests, by deadline. */
export default function Requests() {
  const { token, path } = useSite();
  const filters = useFilters(NONE);
  const { state, ...rest } = filters.applied;
  const query = { ...given(rest), ...STATES[state] } as Query;
  const { order: _, ...filter } = query;
  const list = usePages(keys.site(token, 'dsar', 'list', query), (api, cursor, signal) =>
    api.listDsar({ token, ...query, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Requests"
        actions={
          <>
            <ExportButtons
              ask={(api, format, options) => api.exportDsar({ token, format, ...filter }, options)}
            />
            <Allowed to="operator">
              <ButtonLink to={path('dsar/new')}>Record a request</ButtonLink>
            </Allowed>
          </>
        }
      >
        Data-subject requests (GDPR Art. 15 to 22), by deadline: one month, at most 30 days; it can be
        extended once by two months.
      </PageHeader>
      <FilterBar filters={filters} error={list.error}>
        <Select
          label="State"
          {...filters.choice('state')}
          options={[
            ['open', 'To be answered'],
            ['overdue', 'Overdue'],
            ['created', 'New'],
            ['in_progress', 'In progress'],
            ['resolved', 'Resolved, newest first'],
            ['all', 'All, newest first'],
          ]}
        />
        <Select label="Kind" {...filters.choice('request_type')} options={[['', 'All'], ...TYPES]} />
        <TextField label="E-mail address" {...filters.text('email')} />
        <DateTimeField label="From" {...filters.text('from')} />
        <DateTimeField label="Before" {...filters.text('to')} />
      </FilterBar>
      <PagedTable
        label="Requests"
        pages={list}
        columns={useColumns()}
        rowKey={({ request_id }) => request_id}
        empty={
          filters.active
            ? ['No matching request', 'Change or clear the filters above.']
            : [
                'Nothing to answer',
                'New requests come from your site through POST /api/dsar/{token}.',
                <GuideLink key="guide" to="guides/requests-and-breaches#take-requests">
                  Put a form on your site
                </GuideLink>,
              ]
        }
      />
    </>
  );
}

function useColumns(): Column<Dsar>[] {
  const { path } = useSite();
  return [
    {
      title: 'Request',
      cell: ({ request_id, request_type, email, name, channel }) => (
        <>
          <Link to={path(`dsar/${request_id}`)}>{typeName(request_type)}</Link>
          <span className="hint block">{email || name || channelName(channel)}</span>
        </>
      ),
    },
    { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Due', cell: (request) => <Due request={request} /> },
    { title: 'Received', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

function Due({ request }: { request: Dsar }) {
  const { status, resolved_at, due_at, extended_until } = request;
  if (status === 'resolved')
    return resolved_at === null ? null : (
      <>
        Answered <Time at={resolved_at} />
      </>
    );
  return (
    <span className="row">
      <DaysLeft until={extended_until ?? due_at} />
      <span>
        <Time at={extended_until ?? due_at} />
        {extended_until !== null && <span className="hint block">extended</span>}
      </span>
    </span>
  );
}
