import { keys, type Schemas, usePages } from '../../app/data';
import { useSite } from '../../app/site';
import { Alert, Card, EmptyState, ErrorState, Loading } from '../../ui';
import { PublishedBanner } from './published-banner';

/** Shown to users who may not edit: what visitors get now. */
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
  const other = bundles.rows.find((row) => row.current && row.test_version === 'b');
  return (
    <>
      <Alert>
        Only owners can change the banner. This is what visitors see now
        {other === undefined
          ? '.'
          : ': an A/B test is running, and each page view is shown one of two versions.'}
      </Alert>
      <Shown bundle={current} title={other === undefined ? 'The current banner' : 'Version A'} />
      {other !== undefined && <Shown bundle={other} title="Version B" />}
    </>
  );
}

function Shown({ bundle, title }: { bundle: Schemas['Bundle']; title: string }) {
  return (
    <Card title={title}>
      <PublishedBanner key={bundle.hash} bundle={bundle} title={title} />
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
