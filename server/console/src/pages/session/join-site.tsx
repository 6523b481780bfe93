import { useNavigate } from 'react-router';
import { logOut } from '../../app/account-menu';
import { type Schemas, useAction } from '../../app/data';
import { session, useSession } from '../../app/session';
import { Alert, Form, TextField, useDraft } from '../../ui';
import { PasswordField } from '../../ui/password-fields';
import { Entry } from './entry';
import { isSameAddress } from './same-address';

interface Props {
  code: string;
  facts: Schemas['InvitationFacts'];
}

/** An invitation to a site for somebody who has an account, who logs in and accepts it. */
export function JoinSite({ code, facts }: Props) {
  const { email, site } = facts;
  const user = useSession()?.user;
  const isTheirs = user !== undefined && isSameAddress(user.email, email ?? '');
  const navigate = useNavigate();
  const draft = useDraft({ password: '' });
  const join = useAction(
    async (api, password: string) => {
      if (!isTheirs) {
        const begun = await api.login({ body: { email: email ?? '', password } });
        logOut();
        session.set(begun);
      }
      return api.joinEnvironment({ body: { code } });
    },
    { onDone: ({ token }) => void navigate(`/sites/${token}`, { replace: true }) },
  );
  return (
    <Entry title="You are invited">
      <p className="muted">
        {site?.name} invites you as {site?.role}. You have an account already: it becomes a member.
      </p>
      {user !== undefined && !isTheirs && (
        <Alert tone="warn" title="You are logged in as somebody else">
          This invitation is for {email}. Logging in as that person logs {user.email} out.
        </Alert>
      )}
      <Form
        action={join}
        submit={isTheirs ? 'Accept the invitation' : 'Log in and accept'}
        onSubmit={() => join.run(draft.value.password)}
      >
        <TextField label="E-mail address" value={email ?? ''} autoComplete="username" isReadOnly />
        {!isTheirs && <PasswordField {...draft.bind('password')} />}
      </Form>
      <details>
        <summary>Did you not create this account?</summary>
        <p className="hint">
          Somebody else may have used your address. The operator of this server can give you the account with{' '}
          <code>npm run owner -- reset EMAIL</code>; then open this link again.
        </p>
      </details>
    </Entry>
  );
}
