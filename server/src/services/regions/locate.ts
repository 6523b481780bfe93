import type { Config } from '../../config';
import { countryOfZone, regionOf } from '../../domain/regions/codes';
import type { RegionSource } from '../../domain/types';
import type { RegionDatabase } from './database';

/** What a request tells of where its visitor is. */
export interface Traces {
  /** A header that a trusted proxy has sent on; undefined from everybody else. */
  proxyHeader(name: string): string | undefined;
  /** The whole address: for the look-up only. */
  address: string;
  /** As the browser gives it. */
  timeZone: string | undefined;
}

export interface Located {
  region: string | null;
  source: RegionSource | null;
}

/** Where a visitor is: what comes first, and knows it, counts. */
export async function locate(
  { config, regions }: { config: Pick<Config, 'regionHeader'>; regions: RegionDatabase | undefined },
  { proxyHeader, address, timeZone }: Traces,
): Promise<Located> {
  const { regionHeader: header } = config;
  const told = header && regionOf(proxyHeader(header.country), header.part && proxyHeader(header.part));
  if (told !== undefined) return { region: told, source: 'header' };
  const found = await regions?.regionOf(address);
  if (found !== undefined) return { region: found, source: 'database' };
  const country = timeZone === undefined ? undefined : countryOfZone(timeZone);
  return country === undefined ? { region: null, source: null } : { region: country, source: 'time_zone' };
}
