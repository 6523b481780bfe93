import { languageNames } from '../app/lists';
import { Select } from './fields';

/** In which language something is shown; nothing where there is no choice. */
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
