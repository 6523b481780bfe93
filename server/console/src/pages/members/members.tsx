import { useState } from 'react';
import { keys, type Schemas, usePages } from '../../app/data';
import { useSession } from '../../app/session';
import { Allowed, useSite } from '../../app/site';
import { Alert, Badge, Button, PagedTable, PageHeader, Time, words } from '../../ui';
import { AddMember } from './add-member';
import { RemoveMember } from './remove-member';

type Member = Schemas['Member'];

/** Who may see and manage the site. */
export default function Members() {
  const { token, may } = useSite();
  const [dialog, setDialog] = useState<'add' | Member>();
  const me = useSession()?.user.id;
  const members = usePages(keys.site(token, 'members'), (api, cursor, signal) =>
    api.listMembers({ token, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          <Allowed to="owner">
            <Button variant="primary" onPress={() => setDialog('add')}>
              Add a person
            </Button>
          </Allowed>
        }
      >
        Viewers read. Operators also act on requests, breaches and deliveries. Owners also manage members,
        webhooks and settings.
      </PageHeader>
      {!may('owner') && <Alert>Only owners add and remove people.</Alert>}
      <PagedTable
        pages={members}
        label="Members"
        empty={['Nobody is a member']}
        rowKey={({ user_id }) => user_id}
        columns={[
          {
            title: 'E-mail address',
            cell: ({ email, user_id }) => (user_id === me ? `${email} (you)` : email),
          },
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Role', cell: ({ role }) => words(role) },
          { title: 'State', cell: ({ status }) => <State status={status} /> },
          { title: 'Since', cell: ({ added_at }) => <Time at={added_at} /> },
          ...(may('owner')
            ? [
                {
                  title: 'Action',
                  cell: (member: Member) => (
                    <Button
                      small
                      variant="danger"
                      aria-label={`Remove ${member.email}`}
                      onPress={() => setDialog(member)}
                    >
                      Remove
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <AddMember isOpen={dialog === 'add'} onClose={() => setDialog(undefined)} />
      {typeof dialog === 'object' && <RemoveMember member={dialog} onClose={() => setDialog(undefined)} />}
    </>
  );
}

const State = ({ status }: { status: Member['status'] }) =>
  status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Invited</Badge>;
