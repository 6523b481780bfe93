import type { StorageKind } from '../vendors/lifetime';
import { type Change, nextId, type Vendor } from '../vendors/list';
import type { Scan } from './state';

/** What can be listed: a cookie, or something else that is kept in the browser. */
export type Found = Pick<
  Scan['cookies'][number],
  'name' | 'domain' | 'category' | 'vendor' | 'max_age_seconds'
> & { storage: StorageKind };

/** Other kinds have no end of their own. */
export const asFound = ({ host, ...item }: Scan['stored_items'][number]): Found => ({
  ...item,
  domain: host,
  max_age_seconds: 0,
});

const kindOf = ({ storage = 'cookie' }: Pick<Vendor['cookies'][number], 'storage'>): StorageKind => storage;

/** Where a cookie goes: the number of a listed vendor, the name of a new one, or nothing. */
export interface Choice {
  wanted: boolean;
  category: string;
  /** `id:755`, or `new`. */
  vendor: string;
  newVendor: string;
}

/** The longest lifetime that the vendor list takes, in seconds: ten years. */
const LONGEST = 315_360_000;

const isListed = ({ name, storage }: Found, vendors: readonly Vendor[]): boolean =>
  vendors.some(({ cookies }) => cookies.some((one) => one.name === name && kindOf(one) === storage));

/**
 * What is proposed: everything that is not listed yet, with the category and the vendor that the scan knows.
 */
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
  max_age_seconds: Math.min(Math.max(0, Math.round(max_age_seconds)), LONGEST),
  description: null,
});

/** Puts each wanted one to its vendor. Those that go to the same new name go to one new vendor. */
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
