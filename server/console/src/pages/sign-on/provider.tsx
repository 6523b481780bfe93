import type { Schemas } from '../../app/data';
import { Card, CopyButton, FieldList, Table, words } from '../../ui';

/** A provider: what must be registered there, and what its groups give here. */
export function Provider({ provider }: { provider: Schemas['SiteProvider'] }) {
  const { name, issuer, rules, groups_claim, scopes, emails } = provider;
  return (
    <Card title={name}>
      <FieldList
        items={[
          ['Issuer', <Address key="issuer" text={issuer} />],
          ['Redirect URI', <Address key="redirect" text={provider.redirect_uri} copies />],
          ['Post-logout redirect URI', <Address key="logout" text={provider.logout_uri} copies />],
          ['Back-channel logout URI', <Address key="back" text={provider.back_channel_logout_uri} copies />],
          ['Scopes', scopes],
          ['Claim with the groups', groups_claim],
          [
            'E-mail addresses',
            emails === 'always' ? 'All count as verified' : 'Verified when the provider says so',
          ],
        ]}
      />
      <h3>Groups and roles on this site</h3>
      {rules.length === 0 ? (
        <p className="muted">None of its groups has a role here. People can still be invited.</p>
      ) : (
        <Table
          label={`Groups of ${name}`}
          rows={rules}
          rowKey={({ group, role }) => `${role} ${group}`}
          columns={[
            { title: 'Group', cell: ({ group }) => (group === '*' ? 'Everybody' : group) },
            { title: 'Role', cell: ({ role }) => words(role) },
          ]}
        />
      )}
    </Card>
  );
}

const Address = ({ text, copies = false }: { text: string; copies?: boolean }) => (
  <span className="row">
    <code>{text}</code>
    {copies && <CopyButton text={text} />}
  </span>
);
