import type { Input } from '@avow/sdk';
import { useState } from 'react';
import { keys, type Role, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Button, CodeBlock, Dialog, Form, RadioGroup, TextField, useDraft } from '../../ui';

type Body = Input<'addMember'>['body'];

const ROLES: readonly (readonly [Role, string, string])[] = [
  ['viewer', 'Viewer', 'Reads everything of the site.'],
  ['operator', 'Operator', 'Also answers requests, reports breaches and redelivers events.'],
  ['owner', 'Owner', 'Also manages members, webhooks and settings.'],
];

/** Adds a person; who has no account yet gets a one-time link, which is shown here and nowhere else. */
export function AddMember({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [link, setLink] = useState<string>();
  const close = () => {
    setLink(undefined);
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={link === undefined ? 'Add a person' : 'Hand over this link'}
    >
      {link === undefined ? (
        <Fields onLink={setLink} onClose={close} />
      ) : (
        <>
          <CodeBlock label="Invitation link" code={link} />
          <Alert tone="warn" title="It is shown only now">
            The person chooses a password behind it. It works once, for 7 days. If it gets lost, remove the
            person and add them again.
          </Alert>
          <div className="row end">
            <Button variant="primary" onPress={close}>
              I have copied it
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function Fields({ onLink, onClose }: { onLink: (link: string) => void; onClose: () => void }) {
  const { token } = useSite();
  const draft = useDraft({ email: '', name: '', role: 'viewer' as Role });
  const add = useAction((api, body: Body) => api.addMember({ token, body }), {
    success: ({ email }) => `${email} is a member`,
    changes: [keys.site(token, 'members')],
    onDone: ({ invitation_url }) => (invitation_url === undefined ? onClose() : onLink(invitation_url)),
  });
  const { email, name, role } = draft.value;
  return (
    <Form
      action={add}
      submit="Add"
      onSubmit={() => add.run({ email, role, ...(name !== '' && { name }) })}
      extra={<Button onPress={onClose}>Cancel</Button>}
    >
      <TextField label="E-mail address" {...draft.bind('email')} type="email" isRequired autoFocus />
      <TextField label="Name" {...draft.bind('name')} maxLength={200} />
      <RadioGroup label="Role" {...draft.bind('role')} options={ROLES} />
    </Form>
  );
}
