import type { StorageKind } from '../vendors/lifetime';
import { type Change, nextId, type Vendor } from '../vendors/list';
import type { Scan } from './state';

/** A cookie or another stored item that can be added to the vendor list. */
export type Found = Pick<
  Scan['cookies'][number],
  'name' | 'domain' | 'category' | 'vendor' | 'max_age_seconds'
> & { storage: StorageKind };

/** Other kinds of storage have no lifetime. */
export const asFound = ({ host, ...item }: Scan['stored_items'][number]): Found => ({
  ...item,
  domain: host,
  max_age_seconds: 0,
});

const kindOf = ({ storage = 'cookie' }: Pick<Vendor['cookies'][number], 'storage'>): StorageKind => storage;

/** The vendor for a cookie: a listed vendor's number, the name of a new one, or none. */
export interface Choice {
  wanted: boolean;
  category: string;
  /** `id:755`, or `new`. */
  vendor: string;
  newVendor: string;
}

/** The longest lifetime that the vendor list accepts, in seconds: ten years. */
const MAX_LIFETIME = 315_360_000;

const isListed = ({ name, storage }: Found, vendors: readonly Vendor[]): boolean =>
  vendors.some(({ cookies }) => cookies.some((one) => one.name === name && kindOf(one) === storage));

/** The proposal: everything that is not listed yet, with the category and vendor that the scan found. */
export function propose(
  cookie: Found,
  vendors: readonly Vendor[],
  categories: readonly { key: string; required: boolean }[],
): Choice {
  const known = vendors.find(({ name }) => name === cookie.vendor);
  const usual = categories.find(({ required }) => !required) ?? categories[0];
  return {
    wanted: !isListed(cookie, vendors),
    category: categories.some(({ key }) => key === cookie.category) ? cookie.category : (usual?.key ?? ''),
    vendor: known === undefined ? 'new' : `id:${known.id}`,
    newVendor: cookie.vendor ?? cookie.domain,
  };
}

const toListed = (
  { name, storage, domain, max_age_seconds }: Found,
  category: string,
): Vendor['cookies'][number] => ({
  ...(storage === 'cookie' ? {} : { storage }),
  name: name.slice(0, 200),
  domain,
  category,
  max_age_seconds: Math.min(Math.max(0, Math.round(max_age_seconds)), MAX_LIFETIME),
  description: null,
});

/** Adds each chosen item to its vendor. Items with the same new vendor name share one new vendor. */
export const adopt =
  (found: readonly Found[], choices: readonly Choice[]): Change =>
  (vendors) => {
    const next = vendors.map((vendor) => ({ ...vendor, cookies: [...vendor.cookies] }));
    choices.forEach(({ wanted, category, vendor, newVendor }, index) => {
      if (!wanted) return;
      const name = newVendor.trim();
      let target = next.find((one) => (vendor === 'new' ? one.name === name : vendor === `id:${one.id}`));
      if (target === undefined) {
        target = { ...emptyVendor(nextId(next), name) };
        next.push(target);
      }
      const listed = toListed(found[index] as Found, category);
      const others = target.cookies.filter(
        (one) => one.name !== listed.name || kindOf(one) !== kindOf(listed),
      );
      target.cookies = [...others, listed];
      if (!target.categories.includes(category)) target.categories = [...target.categories, category];
    });
    return next;
  };

const emptyVendor = (id: number, name: string): Vendor => ({
  ...{ id, name, purposes: [], leg_int_purposes: [], categories: [], urls: [], cookies: [] },
  ...{ data_retention_days: null, country: null, transfer_safeguard: null },
});
