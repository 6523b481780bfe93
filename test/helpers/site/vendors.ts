import type { Input } from '@avow/sdk';

type Vendor = Input<'replaceVendors'>['body']['vendors'][number];

/** A vendor of analytics with a name of its own. */
export const vendor = (id: number, name: string, given: Partial<Vendor> = {}): Vendor => ({
  ...{ id, name, purposes: [], leg_int_purposes: [], categories: ['analytics'], urls: [], cookies: [] },
  ...given,
});
