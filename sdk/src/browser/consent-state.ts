import type { AvowConsent } from '../banner.js';
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
  /** Every category of the site by its key. Empty while nothing is decided. */
  readonly categories: Readonly<Record<string, boolean>>;
  /** The decision in force, with the session's id and the time; null while nothing is decided. */
  readonly consent: AvowConsent | null;
  /**
   * Whether a category is allowed; of several, separated by spaces, whether all are. False while nothing is decided,
   * and for a category that the site does not have.
   */
  allows(category: string): boolean;
  /** Allows everything. For a control of yours on which the visitor has really decided so. */
  accept(): void;
  /** Refuses everything that is not required. */
  reject(): void;
  /** Allows the categories that are true and refuses all others. */
  save(categories: Record<string, boolean>): void;
  /** Opens the settings, with a switch for each category. */
  openSettings(): void;
}

const actions = {
  accept: () => callBanner('accept'),
  reject: () => callBanner('reject'),
  save: (categories: Record<string, boolean>) => callBanner('save', categories),
  openSettings: () => callBanner('show', 'settings'),
};

function stateOf(loading: boolean, consent: AvowConsent | null): ConsentState {
  const categories = consent?.categories ?? {};
  return Object.freeze({
    loading,
    decided: consent !== null,
    categories,
    consent,
    allows: (category: string) =>
      category
        .trim()
        .split(/\s+/)
        .every((key) => Object.hasOwn(categories, key) && categories[key] === true),
    ...actions,
  });
}

/** Before the banner's script has run. */
export const LOADING = stateOf(true, null);

/** Once it has: `consent` is its answer. */
export const loadedState = (consent: AvowConsent | null): ConsentState => stateOf(false, consent);
