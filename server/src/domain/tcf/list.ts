import { isVisible } from '../printable';
import { beginning } from '../text';
import type { BundleVendor, TcfText } from '../types';

/** The Global Vendor List, or a file of its texts, is not what the specification says; in words. */
export class ListError extends Error {
  override name = 'ListError';

  /** @param message of which the list's own names are part: they may be long */
  constructor(message: string) {
    super(beginning(message, LENGTH.name));
  }
}

/** The framework's texts in one language. */
export interface ListTexts {
  purposes: TcfText[];
  special_purposes: TcfText[];
  features: TcfText[];
  special_features: TcfText[];
  data_categories: TcfText[];
}

/** A vendor as a bundle shows it, with the purposes that its list lets a publisher choose the basis of. */
export type ListedVendor = BundleVendor & { tcf: NonNullable<BundleVendor['tcf']>; flexible: number[] };

/** What is used of a Global Vendor List (IAB Tech Lab, GVL v3): without deleted vendors, and without stacks. */
export interface GlobalList {
  version: number;
  policy_version: number;
  /** ISO 8601. */
  updated_at: string;
  texts: ListTexts;
  vendors: ListedVendor[];
}

/** Real lists have some 1,000 vendors and 11 purposes; strings have 16 bits for a vendor. */
const MOST = { vendors: 5_000, id: 65_535, number: 24, urls: 50, illustrations: 10 };
const LENGTH = { name: 200, heading: 500, text: 4_000, url: 2_048, language: 35 };
/** Days, at most: a hundred years. */
const DAYS = 36_500;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectIn(value: unknown, what: string): Json {
  if (!isObject(value)) throw new ListError(`${what} is missing`);
  return value;
}

function integerIn(value: unknown, what: string, most: number): number {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most)
    throw new ListError(`${what} is no number from 1 to ${most}`);
  return value as number;
}

/** A text of somebody else without what no database takes. */
function textIn(value: unknown, what: string, length: number): string {
  const text = typeof value === 'string' ? value.replaceAll(/(?![\n\t])\p{Cc}/gu, '').trim() : '';
  if (!isVisible(text)) throw new ListError(`${what} is missing`);
  return beginning(text, length).toWellFormed();
}

const textOr = (value: unknown, length: number): string =>
  typeof value === 'string' && isVisible(value) ? textIn(value, '', length) : '';

/** Ids, each once, in ascending order. */
function numbersIn(value: unknown, what: string): number[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MOST.number)
    throw new ListError(`${what} is no list of numbers`);
  return [...new Set(value.map((one) => integerIn(one, what, MOST.number)))].sort((a, b) => a - b);
}

