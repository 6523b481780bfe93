import { resolve } from 'node:path';
import { type RegionHeader, regionHeader } from './readers';
import { variable } from './variable';

/** How the server knows where visitors are. */
export const REGION_VARIABLES = {
  regionHeader: variable<RegionHeader | undefined>(
    'REGION_HEADER',
    regionHeader,
    undefined,
    "headers in which the CDN names a visitor's country and state; counts from proxies of TRUST_PROXY alone",
    { family: 'REGION_' },
  ),
  /** The path of an MMDB file. */
  regionDatabase: variable<string | undefined>(
    'REGION_DATABASE',
    (path) => resolve(path),
    undefined,
    "an MMDB file (Country or City) in which visitors' addresses are looked up; read again when it changes",
    { family: 'REGION_' },
  ),
};
