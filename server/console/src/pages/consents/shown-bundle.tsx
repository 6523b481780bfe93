import type { Avow, Output } from '@avow/sdk';
import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { FieldList, QueryState, Time, words } from '../../ui';
import { PreviewFrame } from '../../ui/preview-frame';
import type { Proof } from './proof';

type Bundle = Output<'getBundleRecord'>;

/** The very script that the visitor's browser ran, running again in a frame that reaches nothing. */
export function ShownBundle({ proof, bundle }: { proof: Proof; bundle: Bundle }) {
  const { token } = useSite();
  const { config, hash } = bundle;
  const files = useAnswer(keys.site(token, 'bundles', hash, 'files', proof.language), (api, signal) =>
    read(api, token, bundle, proof.language, signal),
  );
  return (
    <div className="stack">
      <QueryState query={files}>
        {(found) => <PreviewFrame {...found} language={proof.language} title="The banner as it was shown" />}
      </QueryState>
      <FieldList
        items={[
          ['Generated', <Time key="at" at={bundle.created_at} />],
          ['Integrity', <code key="sri">{bundle.integrity}</code>],
          ['Form', `${words(config.layout)}, ${words(config.position).toLowerCase()}`],
          ['First layer', config.first_layer_buttons.map(words).join(', ')],
        ]}
      />
    </div>
  );
}

/** The script, and what it would ask the server for: the frame cannot. */
async function read(
  api: Avow,
  token: string,
  { hash, config }: Bundle,
  language: string,
  signal: AbortSignal,
) {
  const path = { token, hash };
  const isElsewhere = config.languages.includes(language) && config.texts[language] === undefined;
  const [script, { vendors }, text] = await Promise.all([
    api.getBundleVersion(path, { signal }).then((response) => response.text()),
    api.getBundleVendors(path, { signal }),
    isElsewhere ? api.getBundleTexts({ ...path, language }, { signal }) : undefined,
  ]);
  return { script, vendors, texts: text === undefined ? {} : { [language]: text.texts } };
}
