import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/fields';
import { Form, useDraft } from '../ui/form';
import { PasswordField } from '../ui/password-fields';
import { useAction } from './data';
import { cancelLogin, loggedInAgain, useLoginPending } from './relogin';
import { session } from './session';

/**
 * A dialog that asks for the password when the session has ended. The page below it keeps everything that was
 * typed.
 */
export function LoginDialog() {
  const isPending = useLoginPending();
  return (
    <Dialog isOpen={isPending} title="Log in again" onClose={cancelLogin}>
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
      extra={<Button onPress={cancelLogin}>Not now</Button>}
      onSubmit={() => login.run(draft.value.password)}
    >
      <Alert>Your session has ended. What you entered on the page is still there.</Alert>
      <TextField label="E-mail address" value={email} isReadOnly autoComplete="username" />
      <PasswordField {...draft.bind('password')} autoFocus />
    </Form>
  );
}
