import { useState } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/fields';
import { Form, useDraft } from '../ui/form';
import { PasswordField } from '../ui/password-fields';
import { type Schemas, useAction } from './data';
import { ProvidersBeside, useLoginMethods } from './provider-buttons';
import { relogin } from './question';
import { firstStep, logInWithPasskey, type SecondStep, SecondStepForm } from './second-step';
import { session } from './session';

/**
 * A dialog that asks who is there when the session has ended. The page below it keeps everything that was
 * typed.
 */
export function LoginDialog() {
  const isPending = relogin.usePending();
  return (
    <Dialog isOpen={isPending} title="Log in again" onClose={relogin.cancel}>
      <Fields />
    </Dialog>
  );
}

function Fields() {
  const methods = useLoginMethods();
  // Without an answer the form says what is wrong, when it is sent.
  if (methods.isPending) return null;
  const providers = methods.data?.providers ?? [];
  if (methods.data?.password !== false) return <Password providers={providers} />;
  return (
    <div className="stack">
      <Ended />
      <ProvidersBeside providers={providers} />
      <Button onPress={relogin.cancel}>Not now</Button>
    </div>
  );
}

const Ended = () => <Alert>Your session has ended. What you entered on the page is still there.</Alert>;

function Password({ providers }: Pick<Schemas['LoginMethods'], 'providers'>) {
  const email = session.get()?.user.email ?? '';
  const draft = useDraft({ password: '' });
  const [step, setStep] = useState<SecondStep>();
  const login = useAction((api, password: string) => firstStep(api.login({ body: { email, password } })), {
    onDone: (first) => ('step' in first ? setStep(first.step) : session.set(first.session)),
  });
  const byPasskey = useAction((api, _: undefined) => logInWithPasskey(api), { onDone: session.set });
  if (step !== undefined)
    return <SecondStepForm step={step} onDone={session.set} onCancel={() => setStep(undefined)} />;
  return (
    <Form
      action={byPasskey.error === null ? login : byPasskey}
      submit="Log in"
      extra={
        <>
          <Button isPending={byPasskey.pending} onPress={() => byPasskey.run(undefined)}>
            Use a passkey
          </Button>
          <Button onPress={relogin.cancel}>Not now</Button>
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
      <ProvidersBeside providers={providers} />
    </Form>
  );
}
