/** That of package.json; a test compares the two. */
export const VERSION = '0.1.0';

/** Browsers name themselves: a page that did would need the server's leave for each request. */
export const agent = (): string | undefined =>
  'process' in globalThis && !('document' in globalThis) ? `avow-sdk/${VERSION}` : undefined;
