/** The languages whose banner texts the product itself has, as primary subtags (BCP 47). */
export const BUILT_IN_LANGUAGES: ReadonlySet<string> = new Set(
  'ar bg cs da de el en es et fi fr ga he hr hu is it ja ko lt lv mt nb nl pl pt ro sk sl sv tr uk zh'.split(
    ' ',
  ),
);

/** Norwegian without a form, and Nynorsk: both are best served by the built-in texts, which are Bokmål. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
]);

/**
 * The tags whose texts can be used for a language, best first: `zh-Hant-TW` gives `zh-Hant-TW`, `zh-Hant` and
 * `zh`.
 */
export function tagsOf(language: string): string[] {
  const parts = language.split('-');
  const tags = parts.map((_, at) => parts.slice(0, parts.length - at).join('-'));
  const alias = ALIASES.get(parts[0] as string);
  return alias === undefined ? tags : [...tags, alias];
}
