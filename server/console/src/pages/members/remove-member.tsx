import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { ConfirmDialog, count } from '../../ui';
import { LastOwner } from './last-owner';

/** Asks before a member is removed. */
export function RemoveMember({ member, onClose }: { member: Schemas['Member']; onClose: () => void }) {
  const { token, name } = useSite();
  const remove = useAction((api, user_id: number) => api.removeMember({ token, user_id }), {
    success: `${member.email} was removed`,
    changes: [keys.site(token, 'members'), keys.site(token, 'warnings')],
    onDone: onClose,
  });
  if (member.last_owner) return <LastOwner title={`Remove ${member.email}?`} onClose={onClose} />;
  const isInvited = member.status === 'invited';
  return (
    <ConfirmDialog
      isOpen
      title={`Remove ${member.email}?`}
      confirm="Remove"
      action={remove}
      onConfirm={() => remove.run(member.user_id)}
      onCancel={onClose}
    >
      {isInvited ? (
        <p>Their invitation to {name} ends at once, and its link opens nothing any more.</p>
      ) : (
        <p>They lose access to {name} at once. What they did stays in the records.</p>
      )}
      {member.given_by !== null && (
        <p>
          The groups of {member.given_by} gave them this role. As long as that provider is set up on this
          server, they give it again at their next log-in there: take them out of the group first, or let
          whoever runs this server change its rule.
        </p>
      )}
      {member.webhooks > 0 && (
        <p>
          They made {count(member.webhooks)} {member.webhooks === 1 ? 'webhook' : 'webhooks'} of this site.{' '}
          {member.webhooks === 1 ? 'It goes' : 'They go'} on sending: see afterwards whether the{' '}
          {member.webhooks === 1 ? 'receiver is' : 'receivers are'} still yours.
        </p>
      )}
    </ConfirmDialog>
  );
}
