import { useState } from 'react';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { languageNames } from '../../app/lists';
import { useSite } from '../../app/site';
import { QueryState, Select } from '../../ui';
import { PreviewFrame } from '../../ui/preview-frame';

type Texts = Record<string, Schemas['BundleTexts']>;

/** Everything that the banner of one bundle says and does, as it was published: nothing of it comes from the present settings. */
export function PublishedBanner({
  bundle: { hash, languages },
  language: first,
  title,
}: {
  bundle: Pick<Schemas['Bundle'], 'hash' | 'languages'>;
  /** The language that is shown at first; default: the bundle's. */
  language?: string;
  title: string;
}) {
  const { token } = useSite();
  const usual = languages[0] ?? 'en';
  const [language, setLanguage] = useState(first !== undefined && languages.includes(first) ? first : usual);
  const bundle = { token, hash };
  const parts = useAnswer(keys.site(token, 'bundles', hash, 'parts', language), async (api, signal) => {
    const [script, { vendors }, { texts }] = await Promise.all([
      api.getBundleVersion(bundle, { signal }).then((answer) => answer.text()),
      api.getBundleVendors(bundle, { signal }),
      api.getBundleTexts({ ...bundle, language }, { signal }),
    ]);
    return { script, vendors, texts: { [language]: texts } satisfies Texts };
  });
  return (
    <div className="stack">
      <QueryState query={parts}>
        {({ script, vendors, texts }) => (
          <PreviewFrame script={script} language={language} vendors={vendors} texts={texts} title={title} />
        )}
      </QueryState>
      {languages.length > 1 && (
        <Select
          label="Language"
          isRequired
          options={languages.map((tag) => [tag, languageNames([tag])] as const)}
          value={language}
          onChange={setLanguage}
        />
      )}
    </div>
  );
}
