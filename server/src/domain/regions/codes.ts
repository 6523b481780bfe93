import { LAWS } from './laws';
import data from './time-zones.data.json';

const ZONES: Readonly<Record<string, readonly string[]>> = data.zones;

/** ISO 3166-1: the countries of the tz database, and the two that nobody lives in. */
const COUNTRIES: ReadonlySet<string> = new Set([...Object.keys(ZONES), 'BV', 'HM']);

/** ISO 3166-2 where laws differ within a country. Alberta and British Columbia have no row. */
const STATES: ReadonlySet<string> = new Set([
  ...LAWS.flatMap(({ regions }) => regions.filter((region) => region.includes('-'))),
  ...['CA-AB', 'CA-BC'],
]);

const COUNTRIES_WITH_STATES: ReadonlySet<string> = new Set([...STATES].map((state) => countryOf(state)));

/** Every region that a rule can be for. */
export const REGIONS: readonly string[] = [...COUNTRIES, ...STATES].sort();

export const isRegion = (code: string): boolean => COUNTRIES.has(code) || STATES.has(code);

/** A region's country. */
export function countryOf(region: string): string {
  return region.slice(0, 2);
}

/**
 * The region of a country and a part of it, as proxies and databases write them: `us` and `CA`, or `US-CA`. Parts that
 * no law tells apart are dropped: nobody needs to know them. Undefined for no country, such as `XX` or `T1`.
 */
export function regionOf(country: string | undefined, part?: string): string | undefined {
  const code = country?.trim().toUpperCase();
  if (code === undefined || !COUNTRIES.has(code)) return undefined;
  if (!COUNTRIES_WITH_STATES.has(code)) return code;
  const state = part?.trim().toUpperCase().replace(`${code}-`, '');
  return state !== undefined && STATES.has(`${code}-${state}`) ? `${code}-${state}` : code;
}

const countryByZone = new Map(
  Object.entries(ZONES).flatMap(([country, zones]) => zones.map((zone) => [zone, country] as const)),
);

/** The country of a time zone (IANA); undefined for `UTC`, and for what is none. */
export const countryOfZone = (zone: string): string | undefined => countryByZone.get(zone);
