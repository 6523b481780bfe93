import { useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '../../app/data';
import { useLoginMethods } from '../../app/provider-buttons';
import { Form, TextField, useDraft } from '../../ui';
import { Entry } from './entry';
import { OnlyProviders } from './only-providers';

/** Asks for a mail with a link to choose a new password, where there are passwords. */
export default function ForgottenPassword() {
  const methods = useLoginMethods();
  if (methods.isPending) return <Entry title="Forgot your password?">{null}</Entry>;
  if (methods.data?.password !== false) return <Ask />;
  return (
    <Entry title="Forgot your password?">
      <OnlyProviders />
      <Link to="/login">Back to the log-in</Link>
    </Entry>
  );
}

function Ask() {
  const draft = useDraft({ email: '' });
  const [isSent, setSent] = useState(false);
  const ask = useAction((api, body: { email: string }) => api.requestPasswordReset({ body }), {
    onDone: () => setSent(true),
  });
  if (isSent)
    return (
      <Entry title="Look into your mailbox">
        <p>
          If {draft.value.email} has an account here, a mail with a link is on its way. The link works for an
          hour.
        </p>
        <Link to="/login">Back to the log-in</Link>
      </Entry>
    );
  return (
    <Entry title="Forgot your password?">
      <Form action={ask} submit="Send the mail" onSubmit={() => ask.run(draft.value)}>
        <TextField
          label="E-mail address"
          {...draft.bind('email')}
          type="email"
          autoComplete="username"
          isRequired
        />
      </Form>
      <Link to="/login">Back to the log-in</Link>
    </Entry>
  );
}
