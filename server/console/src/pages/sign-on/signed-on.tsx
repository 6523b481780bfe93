import { keys, type Schemas, usePages } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, PagedTable, Time, words } from '../../ui';

/** The members of the site, with the provider with which each logged in last. */
export function SignedOn({ providers }: { providers: readonly Schemas['SiteProvider'][] }) {
  const { token } = useSite();
  const nameOf = (id: string): string => providers.find(({ provider }) => provider === id)?.name ?? id;
  const members = usePages(keys.site(token, 'members'), (api, cursor, signal) =>
    api.listMembers({ token, ...cursor }, { signal }),
  );
  return (
    <Card title="Members and their log-ins">
      <PagedTable
        pages={members}
        label="Members and their log-ins"
        empty={['No members']}
        rowKey={({ user_id }) => user_id}
        columns={[
          { title: 'E-mail address', cell: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => words(role) },
          { title: 'Given by', cell: ({ given_by }) => (given_by === null ? 'A person' : nameOf(given_by)) },
          {
            title: 'Last log-in with a provider',
            cell: ({ signed_on }) =>
              signed_on === null ? (
                'Never'
              ) : (
                <>
                  {nameOf(signed_on.provider)}, <Time at={signed_on.at} />
                </>
              ),
          },
        ]}
      />
    </Card>
  );
}
