import WORDS from './pack-words.data.json';

/** The words of the page in a pack. */
export type PackWords = (typeof WORDS)['en'] & { lang: string };

const languages: Record<string, (typeof WORDS)['en']> = WORDS;

/** In the language of a site; English where there is no translation. */
export function packWords(language: string): PackWords {
  const [main = ''] = language.split('-');
  const lang = Object.hasOwn(languages, main) ? main : 'en';
  return { lang, ...(languages[lang] as (typeof WORDS)['en']) };
}

/** A sentence with its gaps filled. */
export const filled = (sentence: string, values: Record<string, string>): string =>
  sentence.replace(/{(\w+)}/g, (gap, name: string) => values[name] ?? gap);
