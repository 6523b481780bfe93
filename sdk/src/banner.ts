/** What the visitor decided: accept all, reject all, or a choice for each category. */
export type AvowDecision = 'accept_all' | 'reject_all' | 'save_preferences';

/** The visitor's decision in force. */
export interface AvowConsent {
  decision: AvowDecision;
  /** Every category of the site by its key; required ones are always true. */
  categories: Record<string, boolean>;
  /**
   * Every vendor that visitors are asked about, by its number; only where the site lets them choose by vendor. A vendor may
   * differ from its categories, and then its own choice counts.
   */
  vendors?: Record<string, boolean>;
  /**
   * How it was made: on the banner, in the settings, on the placeholder of a blocked frame, by the page's own
   * script, by Global Privacy Control, or on another domain of the site from which a link brought it along.
   */
  method: 'banner' | 'settings' | 'placeholder' | 'api' | 'gpc' | 'link';
  /** The version of the privacy policy that was in force then. */
  policy_version: string;
  /**
   * The rule under which it was made; only where the site has rules by region. Under `opt_out` and `notice` what is
   * allowed was left on, and is no consent.
   */
  rule?: AvowRule['rule'];
  /** ISO 8601, by the visitor's clock. */
  recorded_at: string;
  /** The random id of the session. The owner finds the consent record by it; a visitor may quote it. */
  session_id: string;
  /** The string of IAB Europe's framework, where the site takes part in it and it applies to the visitor. */
  tc_string?: string;
}

/** The allowed categories, or the allowed vendors, have changed. */
export interface AvowChange extends AvowConsent {
  /** Categories that are allowed now and were refused, or undecided, before. */
  granted: string[];
  /** Categories that are refused now and were allowed before. */
  withdrawn: string[];
  /** Vendors that are allowed now and were refused, or undecided, before; only where visitors choose by vendor. */
  granted_vendors?: number[];
  /** Vendors that are refused now and were allowed before; likewise. */
  withdrawn_vendors?: number[];
}

/** Where a site has rules by region: what holds for this visitor. */
export interface AvowRule {
  /** Such as `DE` or `US-CA`; null when it is not known. */
  region: string | null;
  /** Whether the visitor is asked first, may object, or is only told. */
  rule: 'opt_in' | 'opt_out' | 'notice';
  /** Every category of the site by its key: whether it is allowed now. */
  categories: Record<string, boolean>;
  /** Every vendor that visitors are asked about, by its number; only where the site lets them choose by vendor. */
  vendors?: Record<string, boolean>;
}

/** Something that nobody has marked up and that waits, or has waited, for consent: only where the site blocks such things. */
export interface AvowHeld {
  kind: 'script' | 'iframe' | 'img' | 'fetch' | 'xhr' | 'beacon';
  /** Without query and fragment, at most 500 characters. */
  url: string;
  /** The category that it waits for. */
  category: string;
  /** The vendor that it waits for instead, where visitors choose by vendor. */
  vendor?: number;
}

/** The layers: the banner itself, or the settings with a switch for each category. */
export type AvowLayer = 'banner' | 'settings';

/**
 * The details of each event, frozen. On `document` the events are named `avow:ready`, `avow:show` … and hold
 * it in `detail`.
 */
export interface AvowEvents {
  /** The document is parsed. Gets the decision in force, or null. */
  ready: AvowConsent | null;
  show: { layer: AvowLayer };
  hide: { layer: AvowLayer };
  /** A decision is in force: made now, in another tab, or on an earlier visit. */
  consent: AvowConsent;
  /** The allowed categories, or the allowed vendors, have changed. */
  change: AvowChange;
  /** The visitor's region, and so the rule, is known; only where the site has rules by region. */
  rule: AvowRule;
  /** Something that nobody has marked up waits for consent: each address once on a page. */
  held: AvowHeld;
}

/** `window.Avow` once the script has run. */
export interface AvowBanner {
  /** Shows the given layer; without one, the settings, or the banner while nothing is decided. */
  show(layer?: AvowLayer): void;
  /** Closes without a choice. */
  hide(): void;
  accept(): void;
  reject(): void;
  /**
   * Allows the categories that are true and refuses all others. Throws on a category that the site does not
   * have. Where visitors choose by vendor, `vendors` says it for some or all of them by their numbers; the others are as
   * their categories are. Throws on a vendor that nobody is asked about.
   */
  save(categories: Record<string, boolean>, vendors?: Record<string, boolean>): void;
  getConsent(): AvowConsent | null;
  /**
   * Whether a vendor is allowed now, by its number: by its own choice, before one as its categories are. False for one that
   * visitors are not asked about. Missing where the site asks by category alone.
   */
  isVendorAllowed?(vendor: number): boolean;
  /**
   * What the page has loaded from places that wait for consent, at most 200 addresses, and whether it has been let pass
   * since. Missing where the site does not block what nobody has marked up.
   */
  held?(): (AvowHeld & { released: boolean })[];
  /**
   * For a navigation by script to another domain of the site: resolves, within two seconds, to the address with the
   * visitor's choice, which holds once and for a minute; to the same address where nothing is to be taken along. Never
   * rejects. Links of the page need no call. Missing where the site has no `linked_domains`.
   */
  link?(url: string): Promise<string>;
  /**
   * Calls `listener` on each event, and at once for a `ready`, `consent`, `rule` or `held` that has already happened.
   * Returns a function that unsubscribes.
   */
  on<Name extends keyof AvowEvents>(name: Name, listener: (detail: AvowEvents[Name]) => void): () => void;
  /**
   * Runs calls such as `['on', 'consent', listener]`. Calls that are pushed before the script has loaded run
   * when it loads.
   */
  push(...calls: AvowCall[]): void;
}

type Call<Name extends keyof AvowBanner> = [
  name: Name,
  ...parameters: Parameters<NonNullable<AvowBanner[Name]>>,
];
type Listen = {
  [Name in keyof AvowEvents]: [name: 'on', event: Name, listener: (detail: AvowEvents[Name]) => void];
}[keyof AvowEvents];

/** A call in the form that `push` takes. */
export type AvowCall = Call<'show'> | Call<'hide'> | Call<'accept'> | Call<'reject'> | Call<'save'> | Listen;

declare global {
  interface Window {
    /** The banner, or the queue of calls while the script is loading. */
    Avow?: AvowBanner | AvowCall[];
  }
  interface DocumentEventMap {
    'avow:ready': CustomEvent<AvowEvents['ready']>;
    'avow:show': CustomEvent<AvowEvents['show']>;
    'avow:hide': CustomEvent<AvowEvents['hide']>;
    'avow:consent': CustomEvent<AvowEvents['consent']>;
    'avow:change': CustomEvent<AvowEvents['change']>;
    'avow:rule': CustomEvent<AvowEvents['rule']>;
    'avow:held': CustomEvent<AvowEvents['held']>;
  }
}
