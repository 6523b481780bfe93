import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/fields';
import { Form, useDraft } from '../ui/form';
import { PasswordField } from '../ui/password-fields';
import { keys, useAction, useAnswer } from './data';
import { askForPasskey } from './passkeys';
import { ProvidersBeside } from './provider-buttons';
import { reproof } from './question';
import { session } from './session';

/** Asks who is there before what cannot be undone, when the log-in was some time ago; then the step is repeated. */
export function ReproofDialog() {
  const isPending = reproof.usePending();
  return (
    <Dialog isOpen={isPending} title="Confirm that it is you" onClose={reproof.cancel}>
      <Fields />
    </Dialog>
  );
}

function Fields() {
  const factors = useAnswer(keys.factors, (api, signal) => api.getSecondFactors(undefined, { signal }));
  const own = useAnswer(['identities'], (api, signal) => api.listIdentities(undefined, { signal }));
  const byPasskey = useAction(
    async (api, _: undefined) => {
      const request = await api.beginReauthentication();
      const passkey = await askForPasskey(request);
      return api.reauthenticate({ body: { challenge: request.challenge, passkey } });
    },
    { onDone: session.set },
  );
  // Without an answer the form says what is wrong, when it is sent.
  if (own.isPending || factors.isPending) return null;
  const { since = null, passkeys = [] } = factors.data ?? {};
  const identities = own.data?.identities.filter(({ works }) => works) ?? [];
  const providers = [...new Map(identities.map((one) => [one.provider, one])).values()];
  const others = (
    <>
      {passkeys.length > 0 && (
        <Button isPending={byPasskey.pending} onPress={() => byPasskey.run(undefined)}>
          Use a passkey
        </Button>
      )}
      <Button onPress={reproof.cancel}>Not now</Button>
    </>
  );
  const beside = <ProvidersBeside providers={providers} reauthenticate />;
  if (own.data?.has_password !== false)
    return <ByPassword byPasskey={byPasskey} others={others} beside={beside} hasCode={since !== null} />;
  return (
    <Form action={byPasskey} onSubmit={() => undefined}>
      <Why />
      {beside}
      <div className="row">{others}</div>
    </Form>
  );
}

const Why = () => (
  <Alert>You logged in more than 15 minutes ago. Confirm who you are before this step.</Alert>
);

function ByPassword({
  byPasskey,
  others,
  beside,
  hasCode,
}: {
  byPasskey: { pending: boolean; error: Error | null; reset(): void };
  others: ReactNode;
  beside: ReactNode;
  hasCode: boolean;
}) {
  const draft = useDraft({ password: '', code: '' });
  const prove = useAction(
    (api, { password, code }: typeof draft.value) =>
      api.reauthenticate({ body: { password, ...(code !== '' && { code }) } }),
    { onDone: session.set },
  );
  return (
    <Form
      action={byPasskey.error === null ? prove : byPasskey}
      submit="Continue"
      extra={others}
      onSubmit={() => {
        byPasskey.reset();
        prove.run(draft.value);
      }}
    >
      <Why />
      <TextField
        label="E-mail address"
        value={session.get()?.user.email ?? ''}
        isReadOnly
        autoComplete="username"
      />
      <PasswordField {...draft.bind('password')} autoFocus />
      {hasCode && (
        <TextField
          label="Code"
          {...draft.bind('code')}
          autoComplete="one-time-code"
          description="The 6-digit code in your authenticator app, or a recovery code."
          isRequired
        />
      )}
      {beside}
    </Form>
  );
}
