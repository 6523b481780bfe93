import { ValidationError } from './errors';
import type {
  Category,
  CategoryChoices,
  Decision,
  ReconsentReason,
  RegionRule,
  VendorChoices,
} from './types';

/** Of a category: what a decision depends on. */
type Asking = Pick<Category, 'key' | 'required'>;

/**
 * The categories of a decision, required ones left out: everything for `accept_all`, nothing for
 * `reject_all`, and for `save_preferences` what was chosen, with silence as refusal (GDPR recital 32). Throws
 * `ValidationError` naming every unknown or required category.
 */
export function decideCategories(
  decision: Decision,
  chosen: CategoryChoices | undefined,
  categories: readonly Asking[],
): CategoryChoices {
  if (chosen !== undefined) refuseUnknown(chosen, categories);
  if (decision === 'save_preferences' && chosen === undefined) {
    throw ValidationError.of('body.categories', 'is required for the decision save_preferences', 'required');
  }
  const result: CategoryChoices = {};
  for (const { key, required } of categories) {
    if (required) continue;
    result[key] = decision === 'accept_all' || (decision === 'save_preferences' && allows(chosen, key));
  }
  return result;
}

const allows = (chosen: CategoryChoices | undefined, key: string): boolean =>
  chosen !== undefined && Object.hasOwn(chosen, key) && chosen[key] === true;

function refuseUnknown(chosen: CategoryChoices, categories: readonly Asking[]): void {
  const errors = Object.keys(chosen)
    .filter((key) => !categories.some((category) => category.key === key))
    .map((key) => ({
      path: `body.categories.${key}`,
      message: `is none of the categories that were asked for: ${categories.map((category) => category.key).join(', ')}`,
      code: 'unknown_category',
    }));
  // A required category may be named as allowed, since banners list it, but never as refused.
  for (const { key, required } of categories) {
    if (required && Object.hasOwn(chosen, key) && !chosen[key]) {
      errors.push({
        path: `body.categories.${key}`,
        message: 'is a required category and cannot be refused',
        code: 'required_category',
      });
    }
  }
  if (errors.length > 0) throw new ValidationError(errors);
}

/** A session's latest choice, as far as asking again depends on it. */
export interface LatestChoice {
  categories: CategoryChoices;
  policy_version: string;
  expires_at: Date;
}

/** Why a visitor must be asked (again), in the order of precedence; `none` when the choice still stands. */
export function reconsentReason(
  choice: LatestChoice | undefined,
  site: { categories: readonly Category[]; policy_version: string },
  now: Date,
): ReconsentReason {
  if (choice === undefined) return 'no_choice';
  if (choice.expires_at <= now) return 'expired';
  if (choice.policy_version !== site.policy_version) return 'policy_changed';
  const isNew = (category: Category): boolean =>
    !category.required && !Object.hasOwn(choice.categories, category.key);
  return site.categories.some(isNew) ? 'new_categories' : 'none';
}

/** What a record may lack: nobody sent it, or the site has none. */
interface Optional {
  tc_string: string | null;
  gpp_string: string | null;
  region: string | null;
  rule: RegionRule | null;
  vendors: VendorChoices | null;
  linked_from: string | null;
}

/** A record without the fields that the contract allows to be absent but not null. */
export function withoutNulls<Row extends Optional>({
  tc_string,
  gpp_string,
  region,
  rule,
  vendors,
  linked_from,
  ...row
}: Row) {
  return {
    ...row,
    ...(tc_string === null ? {} : { tc_string }),
    ...(gpp_string === null ? {} : { gpp_string }),
    ...(region === null ? {} : { region }),
    ...(rule === null ? {} : { rule }),
    ...(vendors === null ? {} : { vendors }),
    ...(linked_from === null ? {} : { linked_from }),
  };
}
