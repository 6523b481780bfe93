import { CATEGORY_OF_PURPOSE } from './purposes';
import type { Vendor } from './types';

/** An IAB Global Vendor List v3, as far as it is used here. */
export interface VendorListV3 {
  gvlSpecificationVersion: number;
  vendors: Record<string, ListedVendor>;
}

interface ListedVendor {
  id: number;
  name: string;
  purposes: number[];
  legIntPurposes: number[];
  deletedDate?: string;
  dataRetention?: { stdRetention?: number };
  urls?: { langId: string; privacy: string; legIntClaim?: string }[];
}

/** A language tag in its usual letter case; an invalid one is unchanged, and validation refuses it. */
function languageOf(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    return tag;
  }
}

/**
 * The vendors of an official list in this service's form, without deleted ones. A vendor gets the site's
 * categories that match its purposes.
 */
export function toVendors(
  list: VendorListV3,
  categories: readonly string[],
  wanted?: ReadonlySet<number>,
): Vendor[] {
  return Object.values(list.vendors)
    .filter(({ id, deletedDate }) => deletedDate === undefined && (wanted === undefined || wanted.has(id)))
    .map((vendor) => {
      const legitimate = vendor.legIntPurposes.filter((purpose) => !vendor.purposes.includes(purpose));
      const named = [...vendor.purposes, ...legitimate].map((purpose) => CATEGORY_OF_PURPOSE.get(purpose));
      return {
        id: vendor.id,
        name: vendor.name,
        purposes: vendor.purposes,
        leg_int_purposes: legitimate,
        categories: categories.filter((key) => named.includes(key)),
        urls: (vendor.urls ?? []).map(({ langId, privacy, legIntClaim }) => ({
          lang_id: languageOf(langId),
          privacy,
          leg_int_claim: legIntClaim ?? null,
        })),
        cookies: [],
        data_retention_days: vendor.dataRetention?.stdRetention ?? null,
        country: null,
        transfer_safeguard: null,
      };
    });
}
