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
  /** By category: what the bundle before knew, where no scan is kept any more. */
  remembered?: Readonly<Record<string, readonly string[]>>;
  /** The site's own. */
  domains: readonly string[];
}

/**
 * First-party cookies of a category, which its withdrawal deletes: names alone, sorted. Third-party cookies and those that scripts
 * cannot see (HttpOnly) are left out, because no script of the page can delete them; and so is what would delete a cookie that the site
 * needs too.
 */
export function cookiesOf(
  { key, required }: Category,
  { vendors, scanned, remembered = {}, domains }: KnownCookies,
  needed: readonly string[],
): string[] {
  if (required) return [];
  const isOwn = (domain: string | null | undefined): boolean =>
    domain == null || domains.some((own) => isFirstParty(domain.replace(/^\./, ''), own));
  const explained = vendors.flatMap(({ cookies }) => cookies);
  const listed = explained.filter(({ category, domain }) => category === key && isOwn(domain));
  const seen = scanned.filter(
    ({ category, first_party, http_only }) => category === key && first_party && !http_only,
  );
  // A vendor that says otherwise by now is right.
  const known = (remembered[key] ?? []).filter((name) => explained.every((one) => one.name !== name));
  const kept = [...explained, ...scanned]
    .filter(({ category }) => needed.includes(category))
    .map(({ name }) => name);
  const names = [...[...listed, ...seen].map(({ name }) => name), ...known].filter(
    (name) => name.length <= MAX_NAME && !isReckless(name, kept),
  );
  return [...new Set(names)].sort().slice(0, MOST);
}

/** Whether a name or pattern takes every cookie, or one of these. */
const isReckless = (pattern: string, kept: readonly string[]): boolean =>
  pattern.endsWith('*')
    ? pattern === '*' || kept.some((name) => name.startsWith(pattern.slice(0, -1)))
    : kept.includes(pattern);
