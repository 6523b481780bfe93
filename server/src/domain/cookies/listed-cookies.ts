import type { Vendor } from '../types';
import { suffixesOf } from './party';

/** A cookie as the owner lists it, with its position in the list. */
interface Listed {
  rank: number;
  category: string;
  vendor: string;
}

/**
 * Looks cookies up in a site's own list; the first match counts. Owners write `_ga_*` for names that end in
 * an id. Indexed by name and domain, so that the cost is the sum of list and cookies, not their product.
 */
export function listCookies(
  vendors: readonly Vendor[],
): (name: string, domain: string) => Omit<Listed, 'rank'> | undefined {
  const found = new Map<string, Listed>();
  let rank = 0;
  for (const { name: vendor, cookies } of vendors) {
    for (const { name, domain, category } of cookies) {
      const listed = { rank, category, vendor };
      rank += 1;
      for (const place of placesOf(domain)) {
        const key = `${name}\n${place}`;
        if (!found.has(key)) found.set(key, listed);
      }
    }
  }
  let longest = 0;
  for (const { cookies } of vendors)
    for (const { name } of cookies) longest = Math.max(longest, name.endsWith('*') ? name.length - 1 : 0);
  return (name, domain) => {
    const places = ['', `in ${domain.toLowerCase()}`, ...suffixesOf(domain).map((suffix) => `at ${suffix}`)];
    const written = [name, ...beginningsOf(name, longest)];
    let first: Listed | undefined;
    for (const one of written) {
      for (const place of places) {
        const listed = found.get(`${one}\n${place}`);
        if (listed !== undefined && (first === undefined || listed.rank < first.rank)) first = listed;
      }
    }
    return first && { category: first.category, vendor: first.vendor };
  };
}

/** A cookie of a domain matches the domain itself, its subdomains and its parents. */
function placesOf(domain: string | null | undefined): string[] {
  if (domain == null || domain === '') return [''];
  const [bare = '', ...parents] = suffixesOf(domain.replace(/^\./, ''));
  return [`at ${bare}`, ...parents.map((parent) => `in ${parent}`)];
}

/** `ab` gives `*`, `a*` and `ab*`. */
function beginningsOf(name: string, longest: number): string[] {
  const count = Math.min(name.length, longest) + 1;
  return Array.from({ length: count }, (_, length) => `${name.slice(0, length)}*`);
}
