/** How long a browser may use a fragment without asking again, in seconds. */
export const MAX_AGE = 300;

/** A part for a page of the site, which any page may read; opened by itself it is nothing but text. */
export const FRAGMENT_HEADERS = {
  Vary: 'Accept-Encoding, Accept-Language',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'X-Robots-Tag': 'noindex, nofollow',
};
