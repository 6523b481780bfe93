import { useState } from 'react';
import { keys, type Role, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { Button, ConfirmDialog, Dialog, Form, RadioGroup, useDraft } from '../../ui';
import { LastOwner } from './last-owner';

/** The roles to choose from: key, name, and what it allows. */
export const ROLES: readonly (readonly [Role, string, string])[] = [
  [
    'viewer',
    'Viewer',
    'Reads settings, records and requests, but no whole session ids, no mails, attachments, files of answers, cases and evidence packs, and neither earlier settings nor the audit trail.',
  ],
  [
    'operator',
    'Operator',
    'Also reads mails, attachments, files of answers, cases and evidence packs, answers requests, reports breaches, redelivers events and erases what a visitor’s session left.',
  ],
  [
    'owner',
    'Owner',
    'Also manages members, webhooks and settings, and reads earlier ones and the audit trail.',
  ],
];

interface Props {
  member: Schemas['Member'];
  /** Whether the member is the user. */
  isOwn: boolean;
  onClose: () => void;
}

/** Changes a member's role; asks before users take rights from themselves. */
export function ChangeRole({ member, isOwn, onClose }: Props) {
  const { token } = useSite();
  const [asked, ask] = useState(false);
  const draft = useDraft({ role: member.role });
  const change = useAction(
    (api, role: Role) => api.updateMember({ token, user_id: member.user_id, body: { role } }),
    {
      success: ({ email, role }) => `${email} is ${role === 'viewer' ? 'a' : 'an'} ${role} now`,
      changes: [keys.site(token), keys.sites],
      onDone: onClose,
    },
  );
  const { role } = draft.value;
  const run = () => {
    ask(false);
    change.run(role);
  };
  if (member.last_owner) return <LastOwner title={`Role of ${member.email}`} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={`Role of ${member.email}`}>
      <Form
        action={change}
        submit="Change role"
        isDisabled={!draft.dirty}
        onSubmit={() => (isOwn ? ask(true) : run())}
        extra={<Button onPress={onClose}>Cancel</Button>}
      >
        <RadioGroup label="Role" {...draft.bind('role')} options={ROLES} />
      </Form>
      <ConfirmDialog
        isOpen={asked}
        title="Change your own role?"
        confirm="Change my role"
        onConfirm={run}
        onCancel={() => ask(false)}
      >
        <p>You are no longer an owner at once. Only another owner can make you one again.</p>
      </ConfirmDialog>
    </Dialog>
  );
}
