import type { Cmp } from '../tcf/bundle';
import type { BundleGpp, Category, GppSettings } from '../types';
import type { ACTIVITIES } from './settings';

/** Who is registered nowhere: US sections ask for no registration (IAB Tech Lab, CMP API 1.1, "What is CMP ID?"). */
const UNREGISTERED = 1;

/** GPP's part of a bundle: everything that its visitors' strings say but their own choice. */
export function bundleGpp(
  settings: GppSettings,
  categories: readonly Category[],
  cmp: Cmp | undefined,
): BundleGpp {
  const { sections, mspa, notices } = settings;
  const optional = categories.filter(({ required }) => !required).map(({ key }) => key);
  const keysOf = (activity: (typeof ACTIVITIES)[number]): string[] | null =>
    settings[activity] ? (settings.categories?.[activity] ?? optional) : null;
  return {
    cmp_id: cmp?.id ?? UNREGISTERED,
    sections,
    ...(notices === true && { notices }),
    ...(mspa && { mspa }),
    sale: keysOf('sale'),
    sharing: keysOf('sharing'),
    targeted_advertising: keysOf('targeted_advertising'),
  };
}
