/** What was typed into one field, as a list: parts between commas, spaces or line ends. */
export const toList = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

/** The lines of a field, without empty ones. */
export const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

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
