import { createHash } from 'node:crypto';
import { canonicalJson } from '../banner/canonical';
import { ValidationError } from '../errors';
import { PURPOSE_CATEGORIES } from '../purposes';
import type { BundleTcf, BundleVendor, Category, TcfSettings, TcfText } from '../types';
import type { Ranges } from './bits';
import { MAX_TC_STRING, rangesOf, rangesText } from './decode';
import type { GlobalList, ListedVendor, ListTexts } from './list';

/** The server as a CMP. */
export interface Cmp {
  id: number;
  version: number;
}

/** What a bundle with the framework is made of besides its settings. */
export interface TcfSource {
  cmp: Cmp;
  list: GlobalList;
  /** By the tag of the banner's language; English is in the list. */
  translations: Readonly<Record<string, ListTexts>>;
}

/** The framework's part of a bundle. */
export interface TcfParts {
  config: BundleTcf;
  vendors: BundleVendor[];
  /** Of all vendors, each once, in ascending order. */
  data_categories: number[];
  /** Chosen vendors that the list does not have. */
  unknown: number[];
}

/** A purpose by legitimate interest that the publisher wants consent for, or that nobody may use. */
const NOT_ALLOWED = 0;
const CONSENT = 1;

/** What visitors of a site are asked by the framework: vendors as they may act there, and what strings say of them. */
export function tcfParts(
  settings: TcfSettings,
  categories: readonly Category[],
  { cmp, list }: Pick<TcfSource, 'cmp' | 'list'>,
): TcfParts {
  const chosen = settings.vendors === undefined ? undefined : new Set(settings.vendors);
  const listed = list.vendors.filter(({ id }) => chosen?.has(id) ?? true);
  const known = new Set(listed.map(({ id }) => id));
  const vendors = listed.map((vendor) => restrict(vendor, settings));
  const used = (read: (vendor: BundleVendor & Pick<ListedVendor, 'tcf'>) => readonly number[]): number[] =>
    [...new Set(vendors.flatMap(read))].sort((a, b) => a - b);
  const isAsked = (id: number): boolean => id !== 1 || settings.purpose_one_treatment !== true;
  const purposes = used((vendor) => vendor.purposes).filter(isAsked);
  const leg_int_purposes = used((vendor) => vendor.leg_int_purposes);
  const text = (is: (vendor: (typeof vendors)[number]) => boolean): string =>
    rangesText(rangesOf(vendors.filter(is).map(({ id }) => id)));
  const config = {
    cmp_id: cmp.id,
    cmp_version: cmp.version,
    policy_version: list.policy_version,
    publisher_country: settings.publisher_country,
    purpose_one_treatment: settings.purpose_one_treatment ?? false,
    purposes,
    leg_int_purposes,
    special_purposes: used(({ tcf }) => tcf.special_purposes),
    features: used(({ tcf }) => tcf.features),
    special_features: used(({ tcf }) => tcf.special_features),
    vendors: text(() => true),
    consent_vendors: text((vendor) => vendor.purposes.length > 0),
    leg_int_vendors: text((vendor) => vendor.leg_int_purposes.length > 0),
    special_vendors: text(
      (vendor) => vendor.leg_int_purposes.length === 0 && vendor.tcf.special_purposes.length > 0,
    ),
    restrictions: restrictionsOf(listed, settings),
    categories: purposesByCategory(settings, categories, purposes),
  };
  refuseLong(config);
  return {
    config: {
      ...config,
      vendor_list_version: list.version,
      asks: asksOf(config, chosen === undefined ? [] : vendors),
    },
    vendors,
    data_categories: used(({ tcf }) => tcf.data_categories),
    unknown: [...(chosen ?? [])].filter((id) => !known.has(id)),
  };
}

/** Bits of a core without vendors, of a segment's type, and of what stands with each field, restriction and range (TC string format v2). */
const BITS = { core: 225, segment: 3, field: 17, restriction: 20, range: 33 };
/** Of a segment, which is whole bytes in base64url. */
const charactersOf = (bits: number): number => Math.ceil((Math.ceil(bits / 8) * 8) / 6);

/** The longest string of a visitor must be one that the server takes. Throws `ValidationError`. */
function refuseLong({ vendors, restrictions }: Pick<BundleTcf, 'vendors' | 'restrictions'>): void {
  const ranges = restrictions.reduce((sum, one) => sum + rangesIn(one.vendors).length, 0);
  const highest = rangesIn(vendors).at(-1)?.[1] ?? 0;
  const core =
    BITS.core + 2 * (BITS.field + highest) + restrictions.length * BITS.restriction + ranges * BITS.range;
  if (charactersOf(core) + 1 + charactersOf(BITS.segment + BITS.field + highest) > MAX_TC_STRING)
    throw ValidationError.of(
      'body.settings.tcf',
      'makes strings that are too long, because a string names each vendor of a restriction: name the vendors that you work with, or restrict fewer purposes',
      'tc_string',
    );
}

