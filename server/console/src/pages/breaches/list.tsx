import type { Input, Item } from '@avow/sdk';
import { keys, usePages } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { ButtonLink, type Column, count, Link, PagedTable, PageHeader, Select, Time } from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { Clock, SEVERITIES, SeverityBadge } from './names';

type Breach = Item<'listBreaches'>;
type Query = Partial<Input<'listBreaches'>>;

const NONE = { state: '', severity: '' };

const STATES: Record<string, Query> = {
  created: { status: 'created' },
  overdue: { overdue: true },
  reported: { status: 'reported' },
};

/** The register of breaches (GDPR Art. 33(5)). */
export default function Breaches() {
  const { token, path } = useSite();
  const filters = useFilters(NONE);
  const { state, severity } = filters.applied;
  const query = { ...given({ severity }), ...STATES[state] } as Query;
  const list = usePages(keys.site(token, 'breaches', 'list', query), (api, cursor, signal) =>
    api.listBreaches({ token, ...query, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Breaches"
        actions={
          <Allowed to="operator">
            <ButtonLink to={path('breaches/new')} variant="primary">
              Record a breach
            </ButtonLink>
          </Allowed>
        }
      >
        The register of personal-data breaches. The authority must hear of one within 72 hours (GDPR Art. 33).
      </PageHeader>
      <FilterBar filters={filters} error={list.error} atOnce>
        <Select
          label="State"
          {...filters.choice('state')}
          options={[
            ['', 'All'],
            ['created', 'Not reported'],
            ['overdue', 'Overdue'],
            ['reported', 'Reported'],
          ]}
        />
        <Select label="Severity" {...filters.choice('severity')} options={[['', 'All'], ...SEVERITIES]} />
      </FilterBar>
      <PagedTable
        label="Breaches"
        pages={list}
        columns={useColumns()}
        rowKey={({ breach_id }) => breach_id}
        empty={
          filters.active
            ? ['No breach fits', 'Change or clear the filters above.']
            : ['No breach recorded', 'Record each one, also those that need no report (GDPR Art. 33(5)).']
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
