import { getDomain } from 'tldts';

/** The name of a site without `www.`. */
export const siteOf = (host: string): string => host.replace(/^www\./, '');

/** The maximum number of labels examined; the DNS allows 127. */
const MAX_LABELS = 10;

/** `a.b.c` gives `a.b.c`, `b.c` and `c`, the longest first; of longer names the last ten labels. */
export function suffixesOf(host: string): string[] {
  const labels = host.toLowerCase().split('.').slice(-MAX_LABELS);
  return labels.map((_, at) => labels.slice(at).join('.'));
}

/**
 * Whether hosts or cookie domains belong to one of these: the same one, a parent or a subdomain, within one
 * registrable domain by the public-suffix list (publicsuffix.org, ICANN and private parts, as tldts has it).
 * Siblings within one registrable domain count as third parties, the stricter reading: `a.example.com` and
 * `b.example.com` may have different operators.
 */
export function belongsTo(hosts: readonly string[]): (domain: string) => boolean {
  const own = new Set(hosts.map((host) => siteOf(host.toLowerCase())));
  const parents = new Set(
    [...own].flatMap(parentsOf).filter((parent) => getDomain(parent, SUFFIXES) !== null),
  );
  return (domain) => {
    const site = siteOf(domain.toLowerCase());
    return own.has(site) || parents.has(site) || suffixesOf(site).some((parent) => own.has(parent));
  };
}

export const isFirstParty = (domain: string, scannedHost: string): boolean =>
  belongsTo([scannedHost])(domain);

/** Private suffixes too: two shops below `github.io` are two parties. */
const SUFFIXES = { allowPrivateDomains: true, extractHostname: false } as const;

/**
 * The domain that somebody registered, whose subdomains are free: `a.b.example.co.uk` gives `example.co.uk`. A
 * host that has none, such as an address, stands for itself.
 */
export const registrableOf = (host: string): string => getDomain(host, SUFFIXES) ?? host;

/** Whether a domain is somebody's, as public suffixes and addresses are not. */
export const hasOwner = (domain: string): boolean => getDomain(domain, SUFFIXES) !== null;

/** `a.b.c` gives `b.c` and `c`. */
export function parentsOf(host: string): string[] {
  const parents: string[] = [];
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1))
    parents.push(host.slice(dot + 1));
  return parents;
}
