/** The languages whose banner texts the product itself has, as primary subtags (BCP 47). */
export const BUILT_IN_LANGUAGES: ReadonlySet<string> = new Set(
  'ar bg cs da de el en es et fi fr ga he hr hu is it ja ko lt lv mt nb nl pl pt ro sk sl sv tr uk zh'.split(
    ' ',
  ),
);

/** Whether the banner can speak a language without texts of the owner's: `pt-BR` is spoken with the texts of `pt`. */
export const isBuiltIn = (language: string): boolean =>
  BUILT_IN_LANGUAGES.has(language.split('-', 1)[0] as string);
