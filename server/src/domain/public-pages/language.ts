import Negotiator from 'negotiator';
import { tagsOf } from '../banner/languages';
import type { Settings } from '../types';

/** Characters: browsers send fewer, and the time to read the header grows faster than its length. */
const MAX_HEADER = 256;
/** Tags that are looked at: nobody reads more languages. */
const MAX_ACCEPTED = 16;
/** Characters that every tag in use has room in (RFC 5646 § 4.4.1). */
const MAX_TAG = 35;

/** The languages of a site, its default first. */
const languagesOf = ({
  default_language,
  languages,
}: Pick<Settings, 'default_language' | 'languages'>): string[] => [
  ...new Set([default_language, ...languages]),
];

/** In its usual letter case, as the contract has it; undefined for what is no language tag. */
function canonical(tag: string): string | undefined {
  if (tag.length > MAX_TAG) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/**
 * Finds that of the languages which a reader of another understands best: `zh-Hant` for `zh-TW`, `de-AT` for `de`. What
 * they are read as is found once, however many are asked for.
 */
function nearestOf(languages: readonly string[]): (wanted: string) => string | undefined {
  let known: { one: string; tags: string[] }[] | undefined;
  return (wanted) => {
    const tag = canonical(wanted);
    if (tag === undefined) return undefined;
    const forms = tagsOf(tag);
    const exact = forms.find((form) => languages.includes(form));
    if (exact !== undefined) return exact;
    known ??= languages.map((one) => ({ one, tags: tagsOf(one) }));
    return known.find(({ tags }) => tags.some((form) => forms.includes(form)))?.one;
  };
}

/** What a reader asks for: by the address of the page, and by the browser. */
export interface Wanted {
  lang?: unknown;
  accept?: string | undefined;
}

/** The language of the site that a reader is shown: the one asked for, then the browser's, then the default. */
export function chooseLanguage(
  settings: Pick<Settings, 'default_language' | 'languages'>,
  { lang, accept }: Wanted,
): string {
  const nearest = nearestOf(languagesOf(settings));
  const asked = typeof lang === 'string' ? [lang] : [];
  for (const tag of [...asked, ...acceptedLanguages(accept)]) {
    const found = nearest(tag);
    if (found !== undefined) return found;
  }
  return settings.default_language;
}

/** The first tags of `Accept-Language`, the dearest first (RFC 9110 § 12.5.4); none of a header that is too long. */
export function acceptedLanguages(header = ''): string[] {
  if (header.length > MAX_HEADER) return [];
  const tags = new Negotiator({ headers: { 'accept-language': header } }).languages();
  return tags.filter((tag) => tag !== '*').slice(0, MAX_ACCEPTED);
}
