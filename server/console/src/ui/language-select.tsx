import { languageNames } from '../app/lists';
import { Select } from './fields';

/** Selects a language to show something in; nothing if there is only one. */
export function LanguageSelect({
  languages,
  value,
  onChange,
}: {
  languages: readonly string[];
  value: string;
  onChange: (language: string) => void;
}) {
  if (languages.length < 2) return null;
  return (
    <Select
      label="Language"
      isRequired
      options={languages.map((tag) => [tag, languageNames([tag])] as const)}
      value={value}
      onChange={onChange}
    />
  );
}
