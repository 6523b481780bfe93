import { useState } from 'react';
import { keys, type Schemas, usePages } from '../../app/data';
import { useSession } from '../../app/session';
import { useSite } from '../../app/site';
import { Alert, Button, PagedTable, PageHeader } from '../../ui';
import { columns } from './columns';
import { RevokeKey } from './end-key';
import { MakeKey } from './make-key';

type SiteKey = Schemas['SiteKey'];

/** Every API key that reaches the site, whoever made it. */
export default function SiteKeys() {
  const { may } = useSite();
  if (may('owner')) return <Keys />;
  return (
    <>
      <PageHeader title="API keys" />
      <Alert>Only owners see the keys that reach a site, and make them.</Alert>
    </>
  );
}

function Keys() {
  const { token } = useSite();
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<SiteKey>();
  const me = useSession()?.user.id;
  const reaching = usePages(keys.site(token, 'keys'), (api, cursor, signal) =>
    api.listSiteKeys({ token, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader
        title="API keys"
        actions={
          <Button variant="primary" onPress={() => setMaking(true)}>
            Make a key
          </Button>
        }
      >
        For programs. Every key that reaches this site is here, whoever made it. It stops working when its
        maker is no longer an owner.
      </PageHeader>
      <PagedTable
        pages={reaching}
        label="API keys"
        empty={['No keys', 'Make one for each program, so that you can end each by itself.']}
        rowKey={({ key_id }) => key_id}
        columns={[
          ...columns<SiteKey>(),
          { title: 'Made by', cell: ({ made_by }) => made_by.email },
          {
            title: 'Actions',
            cell: (key: SiteKey) =>
              key.status === 'active' && (
                <End apiKey={key} isOwn={key.made_by.user_id === me} onEnd={() => setEnding(key)} />
              ),
          },
        ]}
      />
      <MakeKey isOpen={making} site={token} onClose={() => setMaking(false)} />
      {ending !== undefined && (
        <RevokeKey apiKey={ending} site={token} onClose={() => setEnding(undefined)} />
      )}
    </>
  );
}

/** Another owner's key for all of their sites is theirs to end. */
const End = ({ apiKey, isOwn, onEnd }: { apiKey: SiteKey; isOwn: boolean; onEnd: () => void }) =>
  apiKey.site === null && !isOwn ? (
    <span className="hint">Its maker can revoke it</span>
  ) : (
    <Button small variant="danger" aria-label={`Revoke ${apiKey.name ?? apiKey.key_id}`} onPress={onEnd}>
      Revoke
    </Button>
  );
