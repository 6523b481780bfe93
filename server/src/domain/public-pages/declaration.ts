import type { components } from '../../../../spec/generated/api';
import { cookieOf } from '../banner/cookie';
import type { BannerProgram, SeenSettings } from '../banner/sources';
import { textsIn } from '../banner/texts';
import { listing } from '../cookies/listed-cookies';
import type { ScanResult } from '../cookies/result';
import type { OwnCookie } from '../cookies/summary';
import type { Vendor } from '../types';

export type CookieDeclaration = components['schemas']['CookieDeclaration'];
type OtherCookie = CookieDeclaration['other_cookies'][number];

/** What a declaration is made of. */
export interface DeclarationSources {
  token: string;
  language: string;
  settings: SeenSettings;
  program: BannerProgram;
  vendors: { version: number; vendors: readonly Vendor[] };
  /** The last scan that is still kept. */
  scan: { finished_at: Date | null; result: ScanResult | null } | undefined;
  /** The site's own cookies that scans found on any of its pages, also those that are not kept. */
  ofPages: readonly OwnCookie[];
  /** The site has a banner, which keeps the decision. */
  hasBanner: boolean;
  updatedAt: Date;
}

/** The contract's limit. */
const MOST_OTHERS = 2_000;

/** What a site stores, as far as its vendors and its last scan tell. A long task that yields. */
export function* declarationOf(sources: DeclarationSources): Generator<unknown, CookieDeclaration> {
  const { language, settings, program, vendors, scan } = sources;
  const { texts } = textsIn(language, settings, program);
  const others = [...kept(sources), ...(yield* found(sources))];
  return {
    language,
    updated_at: sources.updatedAt.toISOString(),
    vendor_list_version: vendors.version,
    scanned_at: scan?.finished_at?.toISOString() ?? null,
    categories: settings.categories.map(({ key, required }) => ({
      key,
      required,
      ...(texts.categories[key] ?? { name: key, description: '' }),
    })),
    vendors: vendors.vendors.map((vendor) => declaredVendor(vendor, language)),
    other_cookies: others.slice(0, MOST_OTHERS),
  };
}

const declaredVendor = (vendor: Vendor, language: string): CookieDeclaration['vendors'][number] => ({
  id: vendor.id,
  name: vendor.name,
  categories: vendor.categories,
  privacy_url: (vendor.urls.find(({ lang_id }) => lang_id === language) ?? vendor.urls[0])?.privacy ?? null,
  country: vendor.country ?? null,
  data_retention_days: vendor.data_retention_days ?? null,
  cookies: vendor.cookies,
});

/** What the banner keeps itself, which a scan never sees, because it never decides. */
function kept({ token, settings, hasBanner }: DeclarationSources): OtherCookie[] {
  const needed = settings.categories.find(({ required }) => required);
  if (!hasBanner || needed === undefined) return [];
  const own = { category: needed.key, vendor: null };
  const cookie = cookieOf(settings);
  return [
    { name: `avow:${token}`, storage: 'local_storage', domain: null, max_age_seconds: 0, ...own },
    ...(cookie === undefined ? [] : [{ storage: 'cookie' as const, ...cookie, ...own }]),
  ];
}

/** What scans found and no vendor lists, each once: the last scan first, which knows most of what it saw. */
function* found({
  vendors: { vendors },
  scan,
  ofPages,
}: DeclarationSources): Generator<unknown, OtherCookie[]> {
  const listed = yield* listing(vendors);
  // Their domains are not kept.
  const anywhere = vendors.map((one) => ({
    ...one,
    cookies: one.cookies.map((cookie) => ({ ...cookie, domain: null })),
  }));
  const named = yield* listing(anywhere);
  const seen = new Map<string, OtherCookie>();
  const names = new Set<string>();
  const add = (one: OtherCookie): void => {
    const key = JSON.stringify([one.storage, one.name, one.domain]);
    if (seen.has(key) || seen.size >= MOST_OTHERS) return;
    if ((one.domain === null ? named(one.name, '') : listed(one.name, one.domain)) !== undefined) return;
    names.add(one.name);
    seen.set(key, one);
  };
  for (const { name, domain, category, vendor = null, max_age_seconds } of scan?.result?.cookies ?? [])
    yield add({ name, storage: 'cookie', domain, category, vendor, max_age_seconds });
  for (const { name, storage, host, category, vendor = null } of scan?.result?.stored_items ?? [])
    yield add({ name, storage, domain: host, category, vendor, max_age_seconds: 0 });
  for (const [name, category] of ofPages)
    if (!names.has(name))
      yield add({ name, storage: 'cookie', domain: null, category, vendor: null, max_age_seconds: null });
  return [...seen.values()];
}
