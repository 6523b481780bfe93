import { useState } from 'react';
import { type Schemas, useAction } from '../../app/data';
import { makePasskey } from '../../app/passkeys';
import { Alert, Button, Card, ConfirmDialog, Dialog, Form, Table, TextField, Time, useDraft } from '../../ui';
import { CHANGED, renewed, useFactorsChanged } from './factors-changed';
import { ShownCodes } from './shown-codes';

type Passkey = Schemas['Passkey'];

/** Adds and removes passkeys, and names them. */
export function Passkeys({ passkeys, isPossible }: { passkeys: readonly Passkey[]; isPossible: boolean }) {
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  const [renamed, setRenamed] = useState<Passkey>();
  const { codes, changed, clear } = useFactorsChanged();
  const remove = useAction((api, passkey_id: string) => renewed(api.removePasskey({ passkey_id })), {
    success: 'Passkey removed. All other sessions have ended.',
    changes: CHANGED,
    onDone: (result) => {
      changed(result);
      setRemoved(undefined);
    },
  });
  return (
    <Card title="Passkeys">
      <p>A passkey on your computer, phone or security key lets you in without a password.</p>
      {passkeys.length > 0 && (
        <Table
          label="Passkeys"
          rows={[...passkeys]}
          rowKey={({ passkey_id }) => passkey_id}
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
            { title: 'Last used', cell: ({ used_on }) => used_on ?? 'Not yet' },
            { title: 'Kept', cell: ({ synced }) => (synced ? 'On your devices' : 'On one device') },
            {
              title: 'Actions',
              cell: (passkey) => (
                <span className="row">
                  <Button small aria-label={`Rename ${passkey.name}`} onPress={() => setRenamed(passkey)}>
                    Rename
                  </Button>
                  <Button
                    small
                    variant="danger"
                    aria-label={`Remove ${passkey.name}`}
                    onPress={() => setRemoved(passkey)}
                  >
                    Remove
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {!isPossible && (
        <Alert>
          The operator of this server must set PUBLIC_URL to an https address with a host name before passkeys
          can be created.
        </Alert>
      )}
      <div>
        <Button variant="primary" isDisabled={!isPossible} onPress={() => setAdding(true)}>
          Add a passkey
        </Button>
      </div>
      <Dialog isOpen={isAdding} onClose={() => setAdding(false)} title="Add a passkey">
        <Add
          onCancel={() => setAdding(false)}
          onDone={(result) => {
            setAdding(false);
            changed(result);
          }}
        />
      </Dialog>
      <Dialog isOpen={renamed !== undefined} onClose={() => setRenamed(undefined)} title="Rename the passkey">
        {renamed && <Rename passkey={renamed} close={() => setRenamed(undefined)} />}
      </Dialog>
      <ShownCodes codes={codes} onClose={clear} />
      <ConfirmDialog
        isOpen={removed !== undefined}
        title={`Remove the passkey ${removed?.name ?? ''}?`}
        confirm="Remove it"
        action={remove}
        onConfirm={() => removed !== undefined && remove.run(removed.passkey_id)}
        onCancel={() => setRemoved(undefined)}
      >
        <p>It lets nobody in any more. Delete it in the device that made it, too.</p>
      </ConfirmDialog>
    </Card>
  );
}

function Rename({ passkey: { passkey_id, name }, close }: { passkey: Passkey; close: () => void }) {
  const draft = useDraft({ name });
  const rename = useAction((api, next: string) => api.renamePasskey({ passkey_id, body: { name: next } }), {
    success: 'Passkey renamed',
    changes: CHANGED,
    onDone: close,
  });
  return (
    <Form
      action={rename}
      submit="Rename"
      onSubmit={() => rename.run(draft.value.name)}
      extra={<Button onPress={close}>Cancel</Button>}
    >
      <TextField
        label="Name"
        {...draft.bind('name')}
        maxLength={100}
        isRequired
        autoFocus
        description="Only you see it. The passkey lets you in as before."
      />
    </Form>
  );
}

function Add({
  onDone,
  onCancel,
}: {
  onDone: (result: Schemas['FactorsChanged']) => void;
  onCancel: () => void;
}) {
  const draft = useDraft({ name: '' });
  const add = useAction(
    async (api, name: string) => {
      const creation = await api.beginPasskey();
      const made = await makePasskey(creation);
      return renewed(api.addPasskey({ body: { challenge: creation.challenge, name, ...made } }));
    },
    { success: 'Passkey added. All other sessions have ended.', changes: CHANGED, onDone },
  );
  return (
    <Form
      action={add}
      submit="Create passkey"
      onSubmit={() => add.run(draft.value.name)}
      extra={<Button onPress={onCancel}>Cancel</Button>}
    >
      <TextField
        label="Name"
        {...draft.bind('name')}
        maxLength={100}
        isRequired
        autoFocus
        description="Such as “my laptop”. Your browser then asks where to keep the passkey."
      />
    </Form>
  );
}
