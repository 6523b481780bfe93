import { useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { useAction } from '../../app/data';
import { ProviderButtons, useLoginMethods } from '../../app/provider-buttons';
import { firstStep, logInWithPasskey, type SecondStep, SecondStepForm } from '../../app/second-step';
import { session, useSession } from '../../app/session';
import { inside } from '../../app/sign-on';
import { Button, Form, TextField, useDraft } from '../../ui';
import { PasswordField } from '../../ui/password-fields';
import { Entry } from './entry';
import { OnlyProviders } from './only-providers';

/**
 * Login by a provider, or with e-mail address and password, and a second factor if the account has one; or with a
 * passkey.
 */
export default function Login() {
  const [search] = useSearchParams();
  const methods = useLoginMethods();
  const [step, setStep] = useState<SecondStep>();
  const next = inside(search.get('next'));
  if (useSession() !== undefined) return <Navigate to={next} replace />;
  if (step !== undefined)
    return (
      <Entry title="Second step">
        <SecondStepForm step={step} onDone={session.set} onCancel={() => setStep(undefined)} />
      </Entry>
    );
  // Without an answer the form says what is wrong, when it is sent.
  if (methods.isPending) return <Entry title="Log in">{null}</Entry>;
  return (
    <Entry title="Log in">
      {methods.data !== undefined && methods.data.providers.length > 0 && (
        <ProviderButtons methods={methods.data} next={next} />
      )}
      {methods.data?.password === false ? <NoPasswords /> : <Password onStep={setStep} />}
    </Entry>
  );
}

function Password({ onStep }: { onStep: (step: SecondStep) => void }) {
  const draft = useDraft({ email: '', password: '' });
  const login = useAction((api, body: typeof draft.value) => firstStep(api.login({ body })), {
    onDone: (first) => ('step' in first ? onStep(first.step) : session.set(first.session)),
  });
  const byPasskey = useAction((api, _: undefined) => logInWithPasskey(api), { onDone: session.set });
  return (
    <>
      <Form
        action={byPasskey.error === null ? login : byPasskey}
        submit="Log in"
        extra={
          <Button isPending={byPasskey.pending} onPress={() => byPasskey.run(undefined)}>
            Use a passkey
          </Button>
        }
        onSubmit={() => {
          byPasskey.reset();
          login.run(draft.value);
        }}
      >
        <TextField
          label="E-mail address"
          {...draft.bind('email')}
          type="email"
          autoComplete="username"
          isRequired
        />
        <PasswordField {...draft.bind('password')} />
      </Form>
      <details>
        <summary>Forgot your password?</summary>
        <p className="hint">
          <Link to="/forgotten-password">Get a mail with a link</Link>, if this server sends mail. Otherwise
          its operator can give you a new one-time link with <code>npm run owner -- reset EMAIL</code>.
        </p>
      </details>
    </>
  );
}

const NoPasswords = () => (
  <details>
    <summary>Does that not work?</summary>
    <OnlyProviders />
  </details>
);
