import type { Config } from '../../src/config';
import { ageOf, openDatabase } from '../../src/services/regions/database';
import { broken, type Check, type Finding, fine, warning } from './finding';

/** Days after which addresses have moved on. */
const OLD = 60;
/** The kinds of files that say countries. */
const KINDS = /Country|City|Enterprise/i;

/** How the server knows where visitors are. */
export const checkRegions: Check = async (config) => [
  ...checkHeader(config),
  ...(config.regionDatabase === undefined ? [] : [await checkDatabaseFile(config.regionDatabase)]),
  ...(config.regionHeader === undefined && config.regionDatabase === undefined
    ? [fine('Regions: by the time zone of browsers, which tells no states')]
    : []),
];

function checkHeader({ regionHeader: header, trustProxy }: Config): Finding[] {
  if (header === undefined) return [];
  const names = header.part === undefined ? header.country : `${header.country} and ${header.part}`;
  if (trustProxy === false)
    return [
      warning(
        `Regions: the header ${names} is ignored, because TRUST_PROXY is off`,
        'set TRUST_PROXY to the proxies that send it',
      ),
    ];
  return [
    fine(`Regions: by the header ${names} of trusted proxies; see that they overwrite what clients send`),
  ];
}

async function checkDatabaseFile(path: string): Promise<Finding> {
  try {
    const reader = await openDatabase(path);
    const { databaseType } = reader.metadata;
    if (!KINDS.test(databaseType))
      return broken(
        `Regions: ${path} is a ${databaseType} file, which names no countries`,
        'set REGION_DATABASE to a Country or City file',
      );
    const days = ageOf(reader);
    const text = `Regions: by the file ${path} (${databaseType}, ${days} days old)`;
    return days > OLD
      ? warning(text, 'replace it by a newer one; the server takes it by itself')
      : fine(text);
  } catch (error) {
    return broken(
      `Regions: ${path} cannot be read (${(error as Error).message})`,
      'set REGION_DATABASE to an unpacked MMDB file that this user may read',
    );
  }
}
