import { isFirstParty } from '../scan/party';
import type { Category, ScannedCookie, Vendor } from '../types';

/** The contract's bound of a category's list. */
const MOST = 1000;
/** Longer names are no cookie that anybody would list. */
const MAX_NAME = 200;

/** Where cookies are known from. */
export interface KnownCookies {
  vendors: readonly Vendor[];
  /** Of the site's last scan. */
  scanned: readonly ScannedCookie[];
  /** The site's own. */
  domains: readonly string[];
}

/**
 * First-party cookies of a category, which its withdrawal deletes: names alone, sorted. Third-party cookies and those that scripts
 * cannot see (HttpOnly) are left out, because no script of the page can delete them.
 */
export function cookiesOf(
  { key, required }: Category,
  { vendors, scanned, domains }: KnownCookies,
): string[] {
  if (required) return [];
  const isOwn = (domain: string | null | undefined): boolean =>
    domain == null || domains.some((own) => isFirstParty(domain.replace(/^\./, ''), own));
  const listed = vendors
    .flatMap(({ cookies }) => cookies)
    .filter(({ category, domain }) => category === key && isOwn(domain));
  const seen = scanned.filter(
    ({ category, first_party, http_only }) => category === key && first_party && !http_only,
  );
  const names = [...listed, ...seen].map(({ name }) => name).filter((name) => name.length <= MAX_NAME);
  return [...new Set(names)].sort().slice(0, MOST);
}
