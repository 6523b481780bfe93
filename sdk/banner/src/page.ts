import type { AvowBanner } from '../../src/banner.js';
import type { RegionRule } from './contract.js';
import { doc } from './document.js';
import type { Hold } from './hold/guard.js';
import { bare, own } from './own.js';

/**
 * `window.Avow` before the script runs: the page's queue of calls with what the snippet's stub has noted, a
 * preview's option, or the banner if the script has run before.
 */
export interface Existing extends Array<unknown> {
  preview?: boolean;
  getConsent?: unknown;
  /** The rule that a preview shows, where there are rules by region. */
  rule?: RegionRule;
  /** Whether the stub has told Google that nothing is allowed: it is updated, and not told so again. */
  denied?: boolean;
  /** Scripts that wait for consent and are the parser's, noted by the stub when the parser was done. */
  parsed?: NodeListOf<Element>;
  /** What the snippet holds of what nobody has marked up. */
  hold?: Hold;
}

// These programs have members that others lack; own ones only, before anything reads them.
if (tcf || byVendor || gpp || tested || holds || linked) bare(config);

/** The page's element for this script; null when another script has made it of text. */
export const tag = doc.currentScript as HTMLScriptElement | null;

/** Elements with the id Avow, if the page has any: what they hold under these names is no function and not true. */
export const existing = own<Existing>(window, 'Avow');

/** Whether the snippet's stub has told Google that nothing is allowed. */
export const denied = own<boolean>(existing, 'denied');

/** Whether this is a preview: it always shows the banner, sends nothing and stores nothing. */
export const preview = own(existing, 'preview') === true;

/**
 * Whether the browser sends Global Privacy Control: a request not to be tracked. Not only an own member: what all objects
 * have can then say that it is sent, but never that it is not.
 */
export const gpc = (): boolean =>
  (navigator as { globalPrivacyControl?: unknown }).globalPrivacyControl === true;

/**
 * The page's address without query and fragment, which may hold personal data; undefined for pages that are
 * not on the web.
 */
export const pageUrl = (): string | undefined =>
  /^http/.test(location.protocol) ? (location.origin + location.pathname).slice(0, 2048) : undefined;

/**
 * A random UUID (RFC 9562, version 4): the end of a blob's address, because browsers have `crypto.randomUUID`
 * only in secure contexts.
 */
export const uuid = (): string => URL.createObjectURL(new Blob()).slice(-36);

/** JSON as the standard has it: old libraries give arrays a `toJSON` that makes them strings. */
export const json = (value: unknown): string => {
  const list = Array.prototype as { toJSON?: unknown };
  const { toJSON } = list;
  delete list.toJSON;
  const text = JSON.stringify(value);
  if (toJSON) list.toJSON = toJSON;
  return text;
};

/** Runs code of the page; an exception is reported but does not stop the banner. */
export function safely(task: () => void): void {
  try {
    task();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}

/** Whether the page that this is a frame of has a banner, which is enough for both; elements of these names are none. */
export const outer = (): unknown => {
  try {
    return (
      parent !== window &&
      (parent.Avow as AvowBanner).getConsent instanceof (parent as typeof window).Function
    );
  } catch {
    // A page of another site, or one without a banner.
    return;
  }
};

/** Resolves when the document is parsed. */
export const parsed: Promise<unknown> = new Promise<void>((resolve) => {
  if (doc.readyState !== 'loading') resolve();
  else doc.addEventListener('DOMContentLoaded', resolve as () => void);
});

/** Yields to the page before the next step. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
