import type { Input, Item } from '@avow/sdk';
import { keys, usePages } from '../../app/data';
import { ExportButtons } from '../../app/export-buttons';
import { Allowed, useSite } from '../../app/site';
import {
  ButtonLink,
  type Column,
  count,
  DateTimeField,
  Link,
  PagedTable,
  PageHeader,
  Select,
  Time,
} from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { Clock, SEVERITIES, SeverityBadge } from './names';

type Breach = Item<'listBreaches'>;
type Query = Partial<Input<'listBreaches'>>;

const NONE = { state: '', severity: '', from: '', to: '' };

const STATES: Record<string, Query> = {
  created: { status: 'created' },
  overdue: { overdue: true },
  reported: { status: 'reported' },
  not_reportable: { status: 'not_reportable' },
};

/** The register of breaches (GDPR Art. 33(5)). */
export default function Breaches() {
  const { token, path } = useSite();
  const filters = useFilters(NONE);
  const { state, ...rest } = filters.applied;
  const query = { ...given(rest), ...STATES[state] } as Query;
  const list = usePages(keys.site(token, 'breaches', 'list', query), (api, cursor, signal) =>
    api.listBreaches({ token, ...query, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Breaches"
        actions={
          <>
            <ExportButtons
              ask={(api, format, options) => api.exportBreaches({ token, format, ...query }, options)}
            />
            <Allowed to="operator">
              <ButtonLink to={path('breaches/new')} variant="primary">
                Record a breach
              </ButtonLink>
            </Allowed>
          </>
        }
      >
        The register of personal-data breaches. The authority must be notified within 72 hours (GDPR Art. 33).
      </PageHeader>
      <FilterBar filters={filters} error={list.error}>
        <Select
          label="State"
          {...filters.choice('state')}
          options={[
            ['', 'All'],
            ['created', 'To be reported'],
            ['overdue', 'Overdue'],
            ['reported', 'Reported'],
            ['not_reportable', 'Need no report'],
          ]}
        />
        <Select label="Severity" {...filters.choice('severity')} options={[['', 'All'], ...SEVERITIES]} />
        <DateTimeField label="Recorded from" {...filters.text('from')} />
        <DateTimeField label="Recorded before" {...filters.text('to')} />
      </FilterBar>
      <PagedTable
        label="Breaches"
        pages={list}
        columns={useColumns()}
        rowKey={({ breach_id }) => breach_id}
        empty={
          filters.active
            ? ['No matching breach', 'Change or clear the filters above.']
            : ['No breach recorded', 'Record every breach, even if it needs no report (GDPR Art. 33(5)).']
        }
      />
    </>
  );
}

function useColumns(): Column<Breach>[] {
  const { path } = useSite();
  return [
    {
      title: 'Breach',
      cell: ({ breach_id, title }) => <Link to={path(`breaches/${breach_id}`)}>{title}</Link>,
    },
    { title: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
    { title: 'Known since', cell: ({ aware_at }) => <Time at={aware_at} /> },
    { title: 'Report', cell: (breach) => <Clock breach={breach} /> },
    {
      title: 'People',
      numeric: true,
      cell: ({ affected_subjects }) => (affected_subjects === null ? 'Unknown' : count(affected_subjects)),
    },
  ];
}
