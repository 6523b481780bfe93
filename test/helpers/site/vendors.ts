import type { Input } from '@avow/sdk';

type Vendor = Input<'replaceVendors'>['body']['vendors'][number];

/** A vendor of analytics with a name of its own. */
export const vendor = (id: number, name: string, given: Partial<Vendor> = {}): Vendor => ({
  ...{ id, name, purposes: [], leg_int_purposes: [], categories: ['analytics'], urls: [], cookies: [] },
  ...given,
});

/** A list with one vendor in two categories, and two that nobody is asked about by itself. */
export const ASKED_LIST = [
  { ...vendor(1201, 'Plays'), categories: ['marketing'] },
  { ...vendor(755, 'Ads and Counts'), categories: ['necessary', 'marketing', 'analytics'] },
  { ...vendor(12, 'Hosts'), categories: ['necessary'] },
  { ...vendor(13, 'Nowhere'), categories: [] },
];

/** What visitors are asked about it. */
export const ASKED = [
  { id: 755, name: 'Ads and Counts', categories: ['analytics', 'marketing'] },
  { id: 1201, name: 'Plays', categories: ['marketing'] },
];
