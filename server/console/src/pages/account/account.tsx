import { useState } from 'react';
import { forgetSession } from '../../app/account-menu';
import { keys, useAction, useAnswer } from '../../app/data';
import { session } from '../../app/session';
import {
  Button,
  ButtonLink,
  Card,
  ConfirmDialog,
  FieldList,
  Form,
  PageHeader,
  QueryState,
  Time,
  useDraft,
} from '../../ui';
import { NewPasswordField, PasswordField } from '../../ui/password-fields';

/** The user's account: profile, password, and ending all sessions. */
export default function Account() {
  const me = useAnswer(keys.me, (api, signal) => api.getMe(undefined, { signal }));
  return (
    <>
      <PageHeader title="Your account" />
      <Card title="You">
        <QueryState query={me}>
          {({ name, email, created_at }) => (
            <FieldList
              items={[
                ['Name', name],
                ['E-mail address', email],
                ['Account since', <Time key="since" at={created_at} />],
                ['This session ends', <Time key="end" at={session.get()?.expires_at ?? created_at} />],
              ]}
            />
          )}
        </QueryState>
      </Card>
      {/* Only after the card above has loaded, which would move them. */}
      {!me.isPending && (
        <>
          <Password />
          <Sessions />
          <Programs />
          <Trail />
        </>
      )}
    </>
  );
}

const EMPTY = { current_password: '', new_password: '' };

function Password() {
  const draft = useDraft(EMPTY);
  const change = useAction((api, body: typeof EMPTY) => api.changePassword({ body }), {
    success: 'Password changed. All other sessions have ended.',
    onDone: (renewed) => {
      session.set(renewed);
      draft.saved(EMPTY);
    },
  });
  return (
    <Card title="Password">
      <Form
        action={change}
        submit="Change password"
        dirty={draft.dirty}
        onSubmit={() => change.run(draft.value)}
      >
        <PasswordField label="Current password" {...draft.bind('current_password')} />
        <NewPasswordField
          label="New password"
          {...draft.bind('new_password')}
          note=" All other sessions end."
        />
      </Form>
    </Card>
  );
}

function Programs() {
  return (
    <Card title="API keys">
      <p>Programs use keys of their own instead of your password. A changed password does not end them.</p>
      <div>
        <ButtonLink to="/account/keys">Your API keys</ButtonLink>
      </div>
    </Card>
  );
}

function Trail() {
  return (
    <Card title="What happened">
      <p>Every log-in to your account is noted, also refused ones, with the masked address.</p>
      <div>
        <ButtonLink to="/account/audit">What happened to your account</ButtonLink>
      </div>
    </Card>
  );
}

function Sessions() {
  const [asking, setAsking] = useState(false);
  const revoke = useAction((api, _: undefined) => api.revokeTokens(), { onDone: forgetSession });
  return (
    <Card title="Sessions">
      <p>
        If you lost a device, or somebody else may know a token of yours, end all sessions, including this
        one.
      </p>
      <div>
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