/** What a vendor may do on this site. */
function restrict(
  { flexible, ...vendor }: ListedVendor,
  { refused_purposes: refused = [], consent_only_purposes: strict = [] }: TcfSettings,
): Omit<ListedVendor, 'flexible'> {
  const { purposes, leg_int_purposes } = vendor;
  const moved = leg_int_purposes.filter((id) => strict.includes(id) && flexible.includes(id));
  return {
    ...vendor,
    purposes: [...purposes, ...moved].filter((id) => !refused.includes(id)).sort((a, b) => a - b),
    leg_int_purposes: leg_int_purposes.filter((id) => !strict.includes(id) && !refused.includes(id)),
  };
}

/** What strings tell vendors of that; only where it changes what one of them has declared. */
function restrictionsOf(
  vendors: readonly ListedVendor[],
  { refused_purposes: refused = [], consent_only_purposes: strict = [] }: TcfSettings,
): BundleTcf['restrictions'] {
  const found = new Map<string, { purpose: number; type: number; ids: number[] }>();
  const add = (purpose: number, type: number, id: number): void => {
    const key = `${purpose} ${type}`;
    const one = found.get(key) ?? { purpose, type, ids: [] };
    one.ids.push(id);
    found.set(key, one);
  };
  for (const { id, purposes, leg_int_purposes, flexible } of vendors) {
    for (const purpose of [...purposes, ...leg_int_purposes])
      if (refused.includes(purpose)) add(purpose, NOT_ALLOWED, id);
    for (const purpose of leg_int_purposes)
      if (strict.includes(purpose) && !refused.includes(purpose))
        add(purpose, flexible.includes(purpose) ? CONSENT : NOT_ALLOWED, id);
  }
  return [...found.values()]
    .sort((a, b) => a.purpose - b.purpose || a.type - b.type)
    .map(({ purpose, type, ids }) => ({ purpose, type, vendors: rangesText(rangesOf(ids)) }));
}

/**
 * The purposes that allow a category, as far as visitors are asked for them; required ones need none. Whoever named none
 * wants purpose 1, too: what waits for a category stores something.
 */
function purposesByCategory(
  { categories: own = {} }: TcfSettings,
  categories: readonly Category[],
  asked: readonly number[],
): BundleTcf['categories'] {
  const entries = categories.flatMap(({ key, required }) => {
    const named = Object.hasOwn(own, key) ? own[key] : undefined;
    const purposes = (named ?? PURPOSE_CATEGORIES.get(key) ?? []).filter((id) => asked.includes(id));
    if (required || purposes.length === 0) return [];
    const all = named === undefined && asked.includes(1) ? [1, ...purposes] : purposes;
    return [[key, [...all].sort((a, b) => a - b)]];
  });
  return Object.fromEntries(entries);
}

type Asked = Omit<BundleTcf, 'asks' | 'vendor_list_version'>;

/**
 * Stands for what visitors are asked, and what their answer allows. Of vendors only those that an owner has named: the whole list changes each week,
 * and a string names the list that its visitor was shown, so that vendors that came since have nothing.
 */
function asksOf(config: Asked, chosen: readonly BundleVendor[]): string {
  const { cmp_id, policy_version, purposes, leg_int_purposes, special_features, restrictions, categories } =
    config;
  const kinds = restrictions.map(({ purpose, type }) => [purpose, type]);
  const vendors = chosen.map((one) => [
    one.id,
    one.purposes,
    one.leg_int_purposes,
    one.tcf?.special_features,
  ]);
  const asked = {
    ...{ cmp_id, policy_version, purposes, leg_int_purposes, special_features, kinds, vendors },
    categories,
  };
  return createHash('sha256').update(canonicalJson(asked)).digest('base64url').slice(0, 12);
}

/** The texts of a language as far as a bundle's vendors use them; what is not translated is in English. */
export function textsFor(
  { list, translations }: Pick<TcfSource, 'list' | 'translations'>,
  tags: readonly string[],
  { config, data_categories }: Pick<TcfParts, 'config' | 'data_categories'>,
): { texts: ListTexts; written: boolean } {
  const found = tags
    .map((tag) => (tag === 'en' ? list.texts : translations[tag]))
    .find((one) => one !== undefined);
  const pick = (name: keyof ListTexts, ids: Iterable<number>): TcfText[] => {
    const all = [...new Set(ids)].sort((a, b) => a - b);
    return all.flatMap((id) => {
      const has = (one: TcfText): boolean => one.id === id;
      return found?.[name].find(has) ?? list.texts[name].find(has) ?? [];
    });
  };
  return {
    written: found !== undefined,
    texts: {
      purposes: pick('purposes', [...config.purposes, ...config.leg_int_purposes]),
      special_purposes: pick('special_purposes', config.special_purposes),
      features: pick('features', config.features),
      special_features: pick('special_features', config.special_features),
      data_categories: pick('data_categories', data_categories),
    },
  };
}

/** Ids of such a text as `2,5-9`; for comparisons. */
export const rangesIn = (text: string): Ranges =>
  text === ''
    ? []
    : text.split(',').map((part) => {
        const [from = 0, to = from] = part.split('-').map(Number);
        return [from, to];
      });
