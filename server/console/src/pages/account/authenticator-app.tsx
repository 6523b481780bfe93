import { useState } from 'react';
import { type Output, useAction } from '../../app/data';
import {
  Alert,
  Button,
  Card,
  CodeBlock,
  ConfirmDialog,
  Dialog,
  Failed,
  Form,
  TextField,
  Time,
  useDraft,
} from '../../ui';
import { CHANGED, renewed, useFactorsChanged } from './factors-changed';
import { QrCode } from './qr-code';
import { ShownCodes } from './shown-codes';

/** Adds and removes the authenticator app. */
export function AuthenticatorApp({
  since,
  requiredBy,
}: {
  since: string | null;
  requiredBy: readonly string[];
}) {
  const [secret, setSecret] = useState<Output<'beginTotp'>>();
  const [asking, setAsking] = useState(false);
  const { codes, changed, clear } = useFactorsChanged();
  const begin = useAction((api, _: undefined) => api.beginTotp(), { onDone: setSecret });
  const remove = useAction((api, _: undefined) => renewed(api.removeTotp()), {
    success: 'Authenticator app removed. All other sessions have ended.',
    changes: CHANGED,
    onDone: (result) => {
      changed(result);
      setAsking(false);
    },
  });
  return (
    <Card title="Authenticator app">
      {requiredBy.length > 0 && (
        <Alert tone="warn" title="Sites of yours require a second factor">
          You cannot open {requiredBy.join(', ')} until you add an app or a passkey.
        </Alert>
      )}
      {since === null ? (
        <p>An app on your phone shows a 6-digit code, which you type after your password.</p>
      ) : (
        <p>
          In use since <Time at={since} />.
        </p>
      )}
      <Failed error={begin.error} />
      <div>
        {since === null ? (
          <Button variant="primary" isPending={begin.pending} onPress={() => begin.run(undefined)}>
            Add an authenticator app
          </Button>
        ) : (
          <Button variant="danger" onPress={() => setAsking(true)}>
            Remove the app
          </Button>
        )}
      </div>
      <Dialog
        isOpen={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title="Add an authenticator app"
      >
        {secret !== undefined && (
          <Confirm
            secret={secret}
            onCancel={() => setSecret(undefined)}
            onDone={(result) => {
              setSecret(undefined);
              changed(result);
            }}
          />
        )}
      </Dialog>
      <ShownCodes codes={codes} onClose={clear} />
      <ConfirmDialog
        isOpen={asking}
        title="Remove the authenticator app?"
        confirm="Remove it"
        action={remove}
        onConfirm={() => remove.run(undefined)}
        onCancel={() => setAsking(false)}
      >
        <p>
          Without another second factor your password alone lets you in, and your recovery codes no longer
          work.
        </p>
      </ConfirmDialog>
    </Card>
  );
}

function Confirm({
  secret,
  onDone,
  onCancel,
}: {
  secret: Output<'beginTotp'>;
  onDone: (result: Output<'confirmTotp'>) => void;
  onCancel: () => void;
}) {
  const draft = useDraft({ code: '' });
  const confirm = useAction((api, body: { code: string }) => renewed(api.confirmTotp({ body })), {
    success: 'Authenticator app added. All other sessions have ended.',
    changes: CHANGED,
    onDone,
  });
  return (
    <Form
      action={confirm}
      submit="Confirm"
      onSubmit={() => confirm.run(draft.value)}
      extra={<Button onPress={onCancel}>Cancel</Button>}
    >
      <p>Scan this with the app, or type the secret into the app. Then type the code that the app shows.</p>
      <QrCode text={secret.uri} label="The secret as a QR code" />
      <CodeBlock label="Secret" code={secret.secret} />
      <TextField label="Code" {...draft.bind('code')} autoComplete="one-time-code" isRequired />
    </Form>
  );
}
