import { useState } from 'react';
import { forgetSession } from '../../app/account-menu';
import { keys, type Schemas, useAction, usePages } from '../../app/data';
import { type Session, session } from '../../app/session';
import { Badge, Button, Card, ConfirmDialog, Failed, PagedTable, Time } from '../../ui';

const WAYS: Record<Schemas['LoginWay'], string> = {
  password: 'Password',
  passkey: 'Passkey',
  oidc: 'Single sign-on',
  link: 'One-time link',
  older: 'Not known',
};

/** The new token is taken before the list is read again. */
const taken = (next: Session): void => session.set(next);

/** Where the account is logged in; ends one session, the others, or all. */
export function SessionList() {
  const [asking, setAsking] = useState(false);
  const own = usePages(keys.sessions, (api, cursor, signal) => api.listSessions(cursor, { signal }));
  const end = useAction((api, login_session_id: string) => api.endSession({ login_session_id }), {
    success: 'Session ended',
    changes: [keys.sessions],
  });
  const endOthers = useAction((api, _: undefined) => api.endOtherSessions().then(taken), {
    success: 'All other sessions ended',
    changes: [keys.sessions],
  });
  const revoke = useAction((api, _: undefined) => api.revokeTokens(), { onDone: forgetSession });
  const error = end.error ?? endOthers.error;
  return (
    <Card title="Where you are logged in">
      <PagedTable
        pages={own}
        label="Sessions"
        empty={['No sessions']}
        rowKey={({ login_session_id }) => login_session_id}
        columns={[
          {
            title: 'Device',
            cell: ({ device, ip_masked }) => (
              <>
                {device} <span className="hint block">from {ip_masked}</span>
              </>
            ),
          },
          {
            title: 'Logged in by',
            cell: ({ begun_by, second_factor }) =>
              `${WAYS[begun_by]}${second_factor && begun_by !== 'passkey' ? ' and second factor' : ''}`,
          },
          { title: 'Since', cell: ({ begun_at }) => <Time at={begun_at} /> },
          {
            title: 'Last used',
            // The use is kept in coarse steps, and may seem to be before the log-in.
            cell: ({ begun_at, used_at }) => <Time at={used_at < begun_at ? begun_at : used_at} />,
          },
          {
            title: 'Actions',
            cell: ({ login_session_id, device, current }) =>
              current ? (
                <Badge tone="good">This session</Badge>
              ) : (
                <Button
                  small
                  variant="danger"
                  aria-label={`End the session of ${device}`}
                  isPending={end.pending}
                  onPress={() => end.run(login_session_id)}
                >
                  End
                </Button>
              ),
          },
        ]}
      />
      <Failed error={error} />
      <div className="row">
        <Button isPending={endOthers.pending} onPress={() => endOthers.run(undefined)}>
          End all other sessions
        </Button>
        <Button variant="danger" onPress={() => setAsking(true)}>
          End all sessions
        </Button>
      </div>
      <ConfirmDialog
        isOpen={asking}
        title="End all sessions?"
        confirm="End all sessions"
        action={revoke}
        onConfirm={() => revoke.run(undefined)}
        onCancel={() => setAsking(false)}
      >
        <p>Programs that use a token of yours stop working too; API keys do not. You have to log in again.</p>
      </ConfirmDialog>
    </Card>
  );
}
