/** Coarse words of a User-Agent, the more particular first: many browsers also name those that they descend from. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari/', 'Safari'],
  ['avow-sdk', 'Avow SDK'],
  ['curl/', 'curl'],
] as const;

const SYSTEMS = [
  ['Windows', 'Windows'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** What a device is called to its person: `Firefox on Windows`. Never what tells two people's devices apart. */
export function deviceOf(userAgent: string | null): string {
  const find = (words: readonly (readonly [string, string])[]): string | undefined =>
    words.find(([part]) => userAgent?.includes(part))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return system ?? 'Unknown device';
  return system === undefined ? browser : `${browser} on ${system}`;
}
