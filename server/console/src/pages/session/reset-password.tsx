import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { forgetSession } from '../../app/account-menu';
import { useAction } from '../../app/data';
import { session } from '../../app/session';
import { Form, useDraft } from '../../ui';
import { NewPasswordField } from '../../ui/password-fields';
import { Entry } from './entry';
import { isSameAddress } from './same-address';

/** The page of the link in a mail: a new password. */
export default function ResetPassword() {
  const { hash } = useLocation();
  const [code] = useState(() => hash.slice(1));
  const draft = useDraft({ password: '' });
  const [email, setEmail] = useState<string>();
  const reset = useAction((api, password: string) => api.resetPassword({ body: { code, password } }), {
    onDone: (chosen) => {
      // Somebody else's link ends nothing of whoever is logged in here.
      if (isSameAddress(session.get()?.user.email ?? '', chosen.email)) forgetSession();
      setEmail(chosen.email);
    },
  });
  if (email !== undefined)
    return (
      <Entry title="Your password is saved">
        <p>All sessions of {email} have ended. Log in with the new password.</p>
        <Link to="/login">To the log-in</Link>
      </Entry>
    );
  return (
    <Entry title="Choose a new password">
      <Form action={reset} submit="Save the password" onSubmit={() => reset.run(draft.value.password)}>
        <NewPasswordField {...draft.bind('password')} note=" All sessions end." />
      </Form>
      <p className="hint">
        If the link works no more, <Link to="/forgotten-password">ask for another</Link>.
      </p>
    </Entry>
  );
}
