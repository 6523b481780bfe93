import { useState } from 'react';
import { keys, type Schemas, usePages } from '../../app/data';
import { useSession } from '../../app/session';
import { Allowed, useSite } from '../../app/site';
import { Alert, Badge, Button, PagedTable, PageHeader, Time, words } from '../../ui';
import { AddMember } from './add-member';
import { ChangeRole } from './change-role';
import style from './members.module.css';
import { RemoveMember } from './remove-member';
import { RenewInvitation } from './renew-invitation';
import { SecondFactorRule } from './second-factor-rule';

type Member = Schemas['Member'];
type What = 'add' | 'role' | 'link' | 'remove';
/** The open dialog and its member. */
type Open = { what: What; member?: Member };

/** The members of the site and their roles. */
export default function Members() {
  const { token, may } = useSite();
  const [dialog, setDialog] = useState<Open>();
  const me = useSession()?.user.id;
  const close = () => setDialog(undefined);
  const members = usePages(keys.site(token, 'members'), (api, cursor, signal) =>
    api.listMembers({ token, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          <Allowed to="owner">
            <Button variant="primary" onPress={() => setDialog({ what: 'add' })}>
              Add a person
            </Button>
          </Allowed>
        }
      >
        Viewers read. Operators also act on requests, breaches and deliveries. Owners also manage members,
        webhooks and settings.
      </PageHeader>
      {!may('owner') && <Alert>Only owners can add and remove people, and change roles.</Alert>}
      <PagedTable
        pages={members}
        label="Members"
        empty={['No members']}
        rowKey={({ user_id }) => user_id}
        columns={[
          {
            title: 'E-mail address',
            cell: ({ email, user_id }) => (user_id === me ? `${email} (you)` : email),
          },
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Role', cell: ({ role }) => <span className={style.memberRole}>{words(role)}</span> },
          {
            title: 'State',
            cell: ({ status, last_owner }) => (
              <>
                <State status={status} /> {last_owner && <span className="hint">The last owner</span>}
              </>
            ),
          },
          { title: 'Since', cell: ({ added_at }) => <Time at={added_at} /> },
          ...(may('owner')
            ? [
                {
                  title: 'Actions',
                  cell: (member: Member) => (
                    <Actions member={member} open={(what) => setDialog({ what, member })} />
                  ),
                },
              ]
            : []),
        ]}
      />
      <Allowed to="owner">
        <SecondFactorRule />
      </Allowed>
      <AddMember isOpen={dialog?.what === 'add'} onClose={close} />
      {dialog?.member !== undefined && <About {...dialog} member={dialog.member} me={me} onClose={close} />}
    </>
  );
}

/** The dialog for one member. */
function About({ what, me, ...props }: { what: What; member: Member; me?: number; onClose: () => void }) {
  if (what === 'role') return <ChangeRole {...props} isOwn={props.member.user_id === me} />;
  return what === 'link' ? <RenewInvitation {...props} /> : <RemoveMember {...props} />;
}

function Actions({ member, open }: { member: Member; open: (what: What) => void }) {
  const { email, status } = member;
  return (
    <div className="row">
      <Button small aria-label={`Change role of ${email}`} onPress={() => open('role')}>
        Change role
      </Button>
      {status === 'invited' && (
        <Button small aria-label={`New link for ${email}`} onPress={() => open('link')}>
          New link
        </Button>
      )}
      <Button small variant="danger" aria-label={`Remove ${email}`} onPress={() => open('remove')}>
        Remove
      </Button>
    </div>
  );
}

const State = ({ status }: { status: Member['status'] }) =>
  status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Invited</Badge>;
