import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, ErrorState, FieldList, Loading, Time } from '../../ui';
import type { Proof } from './proof';
import { ShownBundle } from './shown-bundle';
import { ShownTexts } from './shown-texts';

/** What the visitor saw: the banner itself where the record names its bundle, else the texts of the settings in force. */
export function Shown({ proof }: { proof: Proof }) {
  return (
    <Card title="What was shown">
      <FieldList
        items={[
          [
            'Settings',
            <span key="version">
              Version {proof.shown.version}, in force since <Time at={proof.shown.created_at} />
            </span>,
          ],
          [
            'Bundle',
            proof.bundle_hash === null ? (
              'Not named by the record'
            ) : (
              <code key="hash">{proof.bundle_hash}</code>
            ),
          ],
        ]}
      />
      {proof.bundle_hash === null ? (
        <ShownTexts proof={proof} />
      ) : (
        <Banner proof={proof} hash={proof.bundle_hash} />
      )}
    </Card>
  );
}

function Banner({ proof, hash }: { proof: Proof; hash: string }) {
  const { token } = useSite();
  const bundle = useAnswer(keys.site(token, 'bundles', hash), (api, signal) =>
    api.getBundleRecord({ token, hash }, { signal }),
  );
  if (bundle.data !== undefined) return <ShownBundle proof={proof} bundle={bundle.data} />;
  if (bundle.error === null) return <Loading />;
  return (
    <>
      <ErrorState error={bundle.error} retry={() => bundle.refetch()} />
      <ShownTexts proof={proof} />
    </>
  );
}
