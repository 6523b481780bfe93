import type { Input } from '@avow/sdk';
import { useState } from 'react';
import { keys, type Role, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, Dialog, Form, RadioGroup, TextField, useDraft } from '../../ui';
import { ROLES } from './change-role';
import { InvitationLink } from './invitation-link';

type Body = Input<'addMember'>['body'];

/** Invites a person by a one-time link, which is shown only here. */
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
      title={link === undefined ? 'Add a person' : 'Give this link to the person'}
    >
      {link === undefined ? (
        <Fields onLink={setLink} onClose={close} />
      ) : (
        <InvitationLink link={link} onClose={close} />
      )}
    </Dialog>
  );
}

function Fields({ onLink, onClose }: { onLink: (link: string) => void; onClose: () => void }) {
  const { token } = useSite();
  const draft = useDraft({ email: '', name: '', role: 'viewer' as Role });
  const add = useAction((api, body: Body) => api.addMember({ token, body }), {
    success: ({ email }) => `${email} is invited`,
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
      <TextField
        label="Name"
        {...draft.bind('name')}
        maxLength={200}
        description="The name in the list until they accept."
      />
      <RadioGroup label="Role" {...draft.bind('role')} options={ROLES} />
    </Form>
  );
}
