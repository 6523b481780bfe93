/** The languages whose banner texts the product itself has (BCP 47). */
export const BUILT_IN_LANGUAGES: ReadonlySet<string> = new Set(
  'ar bg cs da de el en es et fi fr ga he hr hu is it ja ko lt lv mt nb nl pl pt pt-BR ro sk sl sv tr uk zh zh-Hant'.split(
    ' ',
  ),
);

/** Norwegian without a form, and Nynorsk: both are best served by the built-in texts, which are Bokmål. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
]);

/** Written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he']);

/** @param tag one of the built-in languages */
export const isRightToLeft = (tag: string): boolean => RIGHT_TO_LEFT.has(tag);

/** Parts of a tag that are looked at: each gives a tag as long as all before it. */
const MAX_PARTS = 8;

/**
 * The tags whose texts can be used for a language, best first: `zh-Hant-TW` gives `zh-Hant-TW`, `zh-Hant` and
 * `zh`, and so does `zh-TW`, which is written in that script.
 */
export function tagsOf(language: string): string[] {
  const parts = language.split('-', MAX_PARTS);
  const base = parts[0] as string;
  const tags = parts.map((_, at) => parts.slice(0, parts.length - at).join('-'));
  const script = scriptOf(parts.join('-'));
  // Before the base, unless that is what was asked for.
  if (script !== undefined) tags.splice(Math.max(1, tags.length - 1), 0, `${base}-${script}`);
  const alias = ALIASES.get(base);
  return [...new Set(alias === undefined ? tags : [...tags, alias])];
}

/** The language among the keys of `texts` that is nearest; English where none is. */
export const nearestTag = (language: string, texts: object): string =>
  tagsOf(language).find((tag) => Object.hasOwn(texts, tag)) ?? 'en';

/** The script that a language is written in, as far as it is known. */
function scriptOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().script;
  } catch {
    // Not every tag of the right form is a valid one.
    return undefined;
  }
}
