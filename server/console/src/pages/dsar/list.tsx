import type { Item } from '@avow/sdk';
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
import { FilterBar, useFilters } from '../../ui/filters';
import { BulkBar, ChooseRow, useChosen } from './bulk';
import { NONE, queryOf, stateOptions } from './desk-filters';
import { channelName, personName, StatusBadge, TYPES, typeName } from './names';
import { usePeople } from './people';
import { DeskViews } from './views';

type Dsar = Item<'listDsar'>;
/** The list of data-subject requests, by deadline. */
export default function Requests() {
  const { token, path } = useSite();
  const filters = useFilters(NONE);
  const query = queryOf(filters.applied);
  const { order: _, ...filter } = query;
  const list = usePages(keys.site(token, 'dsar', 'list', query), (api, cursor, signal) =>
    api.listDsar({ token, ...query, ...cursor }, { signal }),
  );
  const chosen = useChosen(list.rows);
  return (
    <>
      <PageHeader
        title="Requests"
        actions={
          <>
            <ExportButtons
              ask={(api, format, options) => api.exportDsar({ token, format, ...filter }, options)}
            />
            <ButtonLink to={path('dsar/templates')}>Templates</ButtonLink>
            <ButtonLink to={path('dsar/systems')}>Systems</ButtonLink>
            <Allowed to="operator">
              <ButtonLink to={path('dsar/new')}>Record a request</ButtonLink>
            </Allowed>
          </>
        }
      >
        Data-subject requests (GDPR Art. 15 to 22), by deadline: one month, at most 30 days; it can be
        extended once by two months.
      </PageHeader>
      <DeskViews applied={filters.applied} choose={filters.replace} />
      <FilterBar filters={filters} error={list.error}>
        <Select label="State" {...filters.choice('state')} options={stateOptions(filters.applied.state)} />
        <Select label="Kind" {...filters.choice('request_type')} options={[['', 'All'], ...TYPES]} />
        <Select label="Assigned to" {...filters.choice('assignee')} options={useAssigneeFilters()} />
        <TextField label="E-mail address" {...filters.text('email')} />
        <DateTimeField label="Due from" {...filters.text('due_after')} />
        <DateTimeField label="Due before" {...filters.text('due_before')} />
        <DateTimeField label="Received from" {...filters.text('from')} />
        <DateTimeField label="Received before" {...filters.text('to')} />
      </FilterBar>
      {list.rows.length > 0 && (
        <Allowed to="operator">
          <BulkBar chosen={chosen} />
        </Allowed>
      )}
      <PagedTable
        label="Requests"
        pages={list}
        columns={useColumns(chosen)}
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

const useAssigneeFilters = (): (readonly [string, string])[] => [
  ['', 'Anybody or nobody'],
  ['me', 'Me'],
  ['nobody', 'Nobody'],
  ...usePeople(),
];

function useColumns(chosen: ReturnType<typeof useChosen>): Column<Dsar>[] {
  const { path, may } = useSite();
  return [
    {
      title: 'Request',
      cell: (dsar) => {
        const who = dsar.email || dsar.name || channelName(dsar.channel);
        return (
          <span className="row">
            {may('operator') && (
              <ChooseRow
                chosen={chosen}
                dsar={dsar}
                name={`Choose ${typeName(dsar.request_type)} for ${who}`}
              />
            )}
            <span>
              <Link to={path(`dsar/${dsar.request_id}`)}>{typeName(dsar.request_type)}</Link>
              <span className="hint block">{who}</span>
            </span>
          </span>
        );
      },
    },
    { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Due', cell: (request) => <Due request={request} /> },
    { title: 'Assigned to', cell: ({ assignee }) => assignee && personName(assignee) },
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
