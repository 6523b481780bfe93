import { doc } from '../document.js';

/** Hosts, or beginnings of addresses on them, and what is loaded from there waits for; null: for nothing. */
export interface Rule {
  category: string | null;
  vendor?: number;
  hosts: string[];
}

/** A rule that something waits by. */
export interface Waits extends Rule {
  category: string;
}

export type Find = (address: unknown) => Waits | undefined;

/** The address of a request, as the page may write it. */
export function addressOf(address: unknown): URL | undefined {
  try {
    return new URL(String(address), doc.baseURI);
  } catch {
    return;
  }
}

/**
 * What finds the rule of an address: of the longest host that has one, subdomains included, and on it of the longest
 * beginning of the path. Never of the page's own host.
 */
export function finder(rules: readonly Rule[]): Find {
  const places = new Map<string, [path: string, rule: Rule][]>();
  for (const rule of rules)
    for (const place of rule.hosts) {
      const [host = '', ...path] = place.split('/');
      const all = places.get(host) ?? [];
      all.push([path[0] === undefined ? '' : `/${path.join('/')}`, rule]);
      places.set(host, all);
    }
  for (const all of places.values()) all.sort(([one], [other]) => other.length - one.length);
  return (address) => {
    const url = addressOf(address);
    if (!url || !/^(http|ws)s?:$/.test(url.protocol) || url.hostname === location.hostname) return;
    // A name with a dot at its end is the same host.
    for (let host = url.hostname.replace(/\.$/, ''); host; host = host.replace(/^[^.]*\.?/, '')) {
      const [, rule] = places.get(host)?.find(([path]) => url.pathname.startsWith(path)) ?? [];
      if (rule) return rule.category === null ? undefined : (rule as Waits);
    }
    return;
  };
}
