import type { Item } from '@avow/sdk';
import { keys, usePages } from '../../app/data';
import { ExportButtons } from '../../app/export-buttons';
import { useSite } from '../../app/site';
import {
  ButtonLink,
  type Column,
  DateTimeField,
  Link,
  PagedTable,
  PageHeader,
  Select,
  TextField,
  Time,
} from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { ConsentSections, DECISIONS, DecisionBadge } from './names';

type Consent = Item<'listConsents'>;

const NONE = { id: '', decision: '', from: '', to: '' };

/** Every decision of every visitor, newest first. */
export default function Consents() {
  const { token, path, may } = useSite();
  const filters = useFilters(NONE);
  const filter = given(filters.applied) as { id?: string; decision?: Consent['decision'] };
  const list = usePages(keys.site(token, 'consents', 'list', filter), (api, cursor, signal) =>
    api.listConsents({ token, ...filter, ...cursor }, { signal }),
  );
  const columns: Column<Consent>[] = [
    {
      title: 'When',
      cell: ({ consent_id, recorded_at }) => (
        <Link to={path(`consents/${consent_id}`)}>
          <Time at={recorded_at} />
        </Link>
      ),
    },
    { title: 'Decision', cell: ({ decision }) => <DecisionBadge decision={decision} /> },
    { title: 'Allowed', cell: ({ categories }) => <Allowed categories={categories} /> },
    { title: 'Session', cell: ({ session_id }) => <code>{session_id}</code> },
    { title: 'Language', cell: ({ language }) => language },
  ];
  return (
    <>
      <PageHeader
        title="Consents"
        actions={
          <ExportButtons
            ask={(api, format, options) => api.exportConsents({ token, format, ...filter }, options)}
          />
        }
      >
        All decisions as they were made. A record is never changed; a withdrawal is a new record.
      </PageHeader>
      <ConsentSections />
      <FilterBar filters={filters} error={list.error}>
        <TextField
          label="Session or record id"
          {...filters.text('id')}
          placeholder="0b6f1d9e"
          description={
            may('operator')
              ? 'As shown to the visitor in the banner’s settings; 8 characters are enough.'
              : 'As shown to the visitor in the banner’s settings, in full; or a fingerprint from this list.'
          }
        />
        <Select label="Decision" {...filters.choice('decision')} options={[['', 'All'], ...DECISIONS]} />
        <DateTimeField label="From" {...filters.text('from')} />
        <DateTimeField label="Before" {...filters.text('to')} />
      </FilterBar>
      <PagedTable
        label="Consent records"
        pages={list}
        columns={columns}
        rowKey={({ consent_id }) => consent_id}
        empty={
          filters.active
            ? ['No matching record', 'Change or clear the filters above.']
            : [
                'No decision yet',
                'Records appear here as soon as a visitor decides on the banner.',
                <ButtonLink key="install" to={path('install')}>
                  Install the banner
                </ButtonLink>,
              ]
        }
      />
    </>
  );
}

function Allowed({ categories }: Pick<Consent, 'categories'>) {
  const allowed = Object.keys(categories).filter((key) => categories[key]);
  return allowed.length === 0 ? <span className="muted">Required ones only</span> : allowed.join(', ');
}
