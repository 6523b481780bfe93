import { keys, type Schemas, usePages } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, EmptyState, ErrorState, Loading } from '../../ui';
import { PublishedBanner } from './published-banner';

/** The banner that visitors get now. */
export function PublishedPane() {
  const bundles = useBundles();
  if (bundles.isPending) return <Loading />;
  if (bundles.error !== null && bundles.rows.length === 0) {
    return <ErrorState error={bundles.error} retry={() => bundles.refetch()} />;
  }
  const current = presentOf(bundles.rows);
  if (current === undefined) {
    return <EmptyState title="No banner is published yet">An owner of this site can publish one.</EmptyState>;
  }
  return (
    <Card title="The current banner">
      <PublishedBanner key={current.hash} bundle={current} title="The current banner" />
    </Card>
  );
}

/** What the snippet loads: beside it visitors of an A/B test are shown version B, whose bundle no page loads. */
export const presentOf = (rows: readonly Schemas['Bundle'][]): Schemas['Bundle'] | undefined =>
  rows.find(({ current, test_version }) => current && test_version !== 'b');

/** All bundles of the site, newest first. */
export function useBundles() {
  const { token } = useSite();
  return usePages(keys.site(token, 'bundles', 'list'), (api, cursor, signal) =>
    api.listBundles({ token, ...cursor }, { signal }),
  );
}
