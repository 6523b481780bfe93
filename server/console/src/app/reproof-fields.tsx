import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { TextField } from '../ui/fields';
import { Form, useDraft } from '../ui/form';
import { PasswordField } from '../ui/password-fields';
import { keys, useAction, useAnswer } from './data';
import { askForPasskey } from './passkeys';
import { ProvidersBeside } from './provider-buttons';
import { question } from './question';
import { type Session, session } from './session';

/**
 * A proof for the question `id`, before what cannot be undone, when the log-in was some time ago. `isOwn`: a provider's
 * counts only where the account has no password and no passkey.
 */
export function ReproofFields({ id, isOwn }: { id: string; isOwn: boolean }) {
  const renew = (next: Session) => question.answer(id, next);
  const factors = useAnswer(keys.factors, (api, signal) => api.getSecondFactors(undefined, { signal }));
  const own = useAnswer(['identities'], (api, signal) => api.listIdentities(undefined, { signal }));
  const byPasskey = useAction(
    async (api, _: undefined) => {
      const request = await api.beginReauthentication();
      const passkey = await askForPasskey(request);
      return api.reauthenticate({ body: { challenge: request.challenge, passkey } });
    },
    { onDone: renew },
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
      <Button onPress={question.cancel}>Not now</Button>
    </>
  );
  const hasPassword = own.data?.has_password !== false;
  const needsOwn = isOwn && (hasPassword || passkeys.length > 0);
  const why = <Why isOwn={needsOwn} />;
  const beside = !needsOwn && <ProvidersBeside providers={providers} answers={id} reauthenticate />;
  if (hasPassword)
    return (
      <ByPassword
        byPasskey={byPasskey}
        others={others}
        why={why}
        beside={beside}
        hasCode={since !== null}
        renew={renew}
      />
    );
  return (
    <Form action={byPasskey} onSubmit={() => undefined}>
      {why}
      {beside}
      <div className="row">{others}</div>
    </Form>
  );
}

const Why = ({ isOwn }: { isOwn: boolean }) => (
  <Alert>
    {isOwn
      ? 'This step needs your password or a passkey: a log-in at a provider, or of more than 15 minutes ago, is not enough.'
      : 'You logged in more than 15 minutes ago. Confirm who you are before this step.'}
  </Alert>
);

function ByPassword({
  byPasskey,
  others,
  why,
  beside,
  hasCode,
  renew,
}: {
  byPasskey: { pending: boolean; error: Error | null; reset(): void };
  others: ReactNode;
  why: ReactNode;
  beside: ReactNode;
  hasCode: boolean;
  renew(next: Session): void;
}) {
  const draft = useDraft({ password: '', code: '' });
  const prove = useAction(
    (api, { password, code }: typeof draft.value) =>
      api.reauthenticate({ body: { password, ...(code !== '' && { code }) } }),
    { onDone: renew },
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
      {why}
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
