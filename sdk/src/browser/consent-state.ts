import type { AvowConsent, AvowRule } from '../banner.js';
import { callBanner } from './banner-calls.js';

/** What the visitor has decided, and what a page can do about it. A new object for each change, never changed itself. */
export interface ConsentState {
  /**
   * Whether the banner's script has yet to run: on the server, while a page is hydrated, and for good where a
   * blocker keeps the script away. Nothing is allowed then.
   */
  readonly loading: boolean;
  /** Whether a decision is in force. False while loading, and where the visitor must be asked again. */
  readonly decided: boolean;
  /**
   * Every category of the site by its key: whether it is allowed now. Empty while nothing is decided, unless a rule of
   * the visitor's region allows something before that.
   */
  readonly categories: Readonly<Record<string, boolean>>;
  /**
   * Every vendor that visitors are asked about, by its number: whether it is allowed now. Empty where the site asks by
   * category alone, and where `categories` is.
   */
  readonly vendors: Readonly<Record<string, boolean>>;
  /** The decision in force, with the session's id and the time; null while nothing is decided. */
  readonly consent: AvowConsent | null;
  /**
   * What holds in the visitor's region, where the site has rules by region and the visitor's is known; else null. Under
   * `opt_out` and `notice` what is allowed is no consent: the visitor has left it on.
   */
  readonly rule: AvowRule | null;
  /**
   * Whether a category is allowed, by a consent or by the rule of the region; of several, separated by spaces, whether
   * all are. False for a category that the site does not have. With a vendor's number, that vendor's own choice counts
   * instead, where visitors are asked about it.
   */
  allows(category: string, vendor?: number): boolean;
  /** Allows everything. For a control of yours on which the visitor has really decided so. */
  accept(): void;
  /** Refuses everything that is not required. */
  reject(): void;
  /**
   * Allows the categories that are true and refuses all others. Where visitors choose by vendor, `vendors` says it for some
   * or all of them by their numbers; the others are as their categories are.
   */
  save(categories: Record<string, boolean>, vendors?: Record<string, boolean>): void;
  /** Opens the settings, with a switch for each category. */
  openSettings(): void;
}

const actions = {
  accept: () => callBanner('accept'),
  reject: () => callBanner('reject'),
  save: (categories: Record<string, boolean>, vendors?: Record<string, boolean>) =>
    callBanner('save', categories, vendors),
  openSettings: () => callBanner('show', 'settings'),
};

function stateOf(loading: boolean, consent: AvowConsent | null, rule: AvowRule | null): ConsentState {
  const { categories = {}, vendors = {} } = consent ?? rule ?? {};
  const has = (choices: Record<string, boolean>, key: string | number): boolean =>
    Object.hasOwn(choices, key) && choices[key] === true;
  return Object.freeze({
    loading,
    decided: consent !== null,
    categories,
    vendors,
    consent,
    rule,
    allows: (category: string, vendor?: number) =>
      vendor !== undefined && Object.hasOwn(vendors, vendor)
        ? has(vendors, vendor)
        : category
            .trim()
            .split(/\s+/)
            .every((key) => has(categories, key)),
    ...actions,
  });
}

/** Before the banner's script has run. */
export const LOADING = stateOf(true, null, null);

/** Once it has: `consent` and `rule` are its answers. */
export const loadedState = (consent: AvowConsent | null, rule: AvowRule | null): ConsentState =>
  stateOf(false, consent, rule);
