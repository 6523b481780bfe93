import { keys, useAction, useAnswer } from '../../app/data';
import { session } from '../../app/session';
import {
  Button,
  ButtonLink,
  Card,
  Failed,
  FieldList,
  Form,
  PageHeader,
  QueryState,
  Time,
  useDraft,
} from '../../ui';
import { NewPasswordField, PasswordField } from '../../ui/password-fields';
import { Identities } from './identities';

/** The user's account: profile, password, and the ways to security, notifications and the trail. */
export default function Account() {
  const me = useAnswer(keys.me, (api, signal) => api.getMe(undefined, { signal }));
  return (
    <>
      <PageHeader title="Your account" />
      <Card title="You">
        <QueryState query={me}>
          {({ name, email, email_verified, created_at }) => (
            <FieldList
              items={[
                ['Name', name],
                ['E-mail address', email],
                ['Address verified', email_verified ? 'Yes' : 'No'],
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
          <PasswordIfAny />
          <Told />
          <Security isVerified={me.data?.email_verified ?? true} />
          <Identities />
          <Programs />
          <Trail />
        </>
      )}
    </>
  );
}

/** Whoever has only ever logged in by a provider has none. */
function PasswordIfAny() {
  const own = useAnswer(['identities'], (api, signal) => api.listIdentities(undefined, { signal }));
  return own.data?.has_password === false ? null : <Password />;
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

function Told() {
  return (
    <Card title="Notifications">
      <p>You are told by mail what happens on your sites: at once, once a day, or not at all.</p>
      <div>
        <ButtonLink to="/account/notifications">Choose what you are told</ButtonLink>
      </div>
    </Card>
  );
}

function Trail() {
  return (
    <Card title="What happened">
      <p>Every log-in to your account is recorded, including refused ones, with the masked address.</p>
      <div>
        <ButtonLink to="/account/audit">What happened to your account</ButtonLink>
      </div>
    </Card>
  );
}

function Security({ isVerified }: { isVerified: boolean }) {
  const ask = useAction((api, _: undefined) => api.requestEmailVerification(), {
    success: 'A mail with a link is on its way.',
  });
  return (
    <Card title="Security">
      <p>A second factor, passkeys, recovery codes, and where you are logged in.</p>
      <Failed error={ask.error} />
      <div className="row">
        <ButtonLink to="/account/security">How you log in</ButtonLink>
        {!isVerified && (
          <Button isPending={ask.pending} onPress={() => ask.run(undefined)}>
            Verify the e-mail address
          </Button>
        )}
      </div>
    </Card>
  );
}
