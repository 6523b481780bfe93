import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { logOut } from '../../app/account-menu';
import { type Schemas, useAction, useAnswer } from '../../app/data';
import { describe } from '../../app/errors';
import { useLoginMethods } from '../../app/provider-buttons';
import { firstStep, type SecondStep, SecondStepForm } from '../../app/second-step';
import { type Session, session, useSession } from '../../app/session';
import { Alert, Form, QueryState, TextField, useDraft } from '../../ui';
import { NewPasswordField } from '../../ui/password-fields';
import { ByProvider } from './by-provider';
import { Entry } from './entry';
import { JoinSite } from './join-site';
import { isSameAddress } from './same-address';

type Facts = Schemas['InvitationFacts'];

/**
 * The page of a one-time link. The code is in the fragment of the address, which is never sent to a server.
 */
export default function Setup() {
  const { hash } = useLocation();
  const [code] = useState(() => hash.slice(1));
  if (!/^[\w-]{43}$/.test(code)) {
    return (
      <Entry title="Set up your account">
        <Alert tone="warn" title="The code is missing from the address">
          Copy the whole link, with everything behind the #.
        </Alert>
      </Entry>
    );
  }
  return <Link code={code} />;
}

function Link({ code }: { code: string }) {
  const facts = useAnswer(['invitation', code], (api, signal) =>
    api.lookAtInvitation({ body: { code } }, { signal }),
  );
  if (facts.error !== null && describe(facts.error).kind === 'missing') {
    return (
      <Entry title="This link no longer works">
        <p>It was used, has expired, or was withdrawn. Ask the person who gave it to you for a new one.</p>
      </Entry>
    );
  }
  return (
    <QueryState query={facts} loading={<Entry title="One moment">{null}</Entry>}>
      {(data) =>
        data.purpose === 'site' && data.has_account ? (
          <JoinSite code={code} facts={data} />
        ) : (
          <ChoosePassword code={code} facts={data} />
        )
      }
    </QueryState>
  );
}

/** The title of the page and of its button. */
function words({ purpose, has_account }: Facts): [title: string, submit: string] {
  if (has_account) return ['Choose a new password', 'Save the password'];
  return [purpose === 'site' ? 'You are invited' : 'Set up your account', 'Create account'];
}

function ChoosePassword({ code, facts }: { code: string; facts: Facts }) {
  const navigate = useNavigate();
  const draft = useDraft({ email: '', name: '', password: '' });
  const [step, setStep] = useState<SecondStep>();
  const user = useSession()?.user;
  const takesPasswords = useLoginMethods().data?.password !== false;
  const begin = (begun: Session) => {
    logOut();
    session.set(begun);
    void navigate('/', { replace: true });
  };
  const accept = useAction(
    (api, { email, name, password }: typeof draft.value) =>
      firstStep(
        api.acceptInvitation({ body: { code, password, ...(email && { email }), ...(name && { name }) } }),
      ),
    { onDone: (first) => ('step' in first ? setStep(first.step) : begin(first.session)) },
  );
  if (step !== undefined)
    return (
      <Entry title="Second step">
        <p className="muted">Your password is saved. Prove your second factor to log in.</p>
        <SecondStepForm step={step} onDone={begin} onCancel={() => void navigate('/login')} />
      </Entry>
    );
  const [title, submit] = words(facts);
  if (facts.purpose === 'site' && !takesPasswords) {
    return (
      <Entry title={title}>
        <p className="muted">
          {facts.site?.name} invites you as {facts.site?.role}. Log in as {facts.email}, and accept then.
        </p>
        <ByProvider code={code} />
      </Entry>
    );
  }
  return (
    <Entry title={title}>
      <p className="muted">
        {facts.site !== undefined && `${facts.site.name} invites you as ${facts.site.role}. `}
        Choose how you will log in. This link works once.
      </p>
      {user !== undefined && !isSameAddress(user.email, facts.email ?? '') && (
        <Alert tone="warn" title={`You are logged in as ${user.email}`}>
          This link is for {facts.email ?? 'a new account'}, and logs you out here.
        </Alert>
      )}
      {facts.purpose === 'site' && <ByProvider code={code} />}
      <Form action={accept} submit={submit} onSubmit={() => accept.run(draft.value)}>
        {facts.email === null ? (
          <TextField
            label="E-mail address"
            {...draft.bind('email')}
            type="email"
            autoComplete="username"
            isRequired
          />
        ) : (
          <TextField label="E-mail address" value={facts.email} autoComplete="username" isReadOnly />
        )}
        {!facts.has_account && (
          <TextField label="Name" {...draft.bind('name')} autoComplete="name" maxLength={200} />
        )}
        <NewPasswordField {...draft.bind('password')} />
      </Form>
    </Entry>
  );
}
