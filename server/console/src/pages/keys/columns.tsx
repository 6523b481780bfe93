import { Badge, type Column, Time } from '../../ui';
import { type ApiKey, wordsOf } from './names';

/** What both lists of keys show. */
export const columns = <Key extends ApiKey>(): Column<Key>[] => [
  {
    title: 'Name',
    cell: ({ name, key_id }) => (
      <>
        {name ?? 'For all sites of its maker'} <span className="hint block">avow_{key_id}…</span>
      </>
    ),
  },
  { title: 'May', cell: ({ scopes }) => wordsOf(scopes) },
  { title: 'State', cell: (key) => <State {...key} /> },
  {
    title: 'Works until',
    cell: ({ expires_at }) => (expires_at === null ? 'No end' : <Time at={expires_at} />),
  },
  {
    title: 'Last used',
    cell: ({ last_used, name }) =>
      last_used === null ? (
        name === null ? (
          'Not shown'
        ) : (
          'Not yet'
        )
      ) : (
        <>
          {last_used.day} <span className="hint block">from {last_used.ip_masked}</span>
        </>
      ),
  },
];

function State({ status, replaced_by, networks }: ApiKey) {
  if (status === 'revoked') return <Badge tone="bad">Revoked</Badge>;
  if (status === 'expired') return <Badge>Expired</Badge>;
  return (
    <>
      <Badge tone={replaced_by === null ? 'good' : 'warn'}>
        {replaced_by === null ? 'Works' : 'Replaced'}
      </Badge>
      {networks.length > 0 && <span className="hint block">from {networks.join(', ')}</span>}
    </>
  );
}
