import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { logOut } from '../../app/account-menu';
import { useAction } from '../../app/data';
import { session } from '../../app/session';
import { Alert, Form, TextField, useDraft } from '../../ui';
import { Entry } from './entry';

/** The page behind a one-time link. The code is in the fragment of the address, which no server ever sees. */
export default function Setup() {
  const { hash } = useLocation();
  const [code] = useState(() => hash.slice(1));
  const navigate = useNavigate();
  const draft = useDraft({ email: '', name: '', password: '' });
  const accept = useAction(
    (api, { email, name, password }: typeof draft.value) =>
      api.acceptInvitation({ body: { code, password, ...(email && { email }), ...(name && { name }) } }),
    {
      onDone: (begun) => {
        logOut();
        session.set(begun);
        void navigate('/', { replace: true });
      },
    },
  );
  return (
    <Entry title="Set up your account">
      <p className="muted">Choose how you will log in. This link works once.</p>
      {!/^[\w-]{43}$/.test(code) && (
        <Alert tone="warn" title="The address lacks its code">
          Copy the whole link, with everything behind the #.
        </Alert>
      )}
      <Form action={accept} submit="Create account" onSubmit={() => accept.run(draft.value)}>
        <TextField
          label="E-mail address"
          {...draft.bind('email')}
          type="email"
          autoComplete="username"
          description="The first account of a server needs it. Leave it empty if you were invited, or choose a new password: the link knows it."
          isConditional
        />
        <TextField label="Name" {...draft.bind('name')} autoComplete="name" maxLength={200} />
        <TextField
          label="Password"
          {...draft.bind('password')}
          type="password"
          autoComplete="new-password"
          description="12 characters or more."
          isRequired
        />
      </Form>
    </Entry>
  );
}
