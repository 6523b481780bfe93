import { belongsTo } from '../cookies/party';
import type { Category, ScannedCookie, Vendor } from '../types';

/** The contract's limit for the list of a category. */
const MAX_COOKIES = 1000;
/** Longer names are ignored. */
const MAX_NAME = 200;

/** The sources of known cookies. */
export interface KnownCookies {
  vendors: readonly Vendor[];
  /** Of the site's scans. */
  scanned: readonly (Pick<ScannedCookie, 'name' | 'category' | 'first_party' | 'http_only'> &
    Partial<ScannedCookie>)[];
  /** By category: what the previous bundle knew, when no scan is stored any more. */
  remembered?: Readonly<Record<string, readonly string[]>>;
  /** The site's own. */
  domains: readonly string[];
}

/**
 * The sorted names of each category's first-party cookies, which its withdrawal deletes. Third-party and
 * HttpOnly cookies are left out, because no script of the page can delete them, and so are patterns that
 * would also delete a required cookie. Reads each list once, however many categories there are. A long task that yields.
 */
export function* cookiesByCategory(
  categories: readonly Category[],
  { vendors, scanned, remembered = {}, domains }: KnownCookies,
): Generator<void, Map<string, string[]>> {
  const explained = vendors.flatMap(({ cookies }) => cookies);
  const needed = new Set(categories.filter(({ required }) => required).map(({ key }) => key));
  const found = new Map<string, Set<string>>(
    categories.filter(({ required }) => !required).map(({ key }) => [key, new Set()]),
  );
  const isOwn = belongsTo(domains);
  // What a vendor keeps elsewhere is no cookie to delete.
  for (const { category, domain, name } of explained.filter(isCookie)) {
    if (domain == null || isOwn(domain.replace(/^\./, ''))) found.get(category)?.add(name);
    yield;
  }
  for (const { category, first_party, http_only, name } of scanned)
    if (first_party && !http_only) found.get(category)?.add(name);
  // A vendor's newer statement takes precedence.
  const told = new Set(explained.map(({ name }) => name));
  for (const [category, names] of found)
    for (const name of Object.hasOwn(remembered, category) ? (remembered[category] ?? []) : [])
      if (!told.has(name)) names.add(name);
  const isReckless = recklessness(
    [...explained, ...scanned].filter(({ category }) => needed.has(category)).map(({ name }) => name),
  );
  const listed = (names: Iterable<string>): string[] =>
    [...names]
      .filter((name) => name.length <= MAX_NAME && !isReckless(name))
      .sort()
      .slice(0, MAX_COOKIES);
  const all = new Map<string, string[]>();
  for (const [category, names] of found) {
    all.set(category, listed(names));
    yield;
  }
  return all;
}

const isCookie = ({ storage = 'cookie' }: Vendor['cookies'][number]): boolean => storage === 'cookie';

/** Whether a name or pattern takes every cookie, or one of these. */
function recklessness(kept: readonly string[]): (pattern: string) => boolean {
  const names = new Set(kept);
  const sorted = [...names].sort();
  return (pattern) => {
    if (!pattern.endsWith('*')) return names.has(pattern);
    const start = pattern.slice(0, -1);
    return start === '' || (sorted[firstNotBelow(sorted, start)]?.startsWith(start) ?? false);
  };
}

/**
 * The index of the first text that does not sort before the given one; texts that start with it begin there,
 * if any.
 */
function firstNotBelow(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
