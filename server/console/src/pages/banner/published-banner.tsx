import { useState } from 'react';
import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';
import { QueryState } from '../../ui';
import { LanguageSelect } from '../../ui/language-select';
import { PreviewFrame } from '../../ui/preview-frame';

type Texts = Record<string, Schemas['BundleTexts']>;

/** The banner of one bundle as it was published. Nothing in it comes from the current settings. */
export function PublishedBanner({
  bundle: { hash, languages },
  language: first,
  title,
  onShown,
}: {
  bundle: Pick<Schemas['Bundle'], 'hash' | 'languages'>;
  /** The visitor's language, shown first if the bundle has it. Default: the bundle's first. */
  language?: string;
  title: string;
  /** Called when the banner is shown. */
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
 * The language that the banner's script chooses for a visitor: the same one, or one with the same base, or
 * the first.
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
