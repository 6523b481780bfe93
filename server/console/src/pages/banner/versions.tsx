import { keys, usePages } from '../../app/data';
import { Allowed, useSite } from '../../app/site';
import { Badge, ButtonLink, PagedTable, PageHeader, Time } from '../../ui';
import { BannerSections } from './sections';

/** Every version of the settings; its banner can be brought back. */
export default function Versions() {
  const { token, path } = useSite();
  const versions = usePages(keys.site(token, 'settings-versions'), (api, cursor, signal) =>
    api.listSettingsVersions({ token, ...cursor }, { signal }),
  );
  return (
    <>
      <PageHeader title="Earlier settings">
        Every change of the settings is kept. The banner of an earlier version comes back as a new one: what
        was recorded stays as it is.
      </PageHeader>
      <BannerSections />
      <PagedTable
        label="Versions of the settings"
        pages={versions}
        rowKey={({ version }) => String(version)}
        empty={['No versions', 'There is one as soon as the site is made.']}
        columns={[
          { title: 'Version', cell: ({ version }) => `Version ${version}` },
          {
            title: 'State',
            cell: ({ current }) => (current ? <Badge tone="good">Current</Badge> : <Badge>Earlier</Badge>),
          },
          { title: 'Saved', cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: 'Banner',
            cell: ({ version, current }) =>
              current ? null : (
                <Allowed to="owner">
                  <ButtonLink
                    small
                    to={path(`banner?version=${version}`)}
                    aria-label={`Restore the banner of version ${version}`}
                  >
                    Restore
                  </ButtonLink>
                </Allowed>
              ),
          },
        ]}
      />
    </>
  );
}
