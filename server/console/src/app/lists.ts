/** Splits the text of a field at commas, semicolons, spaces and line ends. */
export const toList = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

/** The lines of a field, without empty ones. */
export const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** From the file names of `sdk/banner/texts`, by the build. */
declare const __BANNER_LANGUAGES__: readonly string[];

/** Languages for which the banner has texts. For others the owner writes them. */
export const BUILT_IN_LANGUAGES = __BANNER_LANGUAGES__;

/** The English names of languages: German, English. */
export function languageNames(tags: readonly string[]): string {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
  return tags
    .map((tag) => {
      try {
        return names.of(tag) ?? tag;
      } catch {
        return tag;
      }
    })
    .join(', ');
}

/** All time zones that the browser knows, and UTC. */
export const timeZones = (): (readonly [string, string])[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map(
    (zone) => [zone, zone.replaceAll('_', ' ')] as const,
  );
