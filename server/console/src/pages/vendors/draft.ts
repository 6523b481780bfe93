import { type Lifetime, type StorageKind, toLifetime, toSeconds } from './lifetime';
import type { Vendor } from './list';

type Cookie = Vendor['cookies'][number];
export type CookieDraft = Pick<Cookie, 'name' | 'category'> & {
  storage: StorageKind;
  domain: string;
  description: string;
} & Lifetime;
export type UrlDraft = { lang_id: string; privacy: string; leg_int_claim: string };
/** '' for a purpose that the vendor does not have. */
export type Basis = '' | 'consent' | 'legitimate';

/** A vendor as typed. */
export interface VendorDraft {
  name: string;
  basis: Record<number, Basis>;
  categories: string[];
  urls: UrlDraft[];
  cookies: CookieDraft[];
  data_retention_days: number | undefined;
  country: string;
  transfer_safeguard: string;
}

export const emptyDraft = (language: string): VendorDraft => ({
  name: '',
  basis: {},
  categories: [],
  urls: [{ lang_id: language, privacy: '', leg_int_claim: '' }],
  cookies: [],
  data_retention_days: undefined,
  country: '',
  transfer_safeguard: '',
});

export const emptyCookie = (category: string): CookieDraft => ({
  ...{
    name: '',
    storage: 'cookie',
    domain: '',
    category,
    description: '',
    amount: undefined,
    unit: 'session',
  },
});

export function toDraft(vendor: Vendor): VendorDraft {
  const basis: VendorDraft['basis'] = {};
  for (const purpose of vendor.purposes) basis[purpose] = 'consent';
  for (const purpose of vendor.leg_int_purposes) basis[purpose] = 'legitimate';
  return {
    name: vendor.name,
    basis,
    categories: vendor.categories,
    urls: vendor.urls.map((url) => ({ ...url, leg_int_claim: url.leg_int_claim ?? '' })),
    cookies: vendor.cookies.map(({ max_age_seconds, domain, description, storage, ...cookie }) => ({
      ...cookie,
      ...{ storage: storage ?? 'cookie', domain: domain ?? '', description: description ?? '' },
      ...toLifetime(max_age_seconds),
    })),
    data_retention_days: vendor.data_retention_days ?? undefined,
    country: vendor.country ?? '',
    transfer_safeguard: vendor.transfer_safeguard ?? '',
  };
}

/** The vendor to send. Empty texts become null; the server checks everything else. */
export function fromDraft(id: number, draft: VendorDraft): Vendor {
  const withBasis = (wanted: Basis) =>
    Object.entries(draft.basis)
      .filter(([, basis]) => basis === wanted)
      .map(([purpose]) => Number(purpose));
  const text = (value: string) => (value.trim() === '' ? null : value.trim());
  return {
    id,
    name: draft.name.trim(),
    purposes: withBasis('consent'),
    leg_int_purposes: withBasis('legitimate'),
    categories: draft.categories,
    urls: draft.urls
      .filter(({ privacy, leg_int_claim }) => privacy !== '' || leg_int_claim !== '')
      .map((url) => ({ ...url, leg_int_claim: text(url.leg_int_claim) })),
    cookies: draft.cookies.map(({ name, storage, category, domain, description, ...lifetime }) => ({
      // Without `storage`, the item is a cookie.
      ...(storage === 'cookie' ? {} : { storage }),
      ...{ name: name.trim(), category, domain: text(domain), description: text(description) },
      max_age_seconds: toSeconds(lifetime),
    })),
    data_retention_days: draft.data_retention_days ?? null,
    country: text(draft.country)?.toUpperCase() ?? null,
    transfer_safeguard: text(draft.transfer_safeguard),
  };
}
