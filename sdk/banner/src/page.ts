/** What the page tells the script before it runs, and what the script knows of the page. */
interface Given extends Array<unknown> {
  preview?: boolean;
  getConsent?: unknown;
}

/** A page may have an element whose id is Avow: browsers make it `window.Avow`, and it says nothing. */
export const given = window.Avow as unknown as Given | undefined;

/** A preview always shows the banner, sends nothing and stores nothing. */
export const preview = given?.preview === true;

/** Global Privacy Control: the browser's wish not to be tracked. */
export const gpc = (): boolean =>
  (navigator as Navigator & { globalPrivacyControl?: boolean }).globalPrivacyControl === true;

/** Without query and fragment, which may hold personal data; nothing for pages that have no web address. */
export const pageUrl = (): string | undefined =>
  /^http/.test(location.protocol) ? (location.origin + location.pathname).slice(0, 2048) : undefined;

/** A random UUID (RFC 9562, version 4); `crypto.randomUUID` exists on https alone. */
export const uuid = (): string =>
  (crypto as { randomUUID?(): string }).randomUUID?.() ??
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (+digit ^ ((crypto.getRandomValues(new Uint8Array(1))[0] as number) & (15 >> (+digit / 4)))).toString(16),
  );

/** Runs foreign code whose exceptions must not stop ours. */
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
