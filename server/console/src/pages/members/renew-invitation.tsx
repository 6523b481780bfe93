import { useState } from 'react';
import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { ConfirmDialog, Dialog } from '../../ui';
import { InvitationLink } from './invitation-link';

/** Makes a new link for an invited person; asks first, because the old link stops working. */
export function RenewInvitation({ member, onClose }: { member: Schemas['Member']; onClose: () => void }) {
  const { token } = useSite();
  const [link, setLink] = useState<string>();
  const renew = useAction((api, user_id: number) => api.renewInvitation({ token, user_id }), {
    changes: [keys.site(token, 'members')],
    onDone: ({ invitation_url }) => setLink(invitation_url),
  });
  if (link !== undefined) {
    return (
      <Dialog isOpen onClose={onClose} title="Give this link to the person">
        <InvitationLink link={link} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Make a new link for ${member.email}?`}
      confirm="Make a new link"
      action={renew}
      onConfirm={() => renew.run(member.user_id)}
      onCancel={onClose}
    >
      <p>The old link stops working at once. The new one works once and expires after 7 days.</p>
    </ConfirmDialog>
  );
}
