import type { Item } from '@avow/sdk';
import { keys, useAnswer, usePages } from '../../app/data';
import { ExportButtons } from '../../app/export-buttons';
import { useSite } from '../../app/site';
import { Badge, type Column, count, GuideLink, PagedTable, PageHeader, Select, Time } from '../../ui';
import { FilterBar, given, useFilters } from '../../ui/filters';
import { ErasePerson, KINDS } from './erase-person';
import { ConsentSections } from './names';

type Erasure = Item<'listErasures'>;

const NONE = { kind: '', from: '', to: '' };
const NAMES: Record<Erasure['kind'], string> = {
  person: 'A person',
  session: 'A visitor’s session',
  retention: 'Retention',
};
const FOUND_BY: Record<Erasure['found_by'][number], string> = {
  email: 'e-mail address',
  session_id: 'session',
  external_id: 'your own id',
  sessions: 'verified sessions',
};

/** What was erased so far: when, by whom and how much, and never whose data it was. */
export default function Erasures() {
  const { token } = useSite();
  const filters = useFilters(NONE);
  const filter = given(filters.applied) as { kind?: Erasure['kind'] };
  const list = usePages(keys.site(token, 'erasures', filter), (api, cursor, signal) =>
    api.listErasures({ token, ...filter, ...cursor }, { signal }),
  );
  const members = useAnswer(keys.site(token, 'members', 'names'), (api, signal) =>
    api.listMembers({ token, limit: 200 }, { signal }),
  );
  const nameOf = (id: number): string =>
    members.data?.items.find(({ user_id }) => user_id === id)?.name ?? `Account ${id}`;
  const columns: Column<Erasure>[] = [
    { title: 'When', cell: ({ begun_at }) => <Time at={begun_at} /> },
    { title: 'What', cell: (erasure) => <What {...erasure} /> },
    { title: 'By', cell: (erasure) => <Who {...erasure} nameOf={nameOf} /> },
    { title: 'Erased', cell: ({ erased }) => <Counts erased={erased} /> },
    { title: 'State', cell: ({ complete }) => <State complete={complete} /> },
  ];
  return (
    <>
      <PageHeader
        title="Erased so far"
        actions={
          <>
            <ExportButtons
              ask={(api, format, options) => api.exportErasures({ token, format, ...filter }, options)}
            />
            <ErasePerson />
          </>
        }
      >
        When something was erased, by whom and how much. Whose data it was is not kept.{' '}
        <GuideLink to="guides/erasing-a-person">What is erased and what is kept</GuideLink>
      </PageHeader>
      <ConsentSections />
      <FilterBar filters={filters} error={list.error}>
        <Select
          label="What"
          {...filters.choice('kind')}
          options={[['', 'All'], ...(Object.entries(NAMES) as [Erasure['kind'], string][])]}
        />
      </FilterBar>
      <PagedTable
        label="Erasures"
        pages={list}
        columns={columns}
        rowKey={({ erasure_id }) => erasure_id}
        empty={
          filters.active
            ? ['No matching erasure', 'Change or clear the filters above.']
            : ['Nothing erased yet', 'Erasures of people and sessions appear here, and those of retention.']
        }
      />
    </>
  );
}

const What = ({ kind, found_by, rule }: Erasure) => (
  <>
    {NAMES[kind]}
    {found_by.length > 0 && (
      <span className="hint block">by {found_by.map((one) => FOUND_BY[one]).join(', ')}</span>
    )}
    {rule !== null && <span className="hint block">{KINDS[rule]}</span>}
  </>
);

function Who({ user_id, key_id, nameOf }: Erasure & { nameOf: (id: number) => string }) {
  if (user_id === null) return <span className="muted">The server</span>;
  return (
    <>
      {nameOf(user_id)}
      {key_id !== null && <span className="hint block">API key {key_id}</span>}
    </>
  );
}

const Counts = ({ erased }: Pick<Erasure, 'erased'>) => (
  <>{erased.map((one) => `${KINDS[one.kind]}: ${count(one.count)}`).join(', ')}</>
);

/** What was broken off, and what had more than one call erases, look the same: either is to be repeated. */
const State = ({ complete }: Pick<Erasure, 'complete'>) =>
  complete ? <Badge tone="good">Complete</Badge> : <Badge tone="warn">Incomplete</Badge>;
