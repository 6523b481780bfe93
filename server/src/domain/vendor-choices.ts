import { ValidationError } from './errors';
import type { AskedVendor, Category, CategoryChoices, Decision, Vendor, VendorChoices } from './types';

/** The most vendors that a banner asks about: nobody reads longer lists, and each decision holds all of them. */
export const MAX_ASKED = 200;
/** The most characters of them as JSON: they are in the script, and look-ups of earlier bundles read them. */
const MAX_ASKED_LENGTH = 40_000;
/** The largest number that a vendor can have. */
const MAX_ID = 2 ** 31 - 1;

/**
 * The vendors that a site's visitors are asked about one by one, where its settings say so: those with a category that
 * is not required. Throws `ValidationError` for more than a banner can ask about.
 */
export function vendorsToAsk(
  {
    choice_by_vendor,
    categories,
  }: { choice_by_vendor?: boolean; categories: readonly Pick<Category, 'key' | 'required'>[] },
  vendors: readonly Pick<Vendor, 'id' | 'name' | 'categories'>[],
): AskedVendor[] | undefined {
  if (choice_by_vendor !== true) return undefined;
  const optional = categories.filter(({ required }) => !required).map(({ key }) => key);
  const asked = vendors
    .map(({ id, name, categories: own }) => ({
      ...{ id, name },
      categories: optional.filter((key) => own.includes(key)),
    }))
    .filter((vendor) => vendor.categories.length > 0)
    .sort((one, other) => one.id - other.id);
  if (JSON.stringify(asked.slice(0, MAX_ASKED)).length > MAX_ASKED_LENGTH)
    throw ValidationError.of(
      'body.settings.choice_by_vendor',
      `would ask visitors about vendors whose names and categories are longer than ${MAX_ASKED_LENGTH} characters in all: shorten them, or take those off the vendor list that the site does not use`,
      'too_many_vendors',
    );
  if (asked.length <= MAX_ASKED) return asked;
  throw ValidationError.of(
    'body.settings.choice_by_vendor',
    `would ask visitors about ${asked.length} vendors, and a banner asks about at most ${MAX_ASKED}: take those off the vendor list that the site does not use, or let visitors choose by category alone`,
    'too_many_vendors',
  );
}

/** What a decision says of vendors. */
interface Stated {
  decision: Decision;
  vendors?: VendorChoices;
}

/** What the decision's visitor was asked about vendors. */
interface Asking {
  /** By the bundle that was named; undefined where the decision names none of the site. */
  asked: readonly AskedVendor[] | undefined;
  /** Whether the site's present settings ask by vendor. */
  isOn: boolean;
}

/**
 * The choice for each vendor that was asked about, null where there was none: a vendor that is not named is as its
 * categories are. Without a bundle of the site, nobody knows what was asked, and what was sent counts. Throws
 * `ValidationError` naming every vendor that was not asked about.
 */
export function decideVendors(
  { decision, vendors: chosen = {} }: Stated,
  categories: CategoryChoices,
  { asked, isOn }: Asking,
): VendorChoices | null {
  const named = Object.keys(chosen);
  if (named.length > 0) refuseUnasked(named, { asked, isOn });
  if (asked === undefined) return decision === 'save_preferences' && named.length > 0 ? { ...chosen } : null;
  if (asked.length === 0) return null;
  const chosenOf = ({ id, categories: own }: AskedVendor): boolean => {
    if (decision !== 'save_preferences') return decision === 'accept_all';
    return chosen[id] ?? own.every((key) => categories[key] === true);
  };
  return Object.fromEntries(asked.map((vendor) => [vendor.id, chosenOf(vendor)]));
}

function refuseUnasked(named: readonly string[], { asked, isOn }: Asking): void {
  if (asked === undefined ? !isOn : asked.length === 0)
    throw ValidationError.of(
      'body.vendors',
      asked === undefined
        ? "is for sites whose visitors choose by vendor, and this one's choose by category alone: leave it out, or set settings.choice_by_vendor"
        : 'is for banners that ask by vendor, and the one that is named asks by category alone: leave it out',
      'not_by_vendor',
    );
  const known = new Set(asked?.map(({ id }) => `${id}`));
  const errors = named.flatMap((id) => {
    const fault = asked === undefined ? faultOf(id) : known.has(id) ? '' : UNASKED;
    return fault === '' ? [] : [{ path: `body.vendors.${id}`, message: fault, code: 'unknown_vendor' }];
  });
  if (errors.length > 0) throw new ValidationError(errors);
}

const UNASKED =
  'is none of the vendors that the banner asked about: asked_vendors in the config of its bundle has them';

const faultOf = (id: string): string =>
  Number(id) > MAX_ID ? `is no number of a vendor, which goes from 1 to ${MAX_ID}` : '';

/** The vendors that a choice allows, by their numbers. */
export const allowedVendors = (vendors: VendorChoices | null): string[] =>
  Object.keys(vendors ?? {}).filter((id) => vendors?.[id] === true);
