import { useState } from 'react';
import { type Schemas, useAction, useAnswer } from '../../app/data';
import { ProviderButtons, useLoginMethods } from '../../app/provider-buttons';
import { Button, Card, ConfirmDialog, QueryState, Table, Time } from '../../ui';

type Identity = Schemas['Identity'];

const IDENTITIES = ['identities'];

/** Provider accounts by which the user can log in; nothing where the server has no providers. */
export function Identities() {
  const methods = useLoginMethods();
  const linked = useAnswer(IDENTITIES, (api, signal) => api.listIdentities(undefined, { signal }));
  const [ending, setEnding] = useState<Identity>();
  if (
    methods.data === undefined ||
    methods.data.providers.length + (linked.data?.identities.length ?? 0) === 0
  )
    return null;
  return (
    <Card title="Single sign-on">
      <QueryState query={linked}>
        {({ identities }) =>
          identities.length === 0 ? (
            <p>Link your account at a provider to log in with it.</p>
          ) : (
            <Table
              label="Provider accounts"
              rows={identities}
              rowKey={({ identity_id }) => identity_id}
              columns={[
                {
                  title: 'Provider',
                  cell: ({ name, works }) => (works ? name : `${name} (no longer set up)`),
                },
                { title: 'Address there', cell: ({ email }) => email ?? 'None' },
                { title: 'Last log-in', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
                {
                  title: 'Actions',
                  cell: (identity) => (
                    <Button
                      small
                      variant="danger"
                      aria-label={`Unlink ${identity.name}`}
                      onPress={() => setEnding(identity)}
                    >
                      Unlink
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
      <ProviderButtons methods={methods.data} next="/account" links />
      {ending !== undefined && <Unlink identity={ending} onClose={() => setEnding(undefined)} />}
    </Card>
  );
}

function Unlink({ identity, onClose }: { identity: Identity; onClose: () => void }) {
  const { identity_id, name } = identity;
  const unlink = useAction((api, _: undefined) => api.unlinkIdentity({ identity_id }), {
    success: `${name} is unlinked`,
    changes: [IDENTITIES, ['sites'], ['site']],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      title={`Unlink ${name}?`}
      confirm="Unlink"
      action={unlink}
      onConfirm={() => unlink.run(undefined)}
      onCancel={onClose}
    >
      <p>You can no longer log in with it, and you lose the roles that its groups gave you.</p>
    </ConfirmDialog>
  );
}
