import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/fields';
import { Form, useDraft } from '../ui/form';
import { useAction } from './data';
import { gaveUpLogin, loggedInAgain, useLoginAsked } from './relogin';
import { session } from './session';

/**
 * Asks for the password over the page when the session has ended; the page keeps everything that was typed.
 */
export function LoginDialog() {
  const asked = useLoginAsked();
  return (
    <Dialog isOpen={asked} title="Log in again" onClose={gaveUpLogin}>
      <Fields />
    </Dialog>
  );
}

function Fields() {
  const email = session.get()?.user.email ?? '';
  const draft = useDraft({ password: '' });
  const login = useAction((api, password: string) => api.login({ body: { email, password } }), {
    onDone: loggedInAgain,
  });
  return (
    <Form
      action={login}
      submit="Log in"
      extra={<Button onPress={gaveUpLogin}>Not now</Button>}
      onSubmit={() => login.run(draft.value.password)}
    >
      <Alert>Your session has ended. What you entered on the page is still there.</Alert>
      <TextField label="E-mail address" value={email} isReadOnly autoComplete="username" />
      <TextField
        label="Password"
        {...draft.bind('password')}
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus
      />
    </Form>
  );
}
