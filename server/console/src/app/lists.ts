/** What was typed into one field, as a list: parts between commas, spaces or line ends. */
export const toList = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

/** The lines of a field, without empty ones. */
export const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Languages that the banner has texts for; in others the owner writes them. */
export const BUILT_IN_LANGUAGES =
  'ar bg cs da de el en es et fi fr ga he hr hu is it ja ko lt lv mt nb nl pl pt ro sk sl sv tr uk zh'.split(
    ' ',
  );

/** Names of languages for people: German, English. */
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

/** Every time zone that the browser knows, with UTC. */
export const timeZones = (): (readonly [string, string])[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map(
    (zone) => [zone, zone.replaceAll('_', ' ')] as const,
  );
