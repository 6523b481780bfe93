import { useState } from 'react';
import type { Schemas } from '../../app/data';
import { languageNames } from '../../app/lists';
import { useSite } from '../../app/site';
import { Card, Select, TextArea, TextField } from '../../ui';
import type { TestDraft } from './version-b';

/** The texts of the first layer that may differ; what is empty is as in version A, which is shown in grey. */
export function Texts({
  texts,
  usual,
  onChange,
}: {
  texts: TestDraft['texts'];
  /** Of version A, by language. */
  usual: Record<string, Schemas['BundleTexts']> | undefined;
  onChange: (texts: TestDraft['texts']) => void;
}) {
  const { languages, default_language } = useSite().settings;
  const [chosen, choose] = useState(default_language);
  const language = languages.includes(chosen) ? chosen : default_language;
  const own = texts[language] ?? {};
  const set = (part: Schemas['FirstLayerTexts']) => {
    const { [language]: _, ...others } = texts;
    const left = Object.entries({ ...own, ...part }).filter(([, text]) => text !== '');
    onChange(left.length === 0 ? others : { ...others, [language]: Object.fromEntries(left) });
  };
  const path = `settings.banner_test.banner.texts.${language}`;
  return (
    <Card title="Texts of version B">
      <p className="muted">
        For empty fields, version B has the texts of version A, shown in grey. The labels of buttons cannot
        differ.
      </p>
      <Select
        label="Texts in"
        isRequired
        options={languages.map((tag) => [tag, languageNames([tag])] as const)}
        value={language}
        onChange={choose}
      />
      <TextField
        label="Heading"
        name={`${path}.title`}
        value={own.title ?? ''}
        onChange={(title) => set({ title })}
        placeholder={usual?.[language]?.title ?? ''}
        maxLength={200}
      />
      <TextArea
        label="Text"
        name={`${path}.description`}
        value={own.description ?? ''}
        onChange={(description) => set({ description })}
        placeholder={usual?.[language]?.description ?? ''}
        maxLength={4000}
        rows={5}
      />
    </Card>
  );
}
