import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Badge, Card, type Column, Link, QueryState, Table, Time, type Tone, words } from '../../ui';
import { storageName } from '../vendors/lifetime';
import style from './scans.module.css';
import type { Scan } from './state';

type Changes = Schemas['ScanChanges'];

/** What differs from the scan before of the same page. */
export function ScanChanges({ scan: { scan_id } }: { scan: Scan }) {
  const { token } = useSite();
  const changes = useAnswer(keys.site(token, 'scans', scan_id, 'changes'), (api, signal) =>
    api.getScanChanges({ token, scan_id }, { signal }),
  );
  return (
    <Card title="Since the scan before">
      <QueryState query={changes}>{(found) => <Shown changes={found} />}</QueryState>
    </Card>
  );
}

function Shown({ changes }: { changes: Changes }) {
  const { path } = useSite();
  const { before_scan_id, before_created_at, saw_less, saw_more } = changes;
  if (before_scan_id === null || before_created_at === null)
    return <p>There is no earlier scan of this page to compare with.</p>;
  const rows = rowsOf(changes);
  return (
    <>
      <p>
        Compared with the{' '}
        <Link to={path(`scans/${before_scan_id}`)}>
          scan of <Time at={before_created_at} />
        </Link>
        .
      </p>
      {saw_less && (
        <Alert tone="warn">
          This scan saw less of the page than the one before: what is gone may only not have been seen.
        </Alert>
      )}
      {saw_more && (
        <Alert>
          This scan saw more of the page than the one before: what is new may have been there before.
        </Alert>
      )}
      {rows.length === 0 ? (
        <Alert tone="good">Nothing has changed.</Alert>
      ) : (
        <Table label="Changes" columns={COLUMNS} rows={rows} rowKey={({ key }) => key} />
      )}
    </>
  );
}

type Kind = 'new' | 'gone' | 'changed';

interface Row {
  key: string;
  kind: Kind;
  /** Cookie, local storage and so on, or host. */
  what: string;
  name: string;
  place: string;
  /** The category before and now, or the present one. */
  category: string;
  differences: string;
}

const KINDS: Record<Kind, readonly [Tone | 'neutral', string]> = {
  new: ['warn', 'New'],
  changed: ['info', 'Changed'],
  gone: ['neutral', 'Gone'],
};

const COLUMNS: Column<Row>[] = [
  {
    title: 'Name',
    cell: ({ name }) => (name === '' ? <i>no name</i> : <code className={style.cookieName}>{name}</code>),
  },
  { title: 'Change', cell: ({ kind }) => <Badge tone={KINDS[kind][0]}>{KINDS[kind][1]}</Badge> },
  { title: 'Kind', cell: ({ what }) => what },
  { title: 'Domain', cell: ({ place }) => place },
  { title: 'Category', cell: ({ category }) => category },
  { title: 'What changed', cell: ({ differences }) => differences || '–' },
];

interface Shown {
  what: string;
  name: string;
  place: string;
  category: string;
}

/** New ones first, then changed ones, then those that are gone. */
function rowsOf({ cookies, stored_items, hosts }: Changes): Row[] {
  const rows = [
    ...partRows(cookies, ({ name, domain, category }) => ({ what: 'Cookie', name, place: domain, category })),
    ...partRows(stored_items, ({ name, host, storage, category }) => ({
      ...{ what: storageName(storage), name, place: host, category },
    })),
    ...partRows(hosts, ({ host, category }) => ({ what: 'Host', name: host, place: host, category })),
  ];
  const order: Kind[] = ['new', 'changed', 'gone'];
  return rows.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

function partRows<One>(
  {
    added,
    gone,
    changed,
  }: { added: One[]; gone: One[]; changed: { before: One; after: One; differences: string[] }[] },
  shown: (one: One) => Shown,
): Row[] {
  const row = (kind: Kind, one: One, differences: readonly string[] = []): Row => {
    const { category, ...rest } = shown(one);
    const key = `${kind} ${rest.what} ${rest.place} ${rest.name}`;
    return { key, kind, ...rest, category: words(category), differences: differences.map(words).join(', ') };
  };
  return [
    ...added.map((one) => row('new', one)),
    ...changed.map(({ before, after, differences }) => {
      const was = shown(before).category;
      const one = row('changed', after, differences);
      return was === shown(after).category ? one : { ...one, category: `${words(was)} → ${one.category}` };
    }),
    ...gone.map((one) => row('gone', one)),
  ];
}
