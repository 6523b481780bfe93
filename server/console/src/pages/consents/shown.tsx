import type { Output } from '@avow/sdk';
import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { Card, ErrorState, FieldList, Loading, Time, words } from '../../ui';
import { PublishedBanner } from '../banner/published-banner';
import type { Proof } from './facts';
import { ShownTexts } from './shown-texts';

/**
 * What the visitor saw: the banner itself if the record names its bundle, otherwise the texts of the settings
 * in force.
 */
export function Shown({ proof, onShown }: { proof: Proof; onShown: () => void }) {
  const version = proof.shown_bundle?.test_version ?? null;
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
              'Not recorded'
            ) : (
              <span key="hash">
                <code>{proof.bundle_hash}</code>
                {bundleDoubt(proof)}
              </span>
            ),
          ],
          ...(version === null
            ? []
            : [
                [
                  'A/B test',
                  version === 'a'
                    ? 'Version A of the banner'
                    : 'Version B of the banner, which visitors load with the script of version A',
                ] as const,
              ]),
        ]}
      />
      {proof.bundle_hash === null || proof.shown_bundle === null ? (
        <ShownTexts proof={proof} />
      ) : (
        <Banner proof={proof} hash={proof.bundle_hash} onShown={onShown} />
      )}
    </Card>
  );
}

/** What a sender claims of the bundle may be wrong. */
function bundleDoubt({ shown_bundle }: Proof): string {
  if (shown_bundle === null) return ', as the sender claimed: this site never had it';
  return shown_bundle.matches_shown
    ? ''
    : ', as the sender claimed: it asked for other categories or another policy than the version of the record';
}

function Banner({ proof, hash, onShown }: { proof: Proof; hash: string; onShown: () => void }) {
  const { token } = useSite();
  const bundle = useAnswer(keys.site(token, 'bundles', hash), (api, signal) =>
    api.getBundleRecord({ token, hash }, { signal }),
  );
  if (bundle.data !== undefined) {
    return <ShownBundle proof={proof} bundle={bundle.data} onShown={onShown} />;
  }
  if (bundle.error === null) return <Loading />;
  return (
    <>
      <ErrorState error={bundle.error} retry={() => bundle.refetch()} />
      <ShownTexts proof={proof} />
    </>
  );
}

type Bundle = Output<'getBundleRecord'>;

/** Runs the same script that the visitor's browser ran, in a frame without network access. */
export function ShownBundle({
  proof: { language },
  bundle,
  onShown,
}: {
  proof: Proof;
  bundle: Bundle;
  onShown?: () => void;
}) {
  const { config, hash, created_at, integrity } = bundle;
  return (
    <div className="stack">
      <PublishedBanner
        key={hash}
        bundle={bundle}
        language={language}
        title="The banner as it was shown"
        onShown={onShown}
      />
      <FieldList
        items={[
          ['Generated', <Time key="at" at={created_at} />],
          ['Integrity', <code key="sri">{integrity}</code>],
          ['Form', `${words(config.layout)}, ${words(config.position).toLowerCase()}`],
          ['First layer', config.first_layer_buttons.map(words).join(', ')],
        ]}
      />
    </div>
  );
}
