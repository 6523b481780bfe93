import type { FieldError } from './errors';
import type { Vendor } from './types';

/** Errors that an answer names, at most. */
const MAX_ERRORS = 100;

/**
 * Checks what a schema cannot express about a list of vendors: every error, at most 100. `keys` are the
 * site's categories.
 */
export function vendorErrors(vendors: readonly Vendor[], keys: readonly string[]): FieldError[] {
  const categories = new Set(keys);
  const ids = new Set<number>();
  const errors: FieldError[] = [];
  for (const [index, vendor] of vendors.entries()) {
    const own = [
      ...(ids.has(vendor.id) ? [error('id', `the id ${vendor.id} is used twice`, 'unique')] : []),
      ...unknownCategories(vendor, categories),
      ...(['purposes', 'leg_int_purposes', 'categories'] as const).flatMap((field) =>
        repeated(field, vendor[field]),
      ),
      ...twoBases(vendor),
    ];
    ids.add(vendor.id);
    errors.push(...own.map(({ path, ...rest }) => ({ path: `body.vendors.${index}.${path}`, ...rest })));
    if (errors.length >= MAX_ERRORS) break;
  }
  return errors.slice(0, MAX_ERRORS);
}

const error = (path: string, message: string, code: string): FieldError => ({ path, message, code });

function unknownCategories({ categories, cookies }: Vendor, known: ReadonlySet<string>): FieldError[] {
  const unknown = (path: string, key: string): FieldError[] =>
    known.has(key)
      ? []
      : [error(path, `${key} is none of this environment's categories`, 'unknown_category')];
  return [
    ...categories.flatMap((key, at) => unknown(`categories.${at}`, key)),
    ...cookies.flatMap(({ category }, at) => unknown(`cookies.${at}.category`, category)),
  ];
}

const repeated = (field: string, values: readonly (string | number)[]): FieldError[] =>
  values.flatMap((value, at) =>
    values.indexOf(value) < at ? [error(`${field}.${at}`, `${value} is listed twice`, 'unique')] : [],
  );

/** A purpose has one legal basis: consent or legitimate interest, as in the Global Vendor List. */
const twoBases = ({ purposes, leg_int_purposes }: Vendor): FieldError[] =>
  purposes.flatMap((purpose, at) =>
    leg_int_purposes.includes(purpose)
      ? [
          error(
            `purposes.${at}`,
            'a purpose has one legal basis: it is listed by legitimate interest too',
            'twice',
          ),
        ]
      : [],
  );