/** A page that a visitor may open; undefined for what is none. */
function urlIn(value: unknown): string | undefined {
  if (
    typeof value !== 'string' ||
    value.length > LENGTH.url ||
    !/^https?:\/\/[^\s\p{Cc}"<>\\^`{|}]+$/iu.test(value)
  )
    return undefined;
  return value.isWellFormed() && URL.canParse(value) ? value : undefined;
}

/** By number, in ascending order. */
function textsIn(value: unknown, what: string): TcfText[] {
  if (value === undefined) return [];
  const entries = Object.entries(objectIn(value, what)).slice(0, MOST.number);
  const texts = entries.map(([key, one]) => {
    const found = objectIn(one, `${what}.${key}`);
    const id = integerIn(found.id ?? Number(key), `${what}.${key}.id`, MOST.number);
    if (String(id) !== key) throw new ListError(`${what}.${key} has the id ${id}`);
    const { illustrations } = found;
    const examples = Array.isArray(illustrations) ? illustrations.slice(0, MOST.illustrations) : [];
    const shown = examples.map((text) => textOr(text, LENGTH.text)).filter(isVisible);
    return {
      id,
      name: textIn(found.name, `${what}.${key}.name`, LENGTH.heading),
      description: textOr(found.description, LENGTH.text),
      ...(shown.length > 0 && { illustrations: shown }),
    };
  });
  return texts.sort((a, b) => a.id - b.id);
}

/** Reads the texts of a list, or of one of its files of translations. Throws `ListError`. */
export function readTexts(json: unknown): ListTexts {
  const file = objectIn(json, 'the list');
  const texts = {
    purposes: textsIn(file.purposes, 'purposes'),
    special_purposes: textsIn(file.specialPurposes, 'specialPurposes'),
    features: textsIn(file.features, 'features'),
    special_features: textsIn(file.specialFeatures, 'specialFeatures'),
    data_categories: textsIn(file.dataCategories, 'dataCategories'),
  };
  if (texts.purposes.length === 0) throw new ListError('it has no purposes');
  return texts;
}

/**
 * Reads a vendor-list.json, and yields after each vendor. Throws `ListError`, naming what is wrong and where.
 */
export function* readGlobalList(json: unknown): Generator<void, GlobalList> {
  const file = objectIn(json, 'the list');
  if (file.gvlSpecificationVersion !== 3) throw new ListError('it is no Global Vendor List of version 3');
  const vendors = Object.entries(objectIn(file.vendors, 'vendors'));
  if (vendors.length > MOST.vendors) throw new ListError(`it has more than ${MOST.vendors} vendors`);
  const updated = typeof file.lastUpdated === 'string' ? Date.parse(file.lastUpdated) : Number.NaN;
  if (Number.isNaN(updated)) throw new ListError('lastUpdated is no time');
  const texts = readTexts(file);
  const described = describedIn(texts);
  const languages: Languages = new Map();
  const present: ListedVendor[] = [];
  for (const [key, one] of vendors) {
    if (isObject(one) && one.deletedDate != null) continue;
    const vendor = readVendor(key, one, languages);
    refuseUndescribed(vendor, described);
    present.push(vendor);
    yield;
  }
  return {
    version: integerIn(file.vendorListVersion, 'vendorListVersion', 4_095),
    policy_version: integerIn(file.tcfPolicyVersion, 'tcfPolicyVersion', 63),
    updated_at: new Date(updated).toISOString(),
    texts,
    vendors: present.sort((a, b) => a.id - b.id),
  };
}

/** The ids that have texts. */
type Described = Readonly<Record<keyof ListTexts, ReadonlySet<number>>>;

function describedIn(texts: ListTexts): Described {
  const idsOf = (name: keyof ListTexts): ReadonlySet<number> => new Set(texts[name].map(({ id }) => id));
  return {
    purposes: idsOf('purposes'),
    special_purposes: idsOf('special_purposes'),
    features: idsOf('features'),
    special_features: idsOf('special_features'),
    data_categories: idsOf('data_categories'),
  };
}

/** Nobody can consent to what no text describes. */
function refuseUndescribed(
  { id, purposes, leg_int_purposes, tcf }: ListedVendor,
  described: Described,
): void {
  const { special_purposes, features, special_features, data_categories } = tcf;
  const named: Record<keyof ListTexts, readonly number[]> = {
    purposes: [...purposes, ...leg_int_purposes],
    special_purposes,
    features,
    special_features,
    data_categories,
  };
  for (const name of Object.keys(named) as (keyof ListTexts)[]) {
    const missing = named[name].find((one) => !described[name].has(one));
    if (missing !== undefined)
      throw new ListError(`vendors.${id} names ${missing} of ${name}, which the list does not describe`);
  }
}

/** Purposes for which nobody may claim a legitimate interest (TCF policies, since 2.2). */
const CONSENT_ONLY: ReadonlySet<number> = new Set([1, 3, 4, 5, 6]);

function readVendor(key: string, json: unknown, languages: Languages): ListedVendor {
  const where = `vendors.${key}`;
  const vendor = objectIn(json, where);
  const id = integerIn(vendor.id, `${where}.id`, MOST.id);
  if (String(id) !== key) throw new ListError(`${where} has the id ${id}`);
  const numbers = (name: string): number[] => numbersIn(vendor[name], `${where}.${name}`);
  const purposes = numbers('purposes').filter((one) => one <= 11);
  const retention = isObject(vendor.dataRetention) ? vendor.dataRetention : {};
  const age = vendor.cookieMaxAgeSeconds;
  return {
    id,
    name: textIn(vendor.name, `${where}.name`, LENGTH.name),
    purposes,
    // One basis for a purpose, and consent is the stricter.
    leg_int_purposes: numbers('legIntPurposes').filter(
      (one) => one <= 11 && !CONSENT_ONLY.has(one) && !purposes.includes(one),
    ),
    categories: [],
    urls: readUrls(vendor.urls, languages),
    cookies: [],
    data_retention_days: daysIn(retention.stdRetention) ?? null,
    country: null,
    transfer_safeguard: null,
    flexible: numbers('flexiblePurposes'),
    tcf: {
      special_purposes: numbers('specialPurposes'),
      features: numbers('features'),
      special_features: numbers('specialFeatures').filter((one) => one <= 12),
      data_categories: numbers('dataDeclaration'),
      retention: daysByNumber(retention.purposes),
      special_retention: daysByNumber(retention.specialPurposes),
      uses_cookies: vendor.usesCookies === true,
      cookie_max_age_seconds:
        typeof age === 'number' ? Math.min(Math.max(Math.trunc(age), 0), 2_147_483_647) : null,
      cookie_refresh: vendor.cookieRefresh === true,
      uses_other_storage: vendor.usesNonCookieAccess === true,
      disclosure_url: urlIn(vendor.deviceStorageDisclosureUrl) ?? null,
    },
  };
}

const daysIn = (value: unknown): number | undefined =>
  Number.isInteger(value) && (value as number) >= 0 ? Math.min(value as number, DAYS) : undefined;

function daysByNumber(value: unknown): { id: number; days: number }[] {
  if (!isObject(value)) return [];
  const entries = Object.entries(value).slice(0, MOST.number);
  return entries.flatMap(([id, kept]) => {
    const days = daysIn(kept);
    return /^[1-9]\d?$/.test(id) && days !== undefined ? [{ id: Number(id), days }] : [];
  });
}

/** In the languages that it has; pages that are none are left out. */
function readUrls(value: unknown, languages: Languages): BundleVendor['urls'] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST.urls).flatMap((one: unknown) => {
    const privacy = isObject(one) ? urlIn(one.privacy) : undefined;
    const lang_id = isObject(one) ? languageOf(one.langId, languages) : undefined;
    if (!isObject(one) || privacy === undefined || lang_id === undefined) return [];
    return [{ lang_id, privacy, leg_int_claim: urlIn(one.legIntClaim) ?? null }];
  });
}

const LANGUAGE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;

/** What texts are as tags of languages; undefined: they are none. Real lists have few, and reading one takes long. */
type Languages = Map<string, string | undefined>;

function languageOf(value: unknown, known: Languages): string | undefined {
  if (typeof value !== 'string' || value.length > LENGTH.language) return undefined;
  if (!known.has(value)) known.set(value, readLanguage(value.replace('_', '-')));
  return known.get(value);
}

function readLanguage(text: string): string | undefined {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    return LANGUAGE.test(tag) ? tag : undefined;
  } catch {
    return undefined;
  }
}

/** The name of the file of texts that a list has for a banner's language: Bokmål is `no`, Portuguese `pt-pt`. */
export function textsFile(language: string): string {
  const tag = language.toLowerCase();
  if (tag === 'nb' || tag === 'nn') return 'no';
  return tag === 'pt' ? 'pt-pt' : tag;
}
