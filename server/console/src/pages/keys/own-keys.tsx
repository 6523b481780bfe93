import { useState } from 'react';
import { keys, usePages } from '../../app/data';
import { Button, GuideLink, PagedTable, PageHeader } from '../../ui';
import { columns } from './columns';
import { RevokeKey, RotateKey } from './end-key';
import { MakeKey } from './make-key';
import type { ApiKey } from './names';

type What = 'make' | 'rotate' | 'revoke';
type Open = { what: What; apiKey?: ApiKey };

/** The API keys of the account. */
export default function OwnKeys() {
  const [dialog, setDialog] = useState<Open>();
  const close = () => setDialog(undefined);
  const own = usePages(keys.ownKeys, (api, cursor, signal) => api.listKeys(cursor, { signal }));
  return (
    <>
      <PageHeader
        title="Your API keys"
        actions={
          <>
            <GuideLink to="guides/service-accounts">How to use keys</GuideLink>
            <Button variant="primary" onPress={() => setDialog({ what: 'make' })}>
              Make a key
            </Button>
          </>
        }
      >
        For programs, instead of your password. A key acts for you, only with what it may do, and only where
        you are an owner.
      </PageHeader>
      <PagedTable
        pages={own}
        label="API keys"
        empty={['No keys', 'Make one for each program, so that you can end each by itself.']}
        rowKey={({ key_id }) => key_id}
        columns={[
          ...columns<ApiKey>(),
          { title: 'Site', cell: ({ site }) => site?.name ?? 'All where you are an owner' },
          {
            title: 'Actions',
            cell: (apiKey) => <Actions apiKey={apiKey} open={(what) => setDialog({ what, apiKey })} />,
          },
        ]}
      />
      <MakeKey isOpen={dialog?.what === 'make'} onClose={close} />
      {dialog?.apiKey !== undefined && <About {...dialog} apiKey={dialog.apiKey} onClose={close} />}
    </>
  );
}

/** The dialog for one key. */
const About = ({ what, ...props }: { what: What; apiKey: ApiKey; onClose: () => void }) =>
  what === 'rotate' ? <RotateKey {...props} /> : <RevokeKey {...props} />;

function Actions({ apiKey, open }: { apiKey: ApiKey; open: (what: What) => void }) {
  const { name, status, replaced_by } = apiKey;
  if (status !== 'active') return null;
  return (
    <div className="row">
      {replaced_by === null && (
        <Button small aria-label={`Rotate ${name}`} onPress={() => open('rotate')}>
          Rotate
        </Button>
      )}
      <Button small variant="danger" aria-label={`Revoke ${name}`} onPress={() => open('revoke')}>
        Revoke
      </Button>
    </div>
  );
}
