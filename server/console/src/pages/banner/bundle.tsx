import { useParams } from 'react-router';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { languageNames } from '../../app/lists';
import { Allowed, useSite } from '../../app/site';
import { ButtonLink, Card, FieldList, PageHeader, QueryState, Time, words } from '../../ui';
import { BundleState } from './bundle-state';
import { PublishedBanner } from './published-banner';

/** A banner as it was published. */
export default function BundlePage() {
  const { hash = '' } = useParams();
  const { token, path } = useSite();
  const bundle = useAnswer(keys.site(token, 'bundles', hash), (api, signal) =>
    api.getBundleRecord({ token, hash }, { signal }),
  );
  return (
    <>
      <PageHeader title="Banner as it was" back={[path('banner/published'), 'Published banners']}>
        <code>{hash}</code>
      </PageHeader>
      <QueryState query={bundle}>
        {(record) => (
          <>
            <Card title="What visitors saw">
              <PublishedBanner bundle={record} title="The banner as it was" />
            </Card>
            <Details bundle={record} />
            <Allowed to="owner">
              {record.test_version === 'b' ? (
                <p className="muted">
                  This is version B of an A/B test. It cannot be restored from here: the settings that it was
                  published with have version A as the banner.
                </p>
              ) : (
                <div>
                  <ButtonLink to={path(`banner?version=${record.version}`)}>Restore this banner</ButtonLink>
                </div>
              )}
            </Allowed>
          </>
        )}
      </QueryState>
    </>
  );
}

function Details({ bundle }: { bundle: Schemas['BundleRecord'] }) {
  const { config } = bundle;
  return (
    <Card title="Details">
      <FieldList
        items={[
          ['State', <BundleState key="s" bundle={bundle} />],
          ['Made', <Time key="made" at={bundle.created_at} />],
          ['Last published', <Time key="published" at={bundle.published_at} />],
          ['Settings', `Version ${bundle.version}, privacy policy ${config.policy_version}`],
          ['Form', `${words(config.layout)}, ${words(config.position).toLowerCase()}, theme ${config.theme}`],
          ['Buttons', config.first_layer_buttons.map(words).join(', ')],
          ['Categories', config.categories.map(({ key }) => key).join(', ')],
          ['Languages', languageNames(bundle.languages)],
          ['Vendors', config.vendors],
          ['Size', `${(bundle.gzip_bytes / 1024).toFixed(1)} KiB compressed`],
          ['Address', bundle.immutable_url],
          ['Integrity', <code key="sri">{bundle.integrity}</code>],
        ]}
      />
    </Card>
  );
}
