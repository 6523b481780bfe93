import { useState } from 'react';
import { useNavigate } from 'react-router';
import { logOut } from '../../app/account-menu';
import { type Schemas, useAction, useApi } from '../../app/data';
import { useLoginMethods } from '../../app/provider-buttons';
import { firstStep, type SecondStep, SecondStepForm } from '../../app/second-step';
import { session, useSession } from '../../app/session';
import { Alert, Form, TextField, useDraft } from '../../ui';
import { PasswordField } from '../../ui/password-fields';
import { ByProvider } from './by-provider';
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
  const [step, setStep] = useState<SecondStep>();
  const takesPasswords = useLoginMethods().data?.password !== false;
  // By then it is another person who is logged in.
  const ofAnybody = useApi();
  const join = useAction(
    async (api, password: string) => {
      if (!isTheirs) {
        const first = await firstStep(api.login({ body: { email: email ?? '', password } }));
        if ('step' in first) return first;
        logOut();
        session.set(first.session);
      }
      return ofAnybody.joinEnvironment({ body: { code } });
    },
    {
      onDone: (joined) =>
        'step' in joined ? setStep(joined.step) : void navigate(`/sites/${joined.token}`, { replace: true }),
    },
  );
  if (step !== undefined)
    return (
      <Entry title="Second step">
        <SecondStepForm
          step={step}
          onDone={(begun) => {
            logOut();
            session.set(begun);
            setStep(undefined);
            join.run('');
          }}
          onCancel={() => setStep(undefined)}
        />
      </Entry>
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
      {!isTheirs && <ByProvider code={code} />}
      {(isTheirs || takesPasswords) && (
        <Form
          action={join}
          submit={isTheirs ? 'Accept the invitation' : 'Log in and accept'}
          onSubmit={() => join.run(draft.value.password)}
        >
          <TextField label="E-mail address" value={email ?? ''} autoComplete="username" isReadOnly />
          {!isTheirs && <PasswordField {...draft.bind('password')} />}
        </Form>
      )}
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
