import { Navigate, useSearchParams } from 'react-router';
import { useAction } from '../../app/data';
import { session, useSession } from '../../app/session';
import { Form, TextField, useDraft } from '../../ui';
import { PasswordField } from '../../ui/password-fields';
import { Entry } from './entry';

/** Login with e-mail address and password. */
export default function Login() {
  const [search] = useSearchParams();
  const draft = useDraft({ email: '', password: '' });
  const login = useAction((api, body: { email: string; password: string }) => api.login({ body }), {
    onDone: session.set,
  });
  if (useSession() !== undefined) return <Navigate to={inside(search.get('next'))} replace />;
  return (
    <Entry title="Log in">
      <Form action={login} submit="Log in" onSubmit={() => login.run(draft.value)}>
        <TextField
          label="E-mail address"
          {...draft.bind('email')}
          type="email"
          autoComplete="username"
          isRequired
        />
        <PasswordField {...draft.bind('password')} />
      </Form>
      <details>
        <summary>Forgot your password?</summary>
        <p className="hint">
          The operator of this server can give you a new one-time link with{' '}
          <code>npm run owner -- reset EMAIL</code>.
        </p>
      </details>
    </Entry>
  );
}

/** Only redirects to a path of the console itself. */
const inside = (next: string | null): string => (next !== null && /^\/(?!\/)[^\\]*$/.test(next) ? next : '/');
