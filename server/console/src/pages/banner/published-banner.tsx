import { useState } from 'react';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { QueryState } from '../../ui';
import { LanguageSelect } from '../../ui/language-select';
import { PreviewFrame } from '../../ui/preview-frame';

type Texts = Record<string, Schemas['BundleTexts']>;

/**
 * Everything that the banner of one bundle says and does, as it was published: nothing of it comes from the
 * present settings.
 */
export function PublishedBanner({
  bundle: { hash, languages },
  language: first,
  title,
  onShown,
}: {
  bundle: Pick<Schemas['Bundle'], 'hash' | 'languages'>;
  /** The visitor's language, shown at first where the bundle has it; default: the bundle's first. */
  language?: string;
  title: string;
  /** Called when the banner stands, or cannot. */
  onShown?: () => void;
}) {
  const { token } = useSite();
  const [language, setLanguage] = useState(() => shownLanguage(languages, first));
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
      <QueryState
        query={parts}
        loading={<PreviewFrame script={undefined} language={language} title={title} />}
      >
        {({ script, vendors, texts }) => (
          <PreviewFrame
            script={script}
            language={language}
            vendors={vendors}
            texts={texts}
            title={title}
            onShown={onShown}
          />
        )}
      </QueryState>
      <LanguageSelect languages={languages} value={language} onChange={setLanguage} />
    </div>
  );
}

/**
 * The language that the banner's script takes for a visitor's: the same, else one of the same base, else the
 * first.
 */
function shownLanguage(languages: readonly string[], asked = ''): string {
  const base = (tag: string) => tag.toLowerCase().split('-')[0];
  return (
    languages.find((one) => one.toLowerCase() === asked.toLowerCase()) ??
    languages.find((one) => base(one) === base(asked)) ??
    languages[0] ??
    'en'
  );
}
