import { useEffect, useState } from 'react';
import type { Schemas } from '../../app/data';
import { fieldErrors } from '../../app/errors';
import { languageNames } from '../../app/lists';
import { useSite } from '../../app/site';
import { Card, Select } from '../../ui';
import type { Editor } from './draft';
import { GROUPS } from './text-fields';
import { TextGroup } from './text-group';
import { FieldWarnings } from './warnings';

const TEXTS = 'settings.banner.texts.';

type OwnTexts = Schemas['BannerTexts'];
type CategoryTexts = Schemas['CategoryTexts'];

/** The texts by language. An empty field shows the built-in text in grey. */
export function Texts({
  editor,
  shown,
  onLanguage,
  error,
}: {
  editor: Editor;
  shown: Record<string, Schemas['BundleTexts']> | undefined;
  onLanguage: (language: string) => void;
  /** The error of the last save; selects the language that it names. */
  error: Error | null;
}) {
  const { settings } = useSite();
  const { languages, default_language, banner } = editor.value;
  const [chosen, setChosen] = useState(default_language);
  const language = languages.includes(chosen) ? chosen : default_language;
  const refused = fieldErrors(error)
    .find(({ path }) => path.startsWith(TEXTS))
    ?.path.slice(TEXTS.length);
  const refusedLanguage = refused?.split('.')[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: each error is a new answer
  useEffect(() => {
    if (refusedLanguage === undefined) return;
    setChosen(refusedLanguage);
    onLanguage(refusedLanguage);
  }, [error]);
  const own = banner.texts[language] ?? {};
  const usual = shown?.[language];
  const path = `settings.banner.texts.${language}`;
  const set = (texts: OwnTexts) => editor.setBanner({ texts: put(banner.texts, language, clean(texts)) });
  const setCategory = (key: string, part: CategoryTexts) =>
    set({ ...own, categories: put(own.categories ?? {}, key, clean({ ...own.categories?.[key], ...part })) });
  return (
    <Card title="Texts">
      <p className="muted">For empty fields, the banner uses Avow’s own texts, shown in grey.</p>
      <Select
        label="Texts in"
        isRequired
        options={languages.map((tag) => [tag, languageNames([tag])] as const)}
        value={language}
        onChange={(tag) => {
          setChosen(tag);
          onLanguage(tag);
        }}
      />
      <FieldWarnings of="settings.banner.texts" />
      {GROUPS.map(([title, fields]) => (
        <TextGroup
          key={title}
          title={title}
          path={path}
          fields={fields}
          own={own}
          usual={usual}
          onChange={(part) => set({ ...own, ...part })}
        />
      ))}
      {settings.categories.map(({ key, name }) => (
        <TextGroup
          key={key}
          title={`Category: ${name}`}
          path={`${path}.categories.${key}`}
          fields={CATEGORY_FIELDS}
          own={own.categories?.[key] ?? {}}
          usual={usual?.categories[key]}
          onChange={(part) => setCategory(key, part)}
        />
      ))}
    </Card>
  );
}

const CATEGORY_FIELDS = [
  ['name', 'Name', 100],
  ['description', 'Description', 1000],
] as const;

/** Without empty texts, for which the built-in ones are used. */
const clean = <Texts extends object>(texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '' && text !== undefined)) as Texts;

/** Replaces one entry of a record, or removes it if it is empty. */
function put<Entry extends object>(
  all: Record<string, Entry>,
  key: string,
  entry: Entry,
): Record<string, Entry> {
  const { [key]: _, ...others } = all;
  return Object.keys(entry).length === 0 ? others : { ...others, [key]: entry };
}
