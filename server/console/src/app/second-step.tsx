import { type Avow, AvowApiError, type Schemas } from '@avow/sdk';
import { Button } from '../ui/button';
import { TextField } from '../ui/fields';
import { Form, useDraft } from '../ui/form';
import { useAction } from './data';
import { type Assertion, askForPasskey } from './passkeys';
import type { Session } from './session';

export type SecondStep = Schemas['SecondStep'];

/** What a first step came to: a session, or what the second step needs. */
export type FirstStep = { session: Session } | { step: SecondStep };

/** Waits for a first step, whose refusal for want of a second factor is none. */
export async function firstStep(call: Promise<Session>): Promise<FirstStep> {
  try {
    return { session: await call };
  } catch (error) {
    const step = AvowApiError.isApiError(error) ? error.secondStep : undefined;
    if (step === undefined) throw error;
    return { step };
  }
}

/** Logs in with a passkey alone. */
export async function logInWithPasskey(api: Avow): Promise<Session> {
  const request = await api.beginPasskeyLogin();
  const passkey = await askForPasskey(request);
  return api.loginWithPasskey({ body: { challenge: request.challenge, passkey } });
}

/** Asks for a code, or a passkey if the account has one. */
export function SecondStepForm({
  step,
  onDone,
  onCancel,
}: {
  step: SecondStep;
  onDone: (session: Session) => void;
  onCancel: () => void;
}) {
  const { challenge, methods, passkey } = step;
  const draft = useDraft({ code: '' });
  const complete = useAction(
    (api, proof: { code: string } | { passkey: Assertion }) =>
      api.completeLogin({ body: { challenge, ...proof } }),
    { onDone },
  );
  const byPasskey = useAction(
    async (api, request: NonNullable<typeof passkey>) =>
      api.completeLogin({ body: { challenge, passkey: await askForPasskey(request) } }),
    { onDone },
  );
  const action = byPasskey.error === null ? complete : byPasskey;
  return (
    <Form
      action={action}
      submit="Continue"
      onSubmit={() => {
        byPasskey.reset();
        complete.run(draft.value);
      }}
      extra={
        <>
          {passkey !== undefined && (
            <Button isPending={byPasskey.pending} onPress={() => byPasskey.run(passkey)}>
              Use a passkey
            </Button>
          )}
          <Button onPress={onCancel}>Back</Button>
        </>
      }
    >
      <TextField
        label={methods.includes('totp') ? 'Code' : 'Recovery code'}
        {...draft.bind('code')}
        autoComplete="one-time-code"
        description={
          methods.includes('totp')
            ? 'The 6-digit code in your authenticator app, or a recovery code.'
            : 'One of the recovery codes that you kept. Or use your passkey.'
        }
        isRequired
        autoFocus
      />
    </Form>
  );
}
