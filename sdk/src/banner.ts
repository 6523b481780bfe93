/** What the visitor decided: accept all, reject all, or a choice of categories. */
export type AvowDecision = 'accept_all' | 'reject_all' | 'save_preferences';

/** A decision of the visitor that is in force. */
export interface AvowConsent {
  decision: AvowDecision;
  /** Every category of the site by its key; required ones are always true. */
  categories: Record<string, boolean>;
  /**
   * How it was made: on the banner, in the settings, by the page's own program, or by Global Privacy Control.
   */
  method: 'banner' | 'settings' | 'api' | 'gpc';
  /** The version of the privacy policy that it was made for. */
  policy_version: string;
  /** ISO 8601, by the visitor's clock. */
  recorded_at: string;
  /** The random identifier by which the owner finds the record; a visitor may quote it. */
  session_id: string;
}

/** The allowed categories have changed. */
export interface AvowChange extends AvowConsent {
  /** Categories that were refused, or not asked yet, and are allowed now. */
  granted: string[];
  /** Categories that were allowed and are refused now. */
  withdrawn: string[];
}

/** The first layer, or the settings by category. */
export type AvowLayer = 'banner' | 'settings';

/**
 * What each event tells, frozen; on `document` they are named `avow:ready`, `avow:show` … and carry it as
 * `detail`.
 */
export interface AvowEvents {
  /** The script has read what is stored: the decision in force, or null. */
  ready: AvowConsent | null;
  show: { layer: AvowLayer };
  hide: { layer: AvowLayer };
  /** A decision is in force: made now, in another tab, or on an earlier visit. */
  consent: AvowConsent;
  /** What is allowed has changed. */
  change: AvowChange;
}

/** `window.Avow` once the script has run. */
export interface AvowBanner {
  /** Shows the settings, or the first layer while nothing is decided; or the layer that is named. */
  show(layer?: AvowLayer): void;
  /** Closes without a choice. */
  hide(): void;
  accept(): void;
  reject(): void;
  /**
   * Allows the categories that are true and refuses all others. Throws on a category that the site does not
   * have.
   */
  save(categories: Record<string, boolean>): void;
  getConsent(): AvowConsent | null;
  /**
   * Calls back on each event; `ready` and `consent` at once if they have already happened. Returns a function
   * that unsubscribes.
   */
  on<Name extends keyof AvowEvents>(name: Name, listener: (detail: AvowEvents[Name]) => void): () => void;
  /**
   * Runs one call such as `['on', 'consent', listener]`: what is pushed before the script has run is done
   * when it runs.
   */
  push(...calls: AvowCall[]): void;
}

type Call<Name extends keyof AvowBanner> = [name: Name, ...parameters: Parameters<AvowBanner[Name]>];
type Listen = {
  [Name in keyof AvowEvents]: [name: 'on', event: Name, listener: (detail: AvowEvents[Name]) => void];
}[keyof AvowEvents];

/** A call as the queue takes it. */
export type AvowCall = Call<'show'> | Call<'hide'> | Call<'accept'> | Call<'reject'> | Call<'save'> | Listen;

declare global {
  interface Window {
    /** The banner, or the queue of calls that wait for it. */
    Avow?: AvowBanner | AvowCall[];
  }
  interface DocumentEventMap {
    'avow:ready': CustomEvent<AvowEvents['ready']>;
    'avow:show': CustomEvent<AvowEvents['show']>;
    'avow:hide': CustomEvent<AvowEvents['hide']>;
    'avow:consent': CustomEvent<AvowEvents['consent']>;
    'avow:change': CustomEvent<AvowEvents['change']>;
  }
}
