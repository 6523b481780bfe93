import type { Vendor } from './list';
import { CATEGORY_OF_PURPOSE } from './purposes';

/** A vendor of an IAB Global Vendor List v3, as far as it is used here. */
interface ListedVendor {
  id: number;
  name: string;
  purposes?: number[];
  legIntPurposes?: number[];
  deletedDate?: string;
  dataRetention?: { stdRetention?: number };
  urls?: { langId: string; privacy: string; legIntClaim?: string }[];
}

/**
 * The vendors of a file in the format of a Global Vendor List v3, without deleted ones. Throws an error that
 * says what is wrong with the file.
 */
export function readList(text: string, categories: readonly string[]): Vendor[] {
  const vendors = (parse(text) as { vendors?: unknown } | null)?.vendors;
  if (typeof vendors !== 'object' || vendors === null) {
    throw new Error(
      'This file is not a vendor list: it has no “vendors”. Use the vendor-list.json of IAB Europe.',
    );
  }
  const found = Object.values(vendors).filter(isVendor);
  if (found.length === 0) throw new Error('This file contains no vendors.');
  return found.filter(({ deletedDate }) => deletedDate === undefined).map((one) => toVendor(one, categories));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This file is not JSON: choose the vendor-list.json as it was downloaded.');
  }
}

const isVendor = (value: unknown): value is ListedVendor => {
  const { id, name } = (value ?? {}) as Partial<ListedVendor>;
  return Number.isInteger(id) && typeof name === 'string';
};

const numbers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one) => Number.isInteger(one) && one >= 1 && one <= 11) : [];

/** Converts a vendor. It gets the site's categories that match its purposes. */
function toVendor(listed: ListedVendor, categories: readonly string[]): Vendor {
  const purposes = numbers(listed.purposes);
  const legitimate = numbers(listed.legIntPurposes).filter((purpose) => !purposes.includes(purpose));
  const named = [...purposes, ...legitimate].map((purpose) => CATEGORY_OF_PURPOSE.get(purpose));
  return {
    id: listed.id,
    name: listed.name.slice(0, 200),
    purposes,
    leg_int_purposes: legitimate,
    categories: categories.filter((key) => named.includes(key)),
    urls: (Array.isArray(listed.urls) ? listed.urls : []).map(({ langId, privacy, legIntClaim }) => ({
      lang_id: langId,
      privacy,
      leg_int_claim: legIntClaim || null,
    })),
    cookies: [],
    data_retention_days: listed.dataRetention?.stdRetention ?? null,
    country: null,
    transfer_safeguard: null,
  };
}
