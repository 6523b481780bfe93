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
    async (api, password: string) => {
      const request = await api.beginReauthentication();
      const { challenge } = request;
      if (password === '')
        return api.reauthenticate({ body: { challenge, passkey: await askForPasskey(request) } });
      // Beside the password a security key without a PIN will do.
      const passkey = await askForPasskey({ ...request, user_verification: 'preferred' });
      return api.reauthenticate({ body: { password, challenge, passkey } });
    },
    { onDone: renew },
  );
  // Without an answer the form says what is wrong, when it is sent.
  if (own.isPending || factors.isPending) return null;
  const { since = null, totp_since = null, passkeys = [], recovery_codes_left = 0 } = factors.data ?? {};
  const identities = own.data?.identities.filter(({ works }) => works) ?? [];
  const providers = [...new Map(identities.map((one) => [one.provider, one])).values()];
  const others = (password = '') => (
    <>
      {passkeys.length > 0 && (
        <Button isPending={byPasskey.pending} onPress={() => byPasskey.run(password)}>
          Use a passkey
        </Button>
      )}
      <Button onPress={question.cancel}>Not now</Button>
    </>
  );
  const hasPassword = own.data?.has_password !== false;
  const needsOwn = isOwn && (hasPassword || passkeys.length > 0);
  const hasCode = totp_since !== null || recovery_codes_left > 0;
  const why = <Why isOwn={needsOwn} ways={waysOf(hasPassword, hasCode)} />;
  const beside = !needsOwn && <ProvidersBeside providers={providers} answers={id} reauthenticate />;
  if (hasPassword)
    return (
      <ByPassword
        byPasskey={byPasskey}
        others={others}
        why={why}
        beside={beside}
        hasCode={since !== null}
        hasPasskey={passkeys.length > 0}
        renew={renew}
      />
    );
  if (needsOwn && hasCode) return <ByCode byPasskey={byPasskey} others={others()} why={why} renew={renew} />;
  return (
    <Form action={byPasskey} onSubmit={() => undefined}>
      {why}
      {beside}
      <div className="row">{others()}</div>
    </Form>
  );
}

function waysOf(hasPassword: boolean, hasCode: boolean): string {
  if (hasPassword) return 'your password or a passkey';
  return hasCode ? 'a passkey or a code' : 'a passkey';
}

function Why({ isOwn, ways }: { isOwn: boolean; ways: string }) {
  if (!isOwn)
    return <Alert>You logged in more than 15 minutes ago. Confirm who you are before this step.</Alert>;
  return (
    <Alert>
      {`This step needs ${ways}: a log-in at a provider, or of more than 15 minutes ago, is not enough.`}
    </Alert>
  );
}

interface Proving {
  byPasskey: { pending: boolean; error: Error | null; reset(): void };
  why: ReactNode;
  renew(next: Session): void;
}

/** Without a password, beside the log-in at a provider. */
function ByCode({ byPasskey, others, why, renew }: Proving & { others: ReactNode }) {
  const draft = useDraft({ code: '' });
  const prove = useAction((api, body: typeof draft.value) => api.reauthenticate({ body }), { onDone: renew });
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
      <CodeField {...draft.bind('code')} />
    </Form>
  );
}

function ByPassword({
  byPasskey,
  others,
  why,
  beside,
  hasCode,
  hasPasskey,
  renew,
}: Proving & {
  /** The other ways, some of them beside what was typed as the password. */
  others: (password: string) => ReactNode;
  beside: ReactNode;
  hasCode: boolean;
  hasPasskey: boolean;
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
      extra={others(draft.value.password)}
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
      {hasCode && <CodeField {...draft.bind('code')} />}
      {hasPasskey && (
        <p className="hint">
          In place of the code, a passkey will do: a security key without a PIN only with the password.
        </p>
      )}
      {beside}
    </Form>
  );
}

const CodeField = (bound: { name: string; value: string; onChange(next: string): void }) => (
  <TextField
    label="Code"
    {...bound}
    autoComplete="one-time-code"
    description="The 6-digit code in your authenticator app, or a recovery code."
    isRequired
  />
);
