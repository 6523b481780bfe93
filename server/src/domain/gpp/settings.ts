import type { GppSettings, Settings } from '../types';

/** What a site may do with data that a US visitor can opt out of. */
export const ACTIVITIES = [
  'sale',
  'sharing',
  'targeted_advertising',
] as const satisfies readonly (keyof GppSettings)[];

interface Fault {
  path: string;
  message: string;
}

/** What a schema cannot say of GPP's settings: paths in the settings, and what to do. */
export function gppFaults({
  gpp,
  regions,
  categories,
}: Pick<Settings, 'gpp' | 'regions' | 'categories'>): Fault[] {
  if (gpp == null) return [];
  const faults: Fault[] = [];
  if (regions == null)
    faults.push({
      path: 'gpp',
      message:
        'needs rules by region, which say where visitors may opt out: set regions to {"rules": "law"} (in the console under Banner, Regions), or gpp to null',
    });
  if (gpp.mspa === 'service_provider' && ACTIVITIES.some((activity) => gpp[activity]))
    faults.push({
      path: 'gpp.mspa',
      message:
        'a site in service provider mode neither sells, shares nor targets advertising: set sale, sharing and targeted_advertising to false, or take another mode',
    });
  const optional = categories.filter(({ required }) => !required).map(({ key }) => key);
  for (const activity of ACTIVITIES) {
    const keys = gpp.categories?.[activity];
    if (keys !== undefined && !gpp[activity])
      faults.push({
        path: `gpp.categories.${activity}`,
        message: `is for what the site does not do: set ${activity} to true, or leave it out here`,
      });
    if (gpp[activity] && optional.length === 0)
      faults.push({
        path: `gpp.${activity}`,
        message:
          'needs a category that is not required, by which visitors can opt out: add one, or set it to false',
      });
    else faults.push(...keyFaults(`gpp.categories.${activity}`, keys ?? [], optional));
  }
  return faults;
}

const keyFaults = (path: string, keys: readonly string[], optional: readonly string[]): Fault[] =>
  keys.flatMap((key, index) => {
    if (!optional.includes(key))
      return [
        {
          path: `${path}.${index}`,
          message: `${key} is no category that visitors can refuse: give one of ${optional.join(', ')}`,
        },
      ];
    return keys.indexOf(key) < index
      ? [{ path: `${path}.${index}`, message: `the category ${key} is listed twice: give it once` }]
      : [];
  });
