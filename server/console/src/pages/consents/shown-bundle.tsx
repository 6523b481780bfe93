import type { Output } from '@avow/sdk';
import { FieldList, Time, words } from '../../ui';
import { PublishedBanner } from '../banner/published-banner';
import type { Proof } from './proof';

type Bundle = Output<'getBundleRecord'>;

/** The very script that the visitor's browser ran, running again in a frame that reaches nothing. */
export function ShownBundle({ proof: { language }, bundle }: { proof: Proof; bundle: Bundle }) {
  const { config, hash, created_at, integrity } = bundle;
  return (
    <div className="stack">
      <PublishedBanner key={hash} bundle={bundle} language={language} title="The banner as it was shown" />
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
