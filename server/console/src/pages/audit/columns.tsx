import { Badge, type Column, Time } from '../../ui';
import style from './audit.module.css';
import { Changes } from './changes';
import { type AuditEvent, actionName, RESOURCES } from './names';

/** What both trails show. */
export const columns = (isSiteNamed: boolean): Column<AuditEvent>[] => [
  { title: 'When', cell: (event) => <When {...event} /> },
  {
    title: 'Action',
    cell: (event) => (
      <>
        {actionName(event)} <Kind {...event} />
        {(isSiteNamed || event.resource !== 'site') && <About {...event} />}
      </>
    ),
  },
  { title: 'Who', cell: (event) => <Who {...event} /> },
  { title: 'Changes', cell: (event) => <Changes {...event} /> },
];

function When({ occurred_at, request_id }: AuditEvent) {
  return (
    <>
      <Time at={occurred_at} />
      {request_id !== null && (
        <span className="hint block">
          request <code>{request_id}</code>
        </span>
      )}
    </>
  );
}

function Kind({ kind }: AuditEvent) {
  if (kind === 'change') return null;
  return <Badge tone={kind === 'export' ? 'warn' : 'bad'}>{kind === 'export' ? 'Export' : 'Refused'}</Badge>;
}

/** The account is that of the page. */
function About({ resource, resource_id }: AuditEvent) {
  if (resource === null || resource === 'account') return null;
  return (
    <span className="hint block">
      {RESOURCES[resource]} <code>{resource_id}</code>
    </span>
  );
}

/** How whoever acted had logged in. */
const WAYS: Partial<Record<NonNullable<AuditEvent['begun_by']>, string>> = {
  password: 'logged in with a password',
  passkey: 'logged in with a passkey',
  oidc: 'logged in by a provider',
  link: 'logged in by a one-time link',
};

function Who({ via, begun_by, actor, key_id, os_user, ip_masked }: AuditEvent) {
  const name = via === 'command' ? 'Whoever runs the server' : (actor?.name ?? 'Nobody known');
  return (
    <span className={style.who}>
      {name}
      {actor !== null && <span className="hint block">{actor.email}</span>}
      {os_user !== null && <span className="hint block">as {os_user} on the server</span>}
      {begun_by !== null && WAYS[begun_by] !== undefined && (
        <span className="hint block">{WAYS[begun_by]}</span>
      )}
      {key_id !== null && <span className="hint block">with the key avow_{key_id}…</span>}
      {ip_masked !== null && <span className="hint block">from {ip_masked}</span>}
    </span>
  );
}
