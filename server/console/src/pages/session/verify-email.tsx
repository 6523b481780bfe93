import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { keys, useAction } from '../../app/data';
import { useSession } from '../../app/session';
import { Form } from '../../ui';
import { Entry } from './entry';

/** The page of the link in a mail: proves the address of whoever is logged in, by a button. */
export default function VerifyEmail() {
  const { hash } = useLocation();
  const [code] = useState(() => hash.slice(1));
  const [email, setEmail] = useState<string>();
  const user = useSession()?.user;
  const verify = useAction((api, _: undefined) => api.verifyEmail({ body: { code } }), {
    changes: [keys.me],
    onDone: (verified) => setEmail(verified.email),
  });
  if (email !== undefined)
    return (
      <Entry title="Your address is verified">
        <p>{email} can own sites now. If you were invited as an owner, open that link again.</p>
        <Link to="/">Go on</Link>
      </Entry>
    );
  if (user === undefined)
    return (
      <Entry title="Verify your e-mail address">
        <p>Log in to the account of this address first. If you have made none, there is nothing to do.</p>
        <Link to={`/login?next=${encodeURIComponent(`/verify-email#${code}`)}`}>To the log-in</Link>
      </Entry>
    );
  return (
    <Entry title="Verify your e-mail address">
      <Form action={verify} submit="It is my address" onSubmit={() => verify.run(undefined)}>
        <p>
          You are logged in as {user.name}, {user.email}. Confirm that this account and its mailbox are yours.
        </p>
      </Form>
    </Entry>
  );
}
