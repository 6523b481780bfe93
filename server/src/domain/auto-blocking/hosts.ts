import { hasOwner, registrableOf } from '../cookies/party';

/** Of hosts that scans found, for one site. */
export const MOST_FOUND = 2_000;

/** Whether a host can be written as a place; addresses of IPv6 and the like are let pass. */
export const isWritten = (host: string): boolean => /^[a-z0-9.-]{1,200}$/.test(host);

/** In lower case, without the dots that cookies begin with and full names end with. */
export const tidyHost = (host: string): string => host.toLowerCase().replace(/^\./, '').replace(/\.$/, '');

/** Whole IPv4 addresses, as browsers write them. */
const isAddress = (host: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(host) && host.split('.').every((part) => Number(part) < 256);

/**
 * Whether a host can be a place: one that somebody registered or a whole IPv4 address, and no public suffix, which is
 * everybody's, nor the end of an address.
 */
export const isHeldHost = (host: string): boolean =>
  isWritten(host) && (isAddress(host) || (hasOwner(host) && !/(^|\.)\d+$/.test(host)));

/** What the newest scan of a page found. */
export interface FoundHosts {
  /** Hosts that the page made the browser speak to. */
  contacted: readonly string[];
  /** Hosts from which the page's banner held something. */
  held: readonly string[];
}

/**
 * The hosts of all pages, at most 2,000 of them: pages take turns, and within a page registrable domains do, so that no
 * page and no domain crowds out others. The same pages in the same order always give the same.
 */
export function* chooseHosts(
  pages: readonly FoundHosts[],
  most = MOST_FOUND,
): Generator<void, FoundHosts & { isCut: boolean }> {
  const contacted = new Set<string>();
  const held = new Set<string>();
  const queues: string[][] = [];
  for (const page of pages) {
    yield;
    const domains = new Map<string, Set<string>>();
    for (const [hosts, all] of [
      [page.contacted, contacted],
      [page.held, held],
    ] as const)
      for (const host of hosts.map(tidyHost)) {
        all.add(host);
        const domain = registrableOf(host);
        const one = domains.get(domain) ?? new Set();
        domains.set(domain, one.add(host));
      }
    queues.push([...inTurns([...domains.values()].map((hosts) => [...hosts].sort()))]);
  }
  const chosen = new Set<string>();
  let isCut = false;
  for (const host of inTurns(queues)) {
    if (chosen.size >= most && !chosen.has(host)) {
      isCut = true;
      break;
    }
    chosen.add(host);
    yield;
  }
  const those = (all: ReadonlySet<string>): string[] => [...chosen].filter((host) => all.has(host)).sort();
  return { contacted: those(contacted), held: those(held), isCut };
}

/** The first of each, then the second of each. */
function* inTurns(queues: readonly (readonly string[])[]): Generator<string> {
  let left = [...queues];
  for (let at = 0; left.length > 0; at += 1) {
    left = left.filter((queue) => at < queue.length);
    for (const queue of left) yield queue[at] as string;
  }
}
