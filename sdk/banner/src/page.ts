/**
 * `window.Avow` before the script runs: the page's queue of calls, a preview's option, or the banner if the
 * script has run before.
 */
interface Existing extends Array<unknown> {
  preview?: boolean;
  getConsent?: unknown;
}

/** If the page has an element with the id Avow, this is that element; it has none of these properties. */
export const existing = window.Avow as unknown as Existing | undefined;

/** Whether this is a preview: it always shows the banner, sends nothing and stores nothing. */
export const preview = existing?.preview === true;

/** Whether the browser sends Global Privacy Control: a request not to be tracked. */
export const gpc = (): boolean =>
  (navigator as Navigator & { globalPrivacyControl?: boolean }).globalPrivacyControl === true;

/**
 * The page's address without query and fragment, which may hold personal data; undefined for pages that are
 * not on the web.
 */
export const pageUrl = (): string | undefined =>
  /^http/.test(location.protocol) ? (location.origin + location.pathname).slice(0, 2048) : undefined;

/** A random UUID (RFC 9562, version 4). Browsers have `crypto.randomUUID` only in secure contexts. */
export const uuid = (): string =>
  (crypto as { randomUUID?(): string }).randomUUID?.() ??
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (+digit ^ ((crypto.getRandomValues(new Uint8Array(1))[0] as number) & (15 >> (+digit / 4)))).toString(16),
  );

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

/** Yields to the page before the next step. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
