import { useState } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { TextField } from '../ui/fields';
import { Form, useDraft } from '../ui/form';
import { PasswordField } from '../ui/password-fields';
import { type Schemas, useAction } from './data';
import { ProvidersBeside, useLoginMethods } from './provider-buttons';
import { question } from './question';
import { firstStep, logInWithPasskey, type SecondStep, SecondStepForm } from './second-step';
import { type Session, session } from './session';

/** A log-in for the question `id`, when the session has ended. */
export function LoginFields({ id }: { id: string }) {
  const methods = useLoginMethods();
  // Without an answer the form says what is wrong, when it is sent.
  if (methods.isPending) return null;
  const providers = methods.data?.providers ?? [];
  if (methods.data?.password !== false) return <Password providers={providers} id={id} />;
  return (
    <div className="stack">
      <Ended />
      <ProvidersBeside providers={providers} answers={id} />
      <Button onPress={question.cancel}>Not now</Button>
    </div>
  );
}

const Ended = () => <Alert>Your session has ended. What you entered on the page is still there.</Alert>;

function Password({ providers, id }: Pick<Schemas['LoginMethods'], 'providers'> & { id: string }) {
  const email = session.get()?.user.email ?? '';
  const begin = (next: Session) => question.answer(id, next);
  const draft = useDraft({ password: '' });
  const [step, setStep] = useState<SecondStep>();
  const login = useAction((api, password: string) => firstStep(api.login({ body: { email, password } })), {
    onDone: (first) => ('step' in first ? setStep(first.step) : begin(first.session)),
  });
  const byPasskey = useAction((api, _: undefined) => logInWithPasskey(api), { onDone: begin });
  if (step !== undefined)
    return <SecondStepForm step={step} onDone={begin} onCancel={() => setStep(undefined)} />;
  return (
    <Form
      action={byPasskey.error === null ? login : byPasskey}
      submit="Log in"
      extra={
        <>
          <Button isPending={byPasskey.pending} onPress={() => byPasskey.run(undefined)}>
            Use a passkey
          </Button>
          <Button onPress={question.cancel}>Not now</Button>
        </>
      }
      onSubmit={() => {
        byPasskey.reset();
        login.run(draft.value.password);
      }}
    >
      <Ended />
      <TextField label="E-mail address" value={email} isReadOnly autoComplete="username" />
      <PasswordField {...draft.bind('password')} autoFocus />
      <ProvidersBeside providers={providers} answers={id} />
    </Form>
  );
}
