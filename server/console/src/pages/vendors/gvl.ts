import type { Vendor } from './list';

/** What is used of a vendor of an IAB Global Vendor List v3. */
interface ListedVendor {
  id: number;
  name: string;
  purposes?: number[];
  legIntPurposes?: number[];
  deletedDate?: string;
  dataRetention?: { stdRetention?: number };
  urls?: { langId: string; privacy: string; legIntClaim?: string }[];
}

/** Which of the usual categories a TCF purpose belongs to. */
const CATEGORY_OF_PURPOSE: Record<number, string> = {
  ...{ 2: 'marketing', 3: 'marketing', 4: 'marketing', 7: 'marketing' },
  ...{ 8: 'analytics', 9: 'analytics' },
  ...{ 5: 'functional', 6: 'functional', 10: 'functional', 11: 'functional' },
};

/**
 * The vendors of a file in the shape of a Global Vendor List v3; deleted ones are left out. Throws an error
 * that says what is wrong with the file.
 */
export function readList(text: string, categories: readonly string[]): Vendor[] {
  const vendors = (parse(text) as { vendors?: unknown } | null)?.vendors;
  if (typeof vendors !== 'object' || vendors === null) {
    throw new Error(
      'This file is no vendor list: it has no “vendors”. Take the vendor-list.json of IAB Europe.',
    );
  }
  const found = Object.values(vendors).filter(isVendor);
  if (found.length === 0) throw new Error('There is no vendor in this file.');
  return found.filter(({ deletedDate }) => deletedDate === undefined).map((one) => toVendor(one, categories));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This file is no JSON: choose the vendor-list.json as it was downloaded.');
  }
}

const isVendor = (value: unknown): value is ListedVendor => {
  const { id, name } = (value ?? {}) as Partial<ListedVendor>;
  return Number.isInteger(id) && typeof name === 'string';
};

const numbers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one) => Number.isInteger(one) && one >= 1 && one <= 11) : [];

/** A vendor belongs to those categories of the site that its purposes speak of. */
function toVendor(listed: ListedVendor, categories: readonly string[]): Vendor {
  const purposes = numbers(listed.purposes);
  const legitimate = numbers(listed.legIntPurposes).filter((purpose) => !purposes.includes(purpose));
  const named = [...purposes, ...legitimate].map((purpose) => CATEGORY_OF_PURPOSE[purpose]);
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
