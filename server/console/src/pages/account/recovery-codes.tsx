import { useState } from 'react';
import { keys, useAction } from '../../app/data';
import { Alert, Button, Card, ConfirmDialog } from '../../ui';
import { ShownCodes } from './shown-codes';

/** How few are a warning. */
const FEW = 3;

/** How many recovery codes are left, and new ones. */
export function RecoveryCodes({ left }: { left: number }) {
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const renew = useAction((api, _: undefined) => api.renewRecoveryCodes(), {
    changes: [keys.factors],
    onDone: (made) => {
      setAsking(false);
      setCodes(made.codes);
    },
  });
  return (
    <Card title="Recovery codes">
      {left <= FEW ? (
        <Alert tone="warn" title={left === 0 ? 'No codes are left' : `Only ${left} left`}>
          Without them, only the operator of the server can let you in when you lose your device.
        </Alert>
      ) : (
        <p>{left} codes are left. Each lets you in once, in place of a second factor.</p>
      )}
      <div>
        <Button onPress={() => setAsking(true)}>Make new codes</Button>
      </div>
      <ConfirmDialog
        isOpen={asking}
        title="Make new recovery codes?"
        confirm="Make them"
        action={renew}
        onConfirm={() => renew.run(undefined)}
        onCancel={() => setAsking(false)}
      >
        <p>The old codes no longer work.</p>
      </ConfirmDialog>
      <ShownCodes codes={codes} onClose={() => setCodes(undefined)} />
    </Card>
  );
}
