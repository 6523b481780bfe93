import type { Vendor } from '../types';
import { suffixesOf } from './party';

/** A cookie as the owner lists it, with its position in the list. */
interface Listed {
  rank: number;
  category: string;
  vendor: string;
}

/** Finds a cookie by its name and domain. */
export type FindListed = (name: string, domain: string) => Omit<Listed, 'rank'> | undefined;

/**
 * Looks cookies up in a site's own list; the first match counts. Owners write `_ga_*` for names that end in
 * an id. Indexed by name, then by domain, so that the cost is the sum of list and cookies, not their product: domains
 * are looked at for names that are listed alone, and beginnings of a length that one is listed with. A long task that
 * yields.
 */
export function* listing(vendors: readonly Vendor[]): Generator<unknown, FindListed> {
  const found = new Map<string, Map<string, Listed>>();
  const lengths = new Set<number>();
  let rank = 0;
  for (const { name: vendor, cookies } of vendors) {
    for (const { name, domain, category } of cookies) {
      const listed = { rank, category, vendor };
      rank += 1;
      if (name.endsWith('*')) lengths.add(name.length - 1);
      const places = found.get(name) ?? new Map<string, Listed>();
      found.set(name, places);
      for (const place of placesOf(domain)) if (!places.has(place)) places.set(place, listed);
      yield;
    }
  }
  return (name, domain) => {
    const written = [name];
    // `ab` may be listed as `*`, `a*` and `ab*`.
    for (const length of lengths) if (length <= name.length) written.push(`${name.slice(0, length)}*`);
    const listed = written.map((one) => found.get(one)).filter((one) => one !== undefined);
    if (listed.length === 0) return undefined;
    const places = ['', `in ${domain.toLowerCase()}`, ...suffixesOf(domain).map((suffix) => `at ${suffix}`)];
    let first: Listed | undefined;
    for (const one of listed)
      for (const place of places) {
        const here = one.get(place);
        if (here !== undefined && (first === undefined || here.rank < first.rank)) first = here;
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
