/** The version in package.json; a test compares the two. */
export const VERSION = '0.1.0';

/** Not in browsers: there a header of our own would need a CORS preflight for each request. */
export const agent = (): string | undefined =>
  'process' in globalThis && !('document' in globalThis) ? `avow-sdk/${VERSION}` : undefined;
